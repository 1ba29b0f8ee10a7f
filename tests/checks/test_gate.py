"""One gate decides what may be rated: the same findings for the command, the library and an event taken out of a
file.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

import crosstable
from crosstable.checks import gate
from crosstable.cli import main
from crosstable.errors import EventRejected
from crosstable.model import Event, ForeignRating, Game, Place, Player, Rated, Rating, Section
from tests.typed_tables import CLASH, GOOD, TYPED


@pytest.fixture
def save(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "table.csv"
        path.write_text(text)
        return path

    return write


def test_a_good_file_is_rated_by_the_library(save) -> None:
    rated = crosstable.rate(crosstable.read(save(GOOD)))
    assert {answer.id for answer in rated.answers} == {"12345678", "12345679"}
    assert crosstable.rate(crosstable.read(save(GOOD)).event) == rated


@pytest.mark.parametrize(("text", "code"), [(CLASH, "result-clash"), (TYPED, "unreadable-rating")])
def test_library_and_command_refuse_the_same(text: str, code: str, save, capsys: pytest.CaptureFixture[str]) -> None:
    path = save(text)
    reading = crosstable.read(path)
    assert reading.draft is not None  # for a desk that corrects it
    refusals = []
    for way in (lambda: crosstable.rate(reading), lambda: crosstable.rate(crosstable.read(path).event)):
        with pytest.raises(EventRejected) as refused:
            way()
        refusals.append([finding.code for finding in refused.value.findings if finding.level == "error"])
    assert refusals == [[code], [code]]
    assert main(["rate", str(path)]) == 1
    assert f"[{code}]" in capsys.readouterr().err


def test_a_wrong_path_is_named() -> None:
    missing = crosstable.read("there/is/none.csv")
    for way in (lambda: missing.event, lambda: crosstable.rate(missing)):
        with pytest.raises(EventRejected, match=r"there/is/none\.csv.*no-file"):
            way()


def event(*, result: str = "1-0", born: date | None = None) -> Event:
    players = tuple(Player(n, f"1234567{n}", birth_date=born, ratings={"OTBR": Rating(1500.0, 30)}) for n in (1, 2))
    day = date(2025, 8, 2)
    section = Section(1, "Open", day, day, players, (Game(1, 1, 2, result),), time_control="G/90;d5")
    return Event("Club night", day, day, (section,))


def test_all_three_sources_come_together() -> None:
    reading = crosstable.formats.Reading(
        "csv", event(result="2-0", born=date(2030, 1, 1)), crosstable.read("none").findings
    )
    verdict = gate.examine(reading)
    assert not verdict.ratable
    assert {finding.code for finding in verdict.errors} == {"no-file", "unknown-result", "born-after-event"}


@pytest.mark.parametrize("name", ["us_chess", "glicko", "elo"])
def test_an_event_of_ones_own_passes_the_same_gate(name: str) -> None:
    assert isinstance(crosstable.rate(event(), name), Rated)
    with pytest.raises(EventRejected, match="unknown-result"):
        crosstable.rate(event(result="2-0"), name)
    with pytest.raises(EventRejected, match="born-after-event"):
        crosstable.rate(event(born=date(2030, 1, 1)), name)


def test_one_thing_is_said_once() -> None:
    """Checks and the system look at the same; the system's words stand."""
    codes = [finding.code for finding in gate.examine(event(born=date(2030, 1, 1))).errors]
    assert codes.count("born-after-event") == 2  # two players


def test_another_systems_event_hears_nothing_of_us_chess_time_controls() -> None:
    """The systems of 1996 and of the club have one pool: a missing or odd time control is none of their business."""
    day = date(1997, 5, 3)
    players = (Player(1, "12345678", "Ann"), Player(2, "12345679", "Bo"))
    for control in (None, "as you like", "G/3", "40/90,SD/30;d5"):
        section = Section(1, "Open", day, day, players, (Game(1, 1, 2, "1-0"),), time_control=control)
        event = Event("Spring Open", day, day, (section,))
        for name in ("uscf_1996", "st_charles"):
            found = {finding.code for finding in gate.examine(event, name).findings}
            assert not {code for code in found if "control" in code}, (name, control)
        assert any("control" in finding.code for finding in gate.examine(event, "us_chess").findings)


@pytest.mark.parametrize(
    ("resident", "day", "words"),
    [
        (True, date(2025, 8, 2), "starts from the CFC rating 1500"),
        (False, date(2025, 8, 2), "does not count"),  # 2025 section 2.2: residents only; without a birth date 750
        (False, date(2024, 8, 3), "starts from the CFC rating 1500"),
    ],
)
def test_a_cfc_rating_is_noticed(resident: bool, day: date, words: str) -> None:
    """2025 section 2.2, footnote 2: directors are asked to alert the ratings department."""
    guest = Player(1, "12345678", "Ann", cfc=ForeignRating(1500), canadian_resident=resident)
    rated = Player(2, "12345679", "Bo", cfc=ForeignRating(1500), ratings={"OTBR": Rating(1500, 40)})
    section = Section(1, "Open", day, day, (guest, rated), (Game(1, 1, 2, "1-0"),), time_control="G/90;+30")
    verdict = gate.examine(Event("Spring Open", day, day, (section,)))
    (found,) = [finding for finding in verdict.findings if finding.code == "cfc-rating"]
    assert (found.place, words in found.message) == (Place(section=1, players=(1,)), True)
