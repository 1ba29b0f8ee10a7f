"""Corrections for the record only: the crosstable changes, no rating does, and the choice is kept."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from simulated import OFFICER, data, document

from crosstable.errors import OfficeError
from crosstable.office import players
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import RatingRow, Revision
from crosstable.office.queries import crosstable, history
from crosstable.office.rating import rerating, run
from crosstable.office.reports import accepting, events, submissions

IDS = ["1", "2", "3", "4"]
GAMES = [(1, 1, 2, "1-0"), (1, 3, 4, "1-0"), (2, 1, 3, "1-0"), (2, 2, 4, "1/2-1/2")]


def night(games: list[tuple[int, int, int, str]], day: int = 1) -> dict[str, Any]:
    return document(f"Night {day}", date(2026, 1, day), IDS, games)


@pytest.fixture
def played(office: str) -> str:
    """A club of four with one night: 421, 379 and 421, 379 after round 1, then 442, 379, 400, 379 (all exact)."""
    office_settings.create("Club", {"default": ["st_charles"]}, titles="")
    submissions.submit(OFFICER, data(night(GAMES)), "night.json", "n1")
    accepting.accept(OFFICER, "n1")
    return office


def ratings() -> dict[str, float]:
    rows = RatingRow.objects.filter(section__event__number="n1").values_list("player__number", "post")
    return dict(rows)


def test_no_rating_changes_and_the_choice_is_kept(played: str) -> None:
    before, hash_before = ratings(), run.fingerprint()
    assert before == {"1": 442, "2": 379, "3": 400, "4": 379}
    wrong = [(1, 1, 2, "0-1"), *GAMES[1:]]
    done = accepting.correct(OFFICER, "n1", data(night(wrong)), "night.json", "the sheet was misread", record_only=True)
    assert (done.players, done.sections) == (0, 0)
    assert ratings() == before
    games = events.document("n1").sections[0].games
    assert next((game.result, game.notes.get("rated_as")) for game in games) == ("0-1", "1-0")
    rerating.rerate(OFFICER)
    assert run.fingerprint() == hash_before
    assert Revision.objects.order_by("-number")[0].kind == "recorded"
    entry = AuditEntry.objects.order_by("-seq").filter(action="event.correct")[0]
    assert json.loads(entry.details)["record_only"] == [
        {"section": 1, "round": 1, "white": "1", "black": "2", "recorded": "0-1", "rated_as": "1-0"}
    ]


def test_players_pages_have_the_score_of_the_crosstable(played: str) -> None:
    """Player 1 lost and won (1 point of 2), player 2 won and drew (1.5); the ratings stay as they were computed."""
    wrong = [(1, 1, 2, "0-1"), *GAMES[1:]]
    accepting.correct(OFFICER, "n1", data(night(wrong)), "night.json", "the sheet was misread", record_only=True)
    table = crosstable.crosstable("n1", 1)
    in_table = {row.person.number: row.score for row in table.rows if row.person}
    assert in_table == {"1": 1.0, "2": 1.5, "3": 1.0, "4": 0.5}
    for one, score in in_table.items():
        assert [row["score"] for row in players.history(one)] == [score]
        assert [row.score for row in history.played([players.find(one).id])] == [score]


def test_a_later_correction_of_another_game_leaves_the_choice_alone(played: str) -> None:
    wrong = [(1, 1, 2, "0-1"), *GAMES[1:]]
    accepting.correct(OFFICER, "n1", data(night(wrong)), "night.json", "misread", record_only=True)
    drawn = [*wrong[:3], (2, 2, 4, "1-0")]  # round 2: both at 379, so 2 gains 21
    accepting.correct(OFFICER, "n1", data(night(drawn)), "night.json", "a win, not a draw")
    assert ratings() == {"1": 442, "2": 400, "3": 400, "4": 358}


def test_a_correction_with_a_re_rate_ends_the_choice(played: str) -> None:
    wrong = [(1, 1, 2, "0-1"), *GAMES[1:]]
    accepting.correct(OFFICER, "n1", data(night(wrong)), "night.json", "misread", record_only=True)
    accepting.correct(OFFICER, "n1", data(night([(1, 1, 2, "1/2-1/2"), *GAMES[1:]])), "night.json", "a draw after all")
    # round 1: 400 and 400 draw; 3 wins. Round 2: 400 beats 421 (21/25 rounds to 1: 22); 400 and 379 draw (1)
    assert ratings() == {"1": 422, "2": 399, "3": 399, "4": 380}


def test_only_results_can_be_for_the_record_only(played: str) -> None:
    with pytest.raises(OfficeError, match="changes results of games"):
        accepting.correct(OFFICER, "n1", data(night(GAMES[:3])), "night.json", "one game less", record_only=True)


def test_a_file_cannot_bring_the_choice_along(office: str) -> None:
    office_settings.create("Club", {"default": ["st_charles"]}, titles="")
    made = night(GAMES)
    made["sections"][0]["games"][0]["notes"] = {"rated_as": "0-1"}
    submissions.submit(OFFICER, data(made), "night.json", "n1")
    accepting.accept(OFFICER, "n1")
    assert ratings() == {"1": 442, "2": 379, "3": 400, "4": 379}
