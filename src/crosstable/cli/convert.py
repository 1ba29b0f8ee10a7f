"""`crosstable convert IN OUT`: any format that we read to any that we write. Says what the new file cannot hold."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

from crosstable import formats
from crosstable.cli.given import add_given, mapping_of, read_given
from crosstable.cli.output import print_findings
from crosstable.errors import EventRejected
from crosstable.formats import rating_lists
from crosstable.formats.base import Loss
from crosstable.formats.file_ratings import established_games
from crosstable.formats.given import who
from crosstable.model import Event, Finding, errors
from crosstable.words.findings import plural


def configure(parser: argparse.ArgumentParser) -> None:
    writable = [entry.name for entry in formats.registry.each() if entry.writes]
    parser.add_argument(
        "source", metavar="IN", help="a file in any format, a folder with a US Chess report, or - for standard input"
    )
    parser.add_argument(
        "target",
        metavar="OUT",
        help="the new file; its suffix chooses the format, a name without one is a folder for a report; - is stdout",
    )
    parser.add_argument("--to", choices=[*writable, "dbf"], help="the format, regardless of the new file's name")
    parser.add_argument("--section", type=int, help="the section, for formats that hold only one")
    parser.add_argument("--mapping", metavar="FILE", help="TOML: what the columns and codes of a member list mean")
    add_given(parser)


def run(args: argparse.Namespace) -> int:
    source, target = Path(args.source), Path(args.target)
    if target.exists() and source.exists() and target.samefile(source):
        print(f"crosstable: {target} is the file to convert; choose another name for the result", file=sys.stderr)
        return 2
    mapping = mapping_of(args)
    if source.is_file() and rating_lists.is_list(source, mapping):
        return _convert_list(source, target, args.to or target.suffix.lstrip(".").lower(), mapping)
    wanted = args.to or format_of(target)
    if wanted is None or (args.target == "-" and not args.to):
        print(f"crosstable: {target.suffix or '-'} does not name a format; choose one with --to", file=sys.stderr)
        return 2
    reading = read_given(source, args)
    if not reading.ok:
        print_findings(reading.findings, args.source, reading.draft)
        return 1
    try:
        losses = store(target, reading.event, wanted, args.section)
    except EventRejected as rejected:
        print_findings((*reading.findings, *rejected.findings), args.source)
        return 1
    except OSError as error:
        print(f"crosstable: {target} cannot be written: {error.strerror}", file=sys.stderr)
        return 1
    print_findings(reading.findings, args.source, reading.draft)
    _say_missing(reading.event, wanted)
    _say_provisional(reading.event, losses, target)
    if losses:
        print(
            f"{wanted} cannot hold the following, so {target} lacks it: {', '.join(map(_loss_words, losses))}",
            file=sys.stderr,
        )
    return 0


#: Fields whose own names say little to anyone who reads the file
_FIELDS = {
    "published": "published ratings",
    "pools": "the pools that the page shows",
    "trf": "further lines of the report",
    "fide": "FIDE ratings",
    "cfc": "CFC ratings",
    "rank": "final places",
}


def _loss_words(loss: Loss) -> str:
    """`player.ratings.OTBR.games (3)` as `games of 3 players' OTBR ratings`."""
    (kind, *rest), count = loss.path, loss.times
    whose = kind if kind == "event" else plural(count, kind)
    if not rest:
        return whose
    if rest[0] == "ratings":
        rating = f"{rest[1]} rating" + ("" if count == 1 else "s")
        return (
            f"{rest[2].replace('_', ' ')} of {whose}'{'s' if count == 1 else ''} {rating}"
            if len(rest) > 2
            else f"{rating} of {whose}"
        )
    field = _FIELDS.get(rest[-1], rest[-1].replace("_", " "))
    return f"{field} of {'the event' if kind == 'event' else whose}"


def _say_provisional(event: Event, losses: Sequence[Loss], target: Path) -> None:
    """Whose ratings lose their P: read again, they would look established."""
    if not any(loss.path[:2] == ("player", "ratings") and loss.path[-1] == "games" for loss in losses):
        return
    players = [player for section in event.sections for player in section.players]
    marked = [
        player
        for player in players
        if any(rating.games is not None and rating.games < established_games() for rating in player.ratings.values())
    ]
    if marked:
        words = plural(len(marked), "provisional rating")
        print(
            f"{target} does not say that {words} {'is' if len(marked) == 1 else 'are'} so: {who(marked)}",
            file=sys.stderr,
        )


def format_of(target: Path) -> str | None:
    """Return the format by the new file's suffix; a name without one is a folder for a report."""
    suffixes = {suffix: entry.name for entry in formats.registry.each() if entry.writes for suffix in entry.suffixes}
    return suffixes.get(target.suffix.lower()) if target.suffix else "us-chess-report"


def _say_missing(event: Event, wanted: str) -> None:
    """Print what the new file should hold and the event does not, with the option that gives it."""
    missing = _required(event) if wanted == "us-chess-report" else []
    if wanted == "event-json" and (event.start is None or event.end is None):
        missing = ["dates (--date, or `start` and `end` in the document)"]
    if missing:
        whose = "US Chess asks for" if wanted == "us-chess-report" else "the event has no"
        print(f"{whose} {', '.join(missing)}: not in the file", file=sys.stderr)


def _required(event: Event) -> list[str]:
    """Return the fields of a rating report that US Chess does not take empty."""
    wanted = {
        "a name (--name)": event.name,
        "dates (--date)": event.start and event.end,
        "a city (--city)": event.city,
        "a state (--state)": event.state,
        "an affiliate (--affiliate)": event.affiliate,
        "a chief TD (--chief-td)": event.chief_td,
        "a time control (--time-control)": all(section.time_control for section in event.sections),
    }
    missing = [words for words, there in wanted.items() if not there]
    unknown = sum(not player.id for section in event.sections for player in section.players)
    return [*missing, f"the ids of {plural(unknown, 'player')}"] if unknown else missing


def store(target: Path, event: Event, wanted: str, section: int | None = None) -> tuple[Loss, ...]:
    """Write an event to a file, or to a folder for a report. Return what the format cannot hold."""
    if wanted == "us-chess-report" and not target.suffix and str(target) != "-":
        return _write_folder(event, target)
    written = formats.write(event, wanted, section)
    _store(target, lambda out: _put(out, written.data))
    return written.losses


def _put(out: BinaryIO, data: bytes) -> None:
    out.write(data)


def _write_folder(event: Event, folder: Path) -> tuple[Loss, ...]:
    from crosstable.formats import us_chess_report_writing

    files, losses = us_chess_report_writing.write_files(event)
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return losses


def _store(target: Path, write: Callable[[BinaryIO], None]) -> None:
    """All or nothing: a file that could not be finished never takes the place of an old one."""
    if str(target) == "-":
        write(sys.stdout.buffer)
        return
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as out:
            write(out)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def _convert_list(source: Path, target: Path, wanted: str, mapping: rating_lists.ListMapping) -> int:
    from crosstable.formats.rating_lists import writing

    name = {"event-json": "json"}.get(wanted, wanted)
    if name not in writing.FORMATS:
        print(f"crosstable: a rating list is written as {', '.join(writing.FORMATS)}", file=sys.stderr)
        return 2
    findings: list[Finding] = []
    losses: list[str] = []
    try:
        players = rating_lists.read_path(source, findings, uses=rating_lists.EVERY, mapping=mapping)
        _store(target, lambda out: losses.extend(writing.write(players, name, out)))
    except EventRejected as rejected:
        findings += rejected.findings
    except OSError as error:
        print(f"crosstable: {target} cannot be written: {error.strerror}", file=sys.stderr)
        return 1
    print_findings(tuple(findings), str(source))
    if losses:
        print(f"{name} cannot hold the following, so {target} lacks it: {', '.join(losses)}", file=sys.stderr)
    return 1 if errors(findings) else 0
