"""One rule for exit statuses, for options of one name, for dates, and for whoever waits at a terminal."""

from __future__ import annotations

import argparse
import os
import pty
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from crosstable.cli import VERBS, demo, full_parser, main
from crosstable.cli.progress import progress_bar

EVENT = "examples/riverside-open.json"
DOCS = Path("docs/commands.md").read_text(encoding="utf-8")

#: Of each verb: something that can be done, a wrong input, a wrong command. None where a verb has no such case.
EXITS: dict[str, tuple[str | None, str | None, str | None]] = {
    "rate": (f"rate {EVENT}", "rate nowhere.json", f"rate {EVENT} --assume-games few"),
    "check": (f"check {EVENT}", "check nowhere.json", "check"),
    "convert": (f"convert {EVENT} - --to csv", "convert nowhere.json out.csv", f"convert {EVENT} out.doc"),
    "estimate": (
        "estimate --rating 1500 --opponents 1500 --score 1",
        None,
        "estimate --rating 1500 --opponents 1500 --score 3",
    ),
    "rules": ("rules --on 8/2/2025", "rules --on 1999-01-01", "rules --on someday"),
    "systems": ("systems", None, "systems --nonsense"),
    "office": (None, "office --db sqlite:///nowhere.db lists", "office --db sqlite:///nowhere.db nonsense"),
    "titles": ("titles chance --p 0.5 --events 10", "titles norms nowhere.json", "titles chance"),
    "convert-rating": ("convert-rating --from fide --rating 1900", "convert-rating fit nowhere.csv", "convert-rating"),
    "club": ("club score 500 600 win", "club ladder --db sqlite:///nowhere.db", "club score 500 600 maybe"),
    "serve": (None, None, "serve --port many"),
    "worker": (None, None, "worker --nonsense"),
    "demo": (None, None, "demo --port many"),
    "lab": (None, "lab verify nowhere", "lab verify"),
    "completion": ("completion bash", None, "completion fish-and-chips"),
}
CASES = [
    (words, status) for row in EXITS.values() for status, words in enumerate(row) if words is not None
]  # 0 done, 1 the input is wrong, 2 the command is wrong


@pytest.mark.parametrize(("words", "status"), CASES, ids=[words for words, _ in CASES])
def test_exit_statuses(words: str, status: int, tmp_path: Path, monkeypatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    root = Path(__file__).parents[2]
    try:
        found = main([str(root / word) if word == EVENT else word for word in words.split()])
    except SystemExit as stopped:  # argparse's way
        found = int(stopped.code or 0)
    said = capfd.readouterr()
    assert found == status, said.err
    assert (said.err + said.out).strip()
    assert "Traceback" not in said.err
    assert not list(tmp_path.iterdir())  # what is refused leaves nothing behind


def test_every_verb_has_its_exit_statuses() -> None:
    assert set(EXITS) == set(VERBS)


def options(parser: argparse.ArgumentParser, path: str = "") -> Iterator[tuple[str, argparse.Action]]:
    """Every option and argument of every verb, with the verb."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, one in action.choices.items():
                yield from options(one, f"{path} {name}".strip())
        else:
            yield path, action


@pytest.fixture(scope="module")
def parser() -> argparse.ArgumentParser:
    return full_parser()


@pytest.fixture(scope="module")
def every(parser: argparse.ArgumentParser) -> list[tuple[str, argparse.Action]]:
    return list(options(parser))


def test_every_argument_says_what_it_is(every: list[tuple[str, argparse.Action]]) -> None:
    assert [f"{verb} {action.dest}" for verb, action in every if not action.help] == []


def days_of(action: argparse.Action, text: str) -> Any:
    """The day that an option makes of a text."""
    assert callable(action.type)
    value = action.type(f"1={text}" if "=" in str(action.metavar) else text)
    while isinstance(value, tuple | list):
        value = value[-1]
    return value


def test_dates_are_typed_as_people_do_everywhere(every: list[tuple[str, argparse.Action]]) -> None:
    """Whatever is called --on, --date, --since, --until, --born or shows DATE takes the same texts and says what
    it is.
    """
    dated = [
        (verb, action)
        for verb, action in every
        if {"--on", "--date", "--since", "--until", "--born"} & set(action.option_strings) or action.metavar == "DATE"
    ]
    assert len(dated) > 30
    for verb, action in dated:
        where = f"{verb} {action.option_strings or action.dest}"
        assert "DATE" in str(action.metavar), where
        assert action.help or not action.option_strings, where
        for text in ("2025-08-02", "8/2/2025", "Aug 2 2025", "August 2, 2025", "2.8.2025", "20250802"):
            assert days_of(action, text) == date(2025, 8, 2), where
        with pytest.raises(argparse.ArgumentTypeError, match="not a date"):
            days_of(action, "someday")


@pytest.mark.parametrize("option", ["--on", "--date", "--since", "--until", "--born", "--json", "--pool", "--reason"])
def test_an_option_of_one_name_is_of_one_kind(every: list[tuple[str, argparse.Action]], option: str) -> None:
    """A flag everywhere or a value everywhere, and what it means stands in the table of docs/commands.md."""
    found = [action for _, action in every if option in action.option_strings]
    assert found
    assert len({action.nargs == 0 for action in found}) == 1
    assert len({getattr(action.type, "__name__", "") for action in found} - {"days", "day", "_born"}) <= 1
    assert f"| `{option}" in DOCS


class Terminal:
    """The standard error of somebody who sits at a terminal."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ours, theirs = pty.openpty()
        self.stream = os.fdopen(theirs, "w", encoding="utf-8")
        monkeypatch.setattr("sys.stderr", self.stream)

    def read(self) -> str:
        """Waits until something is there."""
        return os.read(self.ours, 4096).decode()


def test_whoever_waits_sees_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal(monkeypatch)
    with progress_bar("games rated", first=0.001) as report:
        assert "games rated, 0 s …" in terminal.read()  # before anything is known
        assert report is not None
        report(1000, 25_000)
        seen = terminal.read()
        while "1,000 of 25,000 games rated" not in seen:
            seen = terminal.read()
    assert terminal.read().endswith("\r\x1b[K")  # the line is gone


def test_nothing_is_shown_to_a_pipe_or_beside_json(monkeypatch: pytest.MonkeyPatch) -> None:
    with progress_bar("games") as report:
        assert report is None
    Terminal(monkeypatch)
    with progress_bar("games", quiet=True) as report:
        assert report is None


def test_what_takes_long_reports(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`office import`, `office example`, `office rerate` and `demo` hand the line to what works."""
    from crosstable import office
    from crosstable.cli import office_ledger, office_people
    from crosstable.office.example import desks, load
    from crosstable.office.people import users
    from crosstable.office.storage import settings
    from crosstable.web import settings as web

    class Enough(Exception):
        pass

    def works(*_: Any, progress: Any = None, today: Any = None) -> None:
        assert callable(progress)
        raise Enough

    Terminal(monkeypatch)
    monkeypatch.setattr(office, "import_history", lambda _, __, report: works(progress=report))
    monkeypatch.setattr(office, "rerate", lambda *_, progress, **__: works(progress=progress))
    monkeypatch.setattr(load, "load", works)
    monkeypatch.setattr(desks, "make", lambda _, report: works(progress=report))
    monkeypatch.setattr(demo.shutil, "copy", lambda *_: None)
    monkeypatch.setattr(office_ledger, "acting", lambda *_: None)
    for module, name in ((settings, "migrate"), (settings, "setup"), (users, "set_password")):
        monkeypatch.setattr(module, name, lambda *_, **__: None)
    monkeypatch.setattr(web, "configure", lambda *_, **__: None)
    args = SimpleNamespace(json=False, folder="x", reason="", preview=True)
    for act in (office_ledger.import_history, office_ledger.rerate, office_people.example):
        with pytest.raises(Enough):
            act(args)
    with pytest.raises(Enough):
        demo._make(tmp_path / "demo.db", SimpleNamespace)


#: What may take longer than a second in a large office, and the function that does the work
LONG = {
    "office review": "crosstable.office.review",
    "office accept 1": "crosstable.office.accept",
    "office accept 1 2": "crosstable.office.accept_many",
    "office correct 1 examples/riverside-open.json": "crosstable.office.correct",
    "office corrections 1": "crosstable.office.requests.corrections.preview",
    "office corrections 1 --grant": "crosstable.office.requests.registry.decide",
    "office withdraw 1": "crosstable.office.withdraw",
    "office fide examples/riverside-open.json --list 2025-08-01": "crosstable.office.import_fide_batch",
    "office publish 2025-08-01": "crosstable.office.requests.list_publication.propose",
    "office publish 2025-08-01 --preview": "crosstable.office.lists.publish.preview",
    "office approve 1": "crosstable.office.requests.registry.approve",
    "office export nowhere": "crosstable.office.history.exporting.export_history",
    "office backup nowhere": "crosstable.office.backup.backup",
    "office restore nowhere": "crosstable.office.backup.restore",
    "office audit verify": "crosstable.office.backup.proof.verify_all",
    "office players import examples/riverside-open.json": "crosstable.office.players.import_list",
    "office players merge 1 2": "crosstable.office.players.merge",
    "office players unmerge 1": "crosstable.office.players.unmerge",
    "office players change 1 --adult": "crosstable.office.players.change",
    "office players join 1 --since 2025-08-01": "crosstable.office.players.join",
    "office adjust 1 OTBR --on 2025-08-01 --rating 1500 --preview": "crosstable.office.requests.adjustments.preview",
    "office revoke 1 --preview": "crosstable.office.requests.adjustments.preview_revoking",
    "office floors --grant 1": "crosstable.office.requests.registry.decide",
    "office floors --prize 1 2 3 1800 100": "crosstable.office.requests.prize_floors.prize_floor",
}


@pytest.mark.parametrize("words", LONG)
def test_the_line_is_there_while_the_office_works(
    words: str, parser: argparse.ArgumentParser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The work begins while the line may show, and what is printed comes after the line is gone."""
    shown: list[str] = []

    @contextmanager
    def line(what: str, *, quiet: bool = False) -> Iterator[None]:
        assert not quiet
        shown.append(what)
        yield None

    class Enough(Exception):
        pass

    def works(*_: Any, **__: Any) -> None:
        raise Enough

    args = parser.parse_args(words.split())
    module = args.call.__module__
    monkeypatch.setattr(f"{module}.progress_bar", line)
    monkeypatch.setattr(f"{module}.acting", lambda *_: None)
    monkeypatch.setattr("crosstable.office.lists.publish.prison_rules", lambda: False)
    monkeypatch.setattr("crosstable.office.storage.settings.migrated_or_as_found", nullcontext)
    monkeypatch.setattr(LONG[words], works)
    with pytest.raises(Enough):
        args.call(args)
    assert len(shown) == 1


#: Of the lab's verbs: the module that shows the line, and the function that takes long
LONG_IN_THE_LAB = {
    "lab backtest nowhere": ("lab_backtest", "crosstable.lab.source.read_source"),
    "lab reform nowhere no-bonus": ("lab_reform", "crosstable.lab.source.read_source"),
    "lab simulate": ("lab_simulate", "crosstable.lab.tracking.track"),
    "lab tune nowhere --system elo --from 2012-01-01 --to 2012-12-31": ("lab_tune", "crosstable.lab.tune.tune"),
    "lab verify nowhere": ("verification", "crosstable.cli.verification.verify"),
    "lab floors nowhere": ("lab", "crosstable.lab.floors.on_floors"),
    "lab drift nowhere": ("lab", "crosstable.lab.drift.drift"),
    "lab drift-by-age nowhere": ("lab", "crosstable.lab.source.read_source"),
    "lab norms nowhere": ("lab", "crosstable.lab.norms_record.norm_agreement"),
    "lab title-chance": ("lab", "crosstable.lab.title_chance.normal_model"),
}


@pytest.mark.parametrize("words", LONG_IN_THE_LAB)
@pytest.mark.parametrize("json", [False, True])
def test_the_line_is_there_while_the_lab_works(
    words: str, json: bool, parser: argparse.ArgumentParser, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, function = LONG_IN_THE_LAB[words]
    shown: list[bool] = []

    @contextmanager
    def line(_: str, *, quiet: bool = False) -> Iterator[None]:
        shown.append(not quiet)
        yield None
        shown.pop()

    class Enough(Exception):
        pass

    def works(*_: Any, **__: Any) -> None:
        raise Enough

    args = parser.parse_args([*words.split(), *(["--json"] if json else [])])
    monkeypatch.setattr(f"crosstable.cli.{module}.progress_bar", line)
    monkeypatch.setattr(function, works)
    with pytest.raises(Enough):
        args.action_run(args)
    assert shown == [not json]


def test_the_line_says_the_best_so_far_and_never_wraps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 40: one place stays free, and the time is always there."""
    monkeypatch.setenv("COLUMNS", "40")
    terminal = Terminal(monkeypatch)
    with progress_bar("trials", first=0.001) as report:
        assert report is not None
        report(3, 32, f", best 0.25000: {'c 12.34, ' * 9}")
        seen = terminal.read()
        while "3 of 32 trials, best 0.25000: " not in seen:
            seen = terminal.read()
    last = seen.rsplit("\x1b[K", 1)[-1]
    assert last.endswith(" s …")
    assert len(last) == 39
