"""A bye counts in the score, never in a rating: an office's crosstable says of it what `rate` says."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from simulated import OFFICER, Document, data, document

from crosstable.cli import main
from crosstable.model import Game, Player, Section
from crosstable.office.ledger.models import RatingRow
from crosstable.office.queries.crosstable import crosstable
from crosstable.office.queries.event import event
from crosstable.office.reports import accepting, submissions
from crosstable.office.reports.crosstable_cells import by_number
from crosstable.office.requests import corrections, lifecycle
from crosstable.words.differences import difference

THREE = ["30000001", "30000002", "30000003"]
#: Everybody drew with everybody: one point each from games
DRAWS = [(1, 1, 2, "1/2-1/2"), (2, 1, 3, "1/2-1/2"), (3, 2, 3, "1/2-1/2")]


def with_byes(byes: dict[str, dict[str, str]]) -> Document:
    facts = {
        one: {"ratings": {"OTBR": {"rating": 1500.0 + 100 * place, "games": 40}}, "notes": {"byes": byes.get(one, {})}}
        for place, one in enumerate(THREE)
    }
    return document("Quad of Three", date(2025, 8, 2), THREE, DRAWS, control="G/120;d5", facts=facts)


BYES = with_byes({THREE[1]: {"2": "half"}, THREE[2]: {"1": "pairing"}})


def accepted(content: Document) -> str:
    number = submissions.submit(OFFICER, data(content), "event.json").event
    accepting.accept(OFFICER, number)
    return number


def posts(number: str) -> list[float]:
    rows = RatingRow.objects.filter(section__event__number=number)
    return list(rows.order_by("number").values_list("post", flat=True))


def test_byes_count_in_the_score_and_show_in_their_round(ready: str) -> None:
    page = crosstable(accepted(BYES), 1)
    # games 1 + a bye of 1; games 1 + a bye of ½; games alone. Without byes all three would have 1, in order of number
    assert [(row.number, row.score) for row in page.rows] == [(3, 2.0), (2, 1.5), (1, 1.0)]
    assert [[f"{cell.letter}{cell.opponent or ''}" for cell in row.cells] for row in page.rows] == [
        ["B", "D1", "D2"],
        ["D1", "H", "D3"],
        ["D2", "D3", ""],
    ]
    assert page.rows[1].cells[1].words == "half-point bye, not rated"


def test_who_won_is_who_has_the_most_points(ready: str) -> None:
    (section,) = event(accepted(BYES)).sections
    # two draws and a bye: 2 of 3 rounds
    assert [(one.number, one.score, one.rounds) for one in section.winners] == [(3, 2.0, 3)]


def test_a_bye_moves_no_rating(ready: str) -> None:
    first = accepted(BYES)
    byes = posts(first)
    accepting.withdraw(OFFICER, first, "once more without byes")
    assert byes == posts(accepted({**with_byes({}), "name": "Without Byes"}))


def test_the_office_prints_the_totals_and_cells_of_rate(
    ready: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "event.json"
    path.write_bytes(data(BYES))
    number = accepted(BYES)
    assert main(["rate", str(path)]) == 0
    rated = capsys.readouterr().out
    assert main(["office", "--db", ready, "event", number]) == 0
    shown = capsys.readouterr().out
    in_rate = next(line.split() for line in rated.splitlines() if f"Player {THREE[2]}" in line)
    in_office = next(line.split() for line in shown.splitlines() if f"Player {THREE[2]}" in line)
    assert in_rate[3:9] == ["B", "D", "1", "D", "2", "2.0"]
    assert (in_office[3], in_office[-3:]) == ("2", ["B", "D1", "D2"])


def test_a_forfeit_without_colours_has_one_winner() -> None:
    players = tuple(Player(number=place, id=one) for place, one in enumerate(THREE[:2], 1))
    day, games = date(2025, 8, 2), (Game(1, 1, 2, "-/+"),)
    section = Section(1, "Open", day, day, players=players, games=games, colors=False)
    assert {number: (cells[0].letter, score) for number, (cells, score) in by_number(section, 1).items()} == {
        1: ("F", 0.0),
        2: ("X", 1.0),
    }


def test_a_correction_that_only_changes_a_bye_is_one(ready: str) -> None:
    """Nobody's rating moves; the score does, by the half point of the bye."""
    number = accepted(with_byes({}))
    asked = corrections.ask(OFFICER, number, data(BYES), "event.json", "two byes are missing")
    preview = corrections.preview(OFFICER, asked.id)
    assert [(one.where, one.entry, one.was, one.now) for one in map(difference, preview.differences)] == [
        ("Round 2", f"Player {THREE[1]}", "", "half-point bye"),
        ("Round 1", f"Player {THREE[2]}", "", "full-point bye"),
    ]
    assert preview.ratings.players == 0
    lifecycle.decide(OFFICER, corrections.CORRECTION, asked.id, granted=True)
    assert {row.number: row.score for row in crosstable(number, 1).rows} == {3: 2.0, 2: 1.5, 1: 1.0}


def test_the_same_games_with_other_byes_are_said_to_be_so(ready: str) -> None:
    number = accepted(with_byes({}))
    again = submissions.submit(OFFICER, data(BYES), "event.json")
    assert (again.outcome, again.event) == (submissions.SAME, number)
    assert f"the same games with other byes: `office correct {number}`" in again.message
    assert "byes" not in submissions.submit(OFFICER, data(with_byes({})), "event.json").message
