"""Every file in the folder of samples gives what its EXPECTED.md says."""

from __future__ import annotations

from pathlib import Path

import pytest

from crosstable import checks, formats
from crosstable.formats import Reading
from crosstable.model import Finding, Level
from crosstable.systems import system
from crosstable.words.places import place_text

pytestmark = pytest.mark.shared

READ = [
    "burstein_late_entries.trf",
    "burstein_late_entries_black.trf",
    "dubov_bye_for_high_tpn.trf",
    "dutch_2025_C5.input",
    "dutch_2025_C9.input",
    "dutch_e2_both_absolute_higher_favored.trf",
    "dutch_e2_both_absolute_lower_favored.trf",
    "no_legal_pairings.trf",
    "no_legal_pairings_odd.trf",
    "issue_7.input",
    "issue_15.input",
]


def checked(path: Path) -> tuple[Reading, list[Finding]]:
    reading = formats.read_path(path)
    assert reading.draft is not None
    return reading, [*reading.findings, *checks.check(reading.draft)]


def codes(findings: list[Finding], level: Level) -> set[str]:
    return {finding.code for finding in findings if finding.level is level}


@pytest.mark.parametrize("name", READ)
def test_read_without_error(shared: Path, name: str) -> None:
    reading, findings = checked(shared / "samples" / "trf" / name)
    assert not codes(findings, Level.ERROR)
    assert reading.draft is not None
    assert reading.draft.sections[0].games
    assert "missing-date" in codes(findings, Level.WARNING)  # named as missing, not invented
    assert reading.draft.start is None


@pytest.mark.parametrize(
    ("name", "players", "games", "forfeits"), [("issue_7.input", 60, 420, 25), ("issue_15.input", 180, 990, 86)]
)
def test_bare_cr_line_ends_and_forfeits(shared: Path, name: str, players: int, games: int, forfeits: int) -> None:
    """Counted with grep: lines that begin with 001, and half of the cells with an opponent (with + or -: forfeits)."""
    reading, _ = checked(shared / "samples" / "trf" / name)
    assert reading.draft is not None
    (section,) = reading.draft.sections
    assert (len(section.players), len(section.games)) == (players, games)
    assert sum(not game.played for game in section.games) == forfeits


@pytest.mark.parametrize(("name", "players"), [("comments.trf", 7), ("dutch_d2_criterion_d.trf", 12)])
def test_players_without_games(shared: Path, name: str, players: int) -> None:
    reading, findings = checked(shared / "samples" / "trf" / name)
    assert reading.draft is not None
    assert len(reading.draft.sections[0].players) == players
    assert not reading.draft.sections[0].games
    assert not codes(findings, Level.ERROR)


@pytest.mark.parametrize("name", ["javafo_example.trf", "missing_starting_number.trf"])
def test_a_gap_in_the_starting_numbers_is_a_warning(shared: Path, name: str) -> None:
    _, findings = checked(shared / "samples" / "trf" / name)
    assert "number-gap" in codes(findings, Level.WARNING)
    assert not codes(findings, Level.ERROR)


def test_lines_of_pairing_programs_are_kept(shared: Path) -> None:
    reading, _ = checked(shared / "samples" / "trf" / "javafo_example.trf")
    assert reading.draft is not None
    assert {line[:3] for line in reading.draft.notes["trf"]} == {"XXC", "XXR", "XXS", "XXZ", "013"}


def test_incorrect_points(shared: Path) -> None:
    _, findings = checked(shared / "samples" / "trf" / "incorrect_points.trf")
    (wrong,) = [finding for finding in findings if finding.code == "total-differs"]
    assert wrong.level is Level.WARNING
    assert "player 2" in place_text(wrong.place)
    assert not codes(findings, Level.ERROR)


@pytest.mark.parametrize(
    ("name", "code"), [("incompatible_color.trf", "color-clash"), ("incompatible_result.trf", "result-clash")]
)
def test_the_two_sides_of_a_game_disagree(shared: Path, name: str, code: str) -> None:
    _, findings = checked(shared / "samples" / "trf" / name)
    assert code in codes(findings, Level.ERROR)


@pytest.mark.parametrize(("name", "player", "round_"), [("too_many_results.trf", 2, 6), ("missing_result.trf", 3, 5)])
def test_more_or_fewer_cells_than_the_others(shared: Path, name: str, player: int, round_: int) -> None:
    _, findings = checked(shared / "samples" / "trf" / name)
    assert any(
        f.code == "uneven-rounds" and f"player {player}, round {round_}" in place_text(f.place) for f in findings
    )


def test_invalid_code_names_the_line(shared: Path) -> None:
    _, findings = checked(shared / "samples" / "trf" / "invalid_code.trf")
    (error,) = [finding for finding in findings if finding.level is Level.ERROR]
    assert (error.code, place_text(error.place)) == ("invalid-line-code", "line 7")


def texts(shared: Path) -> list[Path]:
    return sorted((shared / "samples" / "crosstable-text").glob("*.txt"))


def test_all_twelve_text_crosstables_are_read(shared: Path) -> None:
    assert len(texts(shared)) == 12
    for path in texts(shared):
        reading, findings = checked(path)
        assert reading.format == "text-crosstable"
        assert not codes(findings, Level.ERROR), path.name
        assert not codes(findings, Level.WARNING) & {"total-differs", "uneven-rounds", "number-gap"}, path.name
        assert {"missing-date", "missing-time-control"} <= codes(findings, Level.WARNING)


def test_unrated_players_are_named(shared: Path) -> None:
    for path in texts(shared):
        lines = path.read_text().splitlines()
        unrated = sum("Unrated->" in line for line in lines)
        _, findings = checked(path)
        named = [finding.message for finding in findings if finding.code == "missing-rating"]
        assert sum(1 + message.count(" and ") for message in named) == unrated, path.name  # one for each player
        assert (unrated == 0) == ("allrated" in path.name)


CONTROLS = {"R": "G/90;d5", "Q": "G/15;d3", "B": "G/5;d0", "D": "G/45;d5"}


def test_the_allrated_ones_can_be_rated_with_assumed_games(shared: Path) -> None:
    from datetime import date

    for path in texts(shared):
        if "allrated" not in path.name:
            continue
        reading = formats.read_path(path, formats.Given(date(2013, 6, 1), time_control=CONTROLS[path.name[0]]))
        assert reading.draft is not None
        rated = system("us_chess").rate(formats.assume_games(reading.draft, 26))
        players = len(reading.draft.sections[0].players)
        assert len(rated.answers) == players * (2 if path.name[0] == "D" else 1)
