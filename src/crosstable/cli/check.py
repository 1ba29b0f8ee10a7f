"""`crosstable check FILE…`: what is wrong, odd or missing in any file that we read."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crosstable import checks, formats
from crosstable.checks import gate
from crosstable.cli.convert import format_of, store
from crosstable.cli.given import add_given, mapping_of, read_given, to_add
from crosstable.cli.output import day, finding_line, plain, print_json
from crosstable.errors import CrosstableError, EventRejected
from crosstable.fixes import Fixed, fix_suggested
from crosstable.formats import rating_lists
from crosstable.formats.base import Reading
from crosstable.formats.crosstable import people
from crosstable.formats.rating_lists import ListedPlayer, ListMapping
from crosstable.model import Event, Finding, Place, errors
from crosstable.systems import DEFAULT
from crosstable.words.findings import counts, findings_to_json, grouped, plural
from crosstable.words.rated_page import span


@dataclass(frozen=True, slots=True)
class _Fixes:
    """What `--fix` changed, and where the event was written."""

    target: str
    fixed: tuple[Fixed, ...]
    written: bool


@dataclass(frozen=True, slots=True)
class _Checked:
    file: str
    format: str
    summary: str
    findings: list[Finding]
    event: Event | None = None
    every: bool = False  # print every finding, also many of one kind
    fixes: _Fixes | None = None


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="an event or a rating list in any format, or a folder")
    parser.add_argument("--json", action="store_true", help="one JSON object per file")
    parser.add_argument("--list", metavar="LIST", help="a rating list to compare ids, names and memberships with")
    parser.add_argument("--mapping", metavar="FILE", help="TOML: what the columns and codes of a member list mean")
    parser.add_argument("--received", type=day, metavar="DATE", help="the day on which the report arrived")
    parser.add_argument(
        "--fix",
        metavar="OUT",
        help="write the event with the suggested fixes that leave no choice; the suffix chooses the format",
    )
    parser.add_argument("--all", action="store_true", help="every finding on a line of its own")
    add_given(parser)


def run(args: argparse.Namespace) -> int:
    if args.fix and (refused := _refused(args.files, Path(args.fix))):
        print(plain(f"crosstable: {refused}"), file=sys.stderr)
        return 2
    members = _members(args.list) if args.list else {}
    mapping = mapping_of(args)
    status = 0
    for name in args.files:
        path = Path(name)
        listed = path.is_file() and rating_lists.is_list(path, mapping)
        checked = _check_list(name, mapping) if listed else _check(name, args, members)
        status = max(status, 1 if errors(checked.findings) else 0)
        if args.json:
            print_json(_json(checked))
        else:
            _print(checked)
    return status


def _members(path: str) -> dict[str, ListedPlayer]:
    try:
        return {player.id: player for player in rating_lists.read_path(path, [])}
    except OSError as error:
        raise EventRejected([formats.codes.NO_FILE.at(Place(file=path), error.strerror or "cannot be read")]) from error


def _check(name: str, args: argparse.Namespace, members: dict[str, ListedPlayer]) -> _Checked:
    def find(reading: Reading) -> list[Finding]:
        findings = list(reading.findings)
        if reading.draft is not None:
            findings += checks.check(reading.draft, received=args.received, members=members)
        return checks.in_order(findings)

    reading = gate.counted(read_given(name, args))  # as `rate` takes it
    fixes: _Fixes | None = None
    if args.fix:
        reading, fixed = fix_suggested(reading, find)
        fixes = _Fixes(args.fix, tuple(fixed), written=_write_fixed(reading, Path(args.fix)))
    return _Checked(
        name, reading.format, _summary(reading.draft), find(reading), reading.draft, every=args.all, fixes=fixes
    )


def _refused(files: list[str], target: Path) -> str:
    """Return why a fixed event cannot be written there; nothing where it can."""
    if len(files) > 1:
        return "--fix writes one event: check one file"
    if target.exists() and Path(files[0]).exists() and target.samefile(files[0]):
        return f"{target} is the file to check; choose another name for the fixed event"
    if format_of(target) is None:
        return f"the suffix of {target} does not name a format; choose another name, such as {target.stem}.json"
    return ""


def _write_fixed(reading: Reading, target: Path) -> bool:
    """Write the fixed event. Return whether it was written: an error of reading that is left would be lost in it."""
    if not reading.ok:
        return False
    try:
        store(target, reading.event, format_of(target) or "event-json")
    except OSError as error:
        raise CrosstableError(f"{target} cannot be written: {error.strerror}") from error
    return True


def _check_list(name: str, mapping: ListMapping) -> _Checked:
    findings: list[Finding] = []
    count = rated = 0
    try:
        for player in rating_lists.read_path(name, findings, uses=rating_lists.EVERY, mapping=mapping):
            count += 1
            rated += bool(player.ratings)
    except EventRejected as rejected:
        findings += rejected.findings
    return _Checked(
        name, "rating-list", f"{count:,} player{'' if count == 1 else 's'}, {rated:,} rated", checks.in_order(findings)
    )


def _summary(event: Event | None) -> str:
    if event is None:
        return "no event could be read"
    players = people(event.sections)
    games = sum(len(section.games) for section in event.sections)
    when = f", {span(event)}" if event.start else ""
    parts = (plural(len(event.sections), "section"), plural(players, "player"), plural(games, "game"))
    return f"{event.name or 'unnamed'}{when}: {', '.join(parts)}"


def _json(checked: _Checked) -> dict[str, Any]:
    return {
        "file": checked.file,
        "format": checked.format,
        "ok": not errors(checked.findings),
        "summary": checked.summary,
        "findings": findings_to_json(checked.findings, checked.event, checked.file),
        **({} if checked.fixes is None else _fixes_json(checked.fixes)),
    }


def _fixes_json(fixes: _Fixes) -> dict[str, Any]:
    fixed = [{"place": one.place, "before": one.before, "after": one.after} for one in fixes.fixed]
    return {"fixed": fixed, "written": fixes.target if fixes.written else ""}


def _print_fixes(fixes: _Fixes) -> None:
    for one in fixes.fixed:
        print(plain(f"  fixed: {one.place}: {one.before} → {one.after}"))
    if fixes.written:
        print(plain(f"  {fixes.target}: written, {plural(len(fixes.fixed), 'fix')}"))
    else:
        print(plain(f"  {fixes.target}: not written. Correct the errors below first: only you know what is right."))


def _print(checked: _Checked) -> None:
    print(plain(f"{checked.file} ({checked.format}): {checked.summary}"))
    if checked.fixes:
        _print_fixes(checked.fixes)
    for line in checked.findings if checked.every else grouped(checked.findings, checked.event):
        print(f"  {finding_line(line, sys.stdout)}")
    print(f"  {counts(checked.findings)}")
    if add := checked.event and to_add(checked.event, DEFAULT):  # no fault of the file: it may be said when it is rated
        print(f"  to be rated it needs {add}")
