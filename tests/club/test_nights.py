"""A night on the office: results are revisions, ratings move at once, anything can be undone, nothing is doubled."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from crosstable import office
from crosstable.club import attendance, boards, children, clubs, evening, ladder, results, seasons
from crosstable.club.clubs import ClubError
from crosstable.club.games import of_nights
from crosstable.club.models import Act, Board, Presence
from crosstable.office.audit.verify import verify
from crosstable.office.backup import backup, restore
from crosstable.office.ledger.models import Event, Revision
from crosstable.office.people.rights import Actor
from crosstable.office.rating import rerating, run
from tests.club.conftest import MONDAY, Helper

CLUB = clubs.volunteer("Anna")


def test_a_night_is_an_event_and_each_result_a_revision(club: Helper) -> None:
    club.join("Leo", "Nora", "Sam", "Kit")
    night = club.night(MONDAY, "Leo", "Nora", "Sam", "Kit")
    club.play(night, "Leo", "Nora")
    assert club.ratings() == {"Kit": 400, "Leo": 421, "Nora": 379, "Sam": 400}
    club.play(night, "Sam", "Leo")  # 400 beats 421: 21 + 21/25 = 21.84, so 22
    assert club.ratings() == {"Kit": 400, "Leo": 399, "Nora": 379, "Sam": 422}
    assert Event.objects.get().number == night.event
    assert [row.kind for row in Revision.objects.order_by("number")] == ["submitted", "corrected"]
    assert [row.author for row in Revision.objects.all()] == ["club/Anna"] * 2
    stored = b" ".join(bytes(row.document) for row in Revision.objects.all())
    assert b"Leo" not in stored
    assert all(not player.name for player in office.document(night.event).sections[0].players)
    assert verify().ok
    before = run.fingerprint()
    rerating.rerate(CLUB)
    assert run.fingerprint() == before


def test_undo_takes_back_result_pairing_and_attendance(club: Helper) -> None:
    club.join("Leo", "Nora")
    night = club.night(MONDAY, "Leo", "Nora")
    board = boards.pair_free(CLUB, night)[0]
    results.enter(CLUB, board.id, "1-0")
    assert results.undo(CLUB, night) == "the result of board 1, round 1"
    assert set(club.ratings().values()) == {400}
    assert Event.objects.get().status == "withdrawn"
    results.enter(CLUB, board.id, "1-0")  # the same again, after all
    assert sorted(club.ratings().values()) == [379, 421]
    results.undo(CLUB, night)
    assert results.undo(CLUB, night) == "the pairing of round 1"
    assert not Board.objects.exists()
    assert results.undo(CLUB, night) == "Nora: here"
    assert list(evening.load(night).presence.values()) == ["here"]
    results.undo(CLUB, night)
    with pytest.raises(ClubError, match="nothing to undo"):
        results.undo(CLUB, night)


def test_a_tap_counts_once_and_phones_that_disagree_overwrite_nothing(club: Helper) -> None:
    club.join("Leo", "Nora")
    night = club.night(MONDAY, "Leo", "Nora")
    board = boards.pair_free(CLUB, night)[0]
    first = results.enter(CLUB, board.id, "1-0", seen="", key="phone-a-1")
    again = results.enter(CLUB, board.id, "1-0", seen="", key="phone-a-1")
    same = results.enter(CLUB, board.id, "1-0", seen="", key="phone-b-1")
    other = results.enter(CLUB, board.id, "1/2-1/2", seen="", key="phone-b-2")
    assert [one.outcome for one in (first, again, same, other)] == ["taken", "again", "same", "disagree"]
    assert sorted(club.ratings().values()) == [379, 421]
    assert results.disagreements(night)[board.id].data["after"] == "1/2-1/2"
    assert results.enter(CLUB, board.id, "1/2-1/2", seen="1-0").outcome == "taken"  # somebody chose at the board
    assert results.disagreements(night) == {}
    assert set(club.ratings().values()) == {400}
    assert results.enter(CLUB, 999, "1-0").outcome == "gone"


def test_late_gone_sits_out_and_siblings(club: Helper) -> None:
    club.join("Ade", "Ben", "Cem", "Dora", "Eva")
    night = club.night(MONDAY, "Ade", "Ben", "Cem")
    children.keep_apart(children.find("Ade"), children.find("Ben"))
    boards.pair_free(CLUB, night)
    assert Board.objects.filter(black=None).count() == 1  # three are here: one sits out
    attendance.here(CLUB, night, [children.find("Dora"), children.find("Eva")])  # late
    made = boards.pair_free(CLUB, night)
    assert [board.round for board in made] == [1]
    assert not Board.objects.filter(black=None).exists() or len(evening.load(night).free) == 1
    playing = evening.load(night).open
    assert {frozenset((board.white.name, board.black.name)) for board in playing if board.black}.isdisjoint(
        {frozenset(("Ade", "Ben"))}
    )
    gone = playing[0].white
    attendance.set_state(CLUB, night, gone, Presence.GONE)
    assert len(evening.load(night).open) == len(playing) - 1
    results.undo(CLUB, night)  # still here after all: the board is back
    assert len(evening.load(night).open) == len(playing)


def test_free_children_wait_rather_than_meet_again_at_once(club: Helper) -> None:
    clubs.choose(CLUB, mode="free")
    club.join("Ade", "Ben", "Cem", "Dora")
    night = club.night(MONDAY, "Ade", "Ben", "Cem", "Dora")
    first, second = boards.pair_free(CLUB, night)
    results.enter(CLUB, first.id, "1-0")
    with pytest.raises(ClubError, match="just played each other"):
        boards.pair_free(CLUB, night)
    results.enter(CLUB, second.id, "1-0")
    pairs = {frozenset((board.white_id, board.black_id)) for board in boards.pair_free(CLUB, night)}
    assert pairs.isdisjoint({frozenset((board.white_id, board.black_id)) for board in (first, second)})


def test_a_mistake_found_later_is_corrected_for_the_record_or_with_a_re_rate(club: Helper) -> None:
    club.join("Leo", "Nora", "Sam")
    night = club.night(MONDAY, "Leo", "Nora", "Sam")
    board = club.play(night, "Leo", "Nora")
    later = club.night(MONDAY + timedelta(days=7), "Leo", "Nora", "Sam")
    club.play(later, "Leo", "Sam")  # 421 beats 400: 21 - 1
    before = club.ratings()
    assert before == {"Leo": 441, "Nora": 379, "Sam": 380}
    results.correct_later(CLUB, board.id, "1/2-1/2", record_only=True)
    assert club.ratings() == before
    assert of_nights([night])[0].result == "1/2-1/2"
    wanted = results.correct_later(
        CLUB, board.id, "0-1" if board.white.name == "Leo" else "1-0", record_only=False, preview=True
    )
    assert wanted.players == 3
    assert club.ratings() == before
    results.correct_later(CLUB, board.id, "0-1" if board.white.name == "Leo" else "1-0", record_only=False)
    # Nora beat Leo: 421 and 379; then 379 beats 400: 21 + 21/25, so 22
    assert club.ratings() == {"Leo": 401, "Nora": 421, "Sam": 378}


def test_the_ladder_shows_movement_and_marks(club: Helper) -> None:
    club.join("Leo", "Nora", "Sam")
    night = club.night(MONDAY, "Leo", "Nora", "Sam")
    for _ in range(5):
        club.play(night, "Leo", "Nora")
    rungs = {rung.name: rung for rung in ladder.ladder()}
    assert [rung.name for rung in ladder.ladder()] == ["Leo", "Sam", "Nora"]
    assert (rungs["Leo"].mark, rungs["Sam"].mark) == ("still settling", "tentative")
    assert rungs["Sam"].change is None
    assert rungs["Leo"].change == rungs["Leo"].rating - 400
    assert rungs["Leo"].change == -(rungs["Nora"].change or 0)
    card = ladder.card(children.find("Leo"))
    assert (card.wins, card.draws, card.losses, card.played) == (5, 0, 0, 5)
    assert len(card.history) == 5
    assert len(ladder.sparkline(card.history).split()) == 5
    assert {record.title for record in ladder.records()} == {
        "Highest rating",
        "Most games",
        "Longest run of wins",
    }


def test_a_certificate_when_a_child_passes_a_hundred(club: Helper) -> None:
    club.join("Leo", "Nora", "Sam", "Kit", "Ade", "Ben")
    night = club.night(MONDAY, "Leo", "Nora", "Sam", "Kit", "Ade", "Ben")
    for loser in ("Nora", "Sam", "Kit", "Ade", "Ben"):
        club.play(night, "Leo", loser)  # 421, 441, 460, 479, 497: 21, 20, 19, 19, 18 points
    assert club.ratings()["Leo"] == 497
    assert ladder.certificates(night) == []
    club.play(night, "Leo", "Nora")  # 118 points lower: 21 - 5
    given = ladder.certificates(night)
    assert [(one.name, one.hundred, one.rating) for one in given] == [("Leo", 500, 513)]


def test_seasons_carry_ratings_or_begin_anew(club: Helper) -> None:
    club.join("Leo", "Nora")
    club.play(club.night(MONDAY, "Leo", "Nora"), "Leo", "Nora")
    seasons.begin(CLUB, "spring", date(2027, 1, 1), fresh=False)
    assert club.ratings()["Leo"] == 421
    club.play(club.night(date(2027, 1, 4), "Leo", "Nora"), "Leo", "Nora")
    seasons.begin(CLUB, "autumn", date(2027, 9, 1), fresh=True)
    assert club.ratings() == {"Leo": 400, "Nora": 400}
    night = club.night(date(2027, 9, 6), "Leo", "Nora")
    club.play(night, "Nora", "Leo")
    assert club.ratings() == {"Leo": 379, "Nora": 421}
    assert ladder.card(children.find("Nora")).played == 1
    with pytest.raises(ClubError, match="already"):
        seasons.begin(CLUB, "autumn", date(2028, 9, 1), fresh=True)


def test_names_are_first_name_and_initial_at_most_and_can_be_deleted(club: Helper) -> None:
    sam = club.join("Sam Kowalski")[0]
    assert sam.name == "Sam K"
    with pytest.raises(ClubError, match="Sam K already"):
        club.join("sam k")
    club.join("Nora")
    club.play(club.night(MONDAY, "Sam", "Nora"), "Sam K", "Nora")
    children.forget(CLUB, children.find("Sam"))
    assert [rung.name for rung in ladder.ladder()] == ["Nora"]
    assert ladder.card(children.find("Nora")).losses == 1
    assert children.find(sam.number).name == ""
    for row in Act.objects.all():
        assert "Sam" not in str(row.data)


def test_the_pin_is_hashed_and_guesses_are_limited(club: Helper) -> None:
    assert "1234" not in clubs.club().pin
    assert clubs.check_pin("1234", "phone")
    for _ in range(5):
        assert not clubs.check_pin("9999", "phone")
    with pytest.raises(clubs.TooManyFailuresError):
        clubs.check_pin("1234", "phone")
    assert clubs.check_pin("1234", "another phone")
    with pytest.raises(ClubError, match="digits"):
        clubs.set_pin(CLUB, "12")


@pytest.mark.parametrize(("system", "winner"), [("cxr", 421), ("harkness", 416), ("elo", None), ("glicko2", None)])
def test_other_systems(database: str, system: str, winner: float | None) -> None:
    clubs.create("Riverside", system, pin="1234", day=MONDAY)
    club = Helper()
    club.join("Leo", "Nora")
    start = club.ratings()["Leo"]
    club.play(club.night(MONDAY, "Leo", "Nora"), "Leo", "Nora")
    after = club.ratings()
    assert after["Leo"] > start > after["Nora"]
    if winner is not None:
        assert after["Leo"] == winner
    assert ladder.ladder()[0].mark == "tentative"
    game = of_nights([evening.latest()])[0]
    assert "beat" in str(game.sentence("Leo", "Nora", clubs.system()))


def test_own_numbers_from_the_beginning(database: str) -> None:
    clubs.create("Riverside", pin="1234", numbers={"at_risk": 10, "start": 1000}, day=MONDAY)
    club = Helper()
    club.join("Leo", "Nora")
    club.play(club.night(MONDAY, "Leo", "Nora"), "Leo", "Nora")
    assert club.ratings() == {"Leo": 1010, "Nora": 990}


def test_backup_and_restore_hold_the_night(club: Helper, migrated: object, tmp_path: object) -> None:
    import shutil
    from pathlib import Path

    assert isinstance(tmp_path, Path)
    assert isinstance(migrated, Path)
    club.join("Leo", "Nora", "Sam")
    night = club.night(MONDAY, "Leo", "Nora", "Sam")
    club.play(night, "Leo", "Nora")
    boards.pair_free(CLUB, night)
    chief = Actor.installation()
    backup(chief, tmp_path / "club.zip")
    copy = tmp_path / "copy.db"
    shutil.copy(migrated, copy)
    office.setup(f"sqlite:///{copy}")
    restore(chief, tmp_path / "club.zip")
    assert club.ratings() == {"Leo": 421, "Nora": 379, "Sam": 400}
    assert len(evening.load(evening.latest() or night).open) == 1
