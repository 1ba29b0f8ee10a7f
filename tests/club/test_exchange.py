"""CSV in and out, and games sent on to a federation's office."""

from __future__ import annotations

import json
from datetime import date

import pytest

from crosstable.club import children, clubs, evening, exchange
from crosstable.club.clubs import ClubError
from crosstable.club.games import of_season
from crosstable.formats import event_json, read
from tests.club.conftest import MONDAY, Helper

CLUB = clubs.volunteer()
GAMES = b"""date,white,black,result
2026-09-07,Leo,Nora,1-0
2026-09-07,Sam Kowalski,Leo,1-0
2026-09-14,Nora,Sam K,draw
"""


def test_paper_nights_come_in_and_go_out_again(club: Helper) -> None:
    done = exchange.import_csv(CLUB, GAMES)
    assert (done.children, done.games) == (3, 3)
    # 421 and 379; 400 beats 421: 22; 379 draws with 422: 43/25 rounds to 2
    assert club.ratings() == {"Leo": 399, "Nora": 381, "Sam K": 420}
    lines = exchange.games_csv().splitlines()
    assert lines[1] == "2026-09-07,1,Leo,Nora,1-0,400,421,400,379"
    assert lines[2] == "2026-09-07,2,Sam K,Leo,1-0,400,422,421,399"
    assert exchange.ladder_csv().splitlines()[1].startswith("1,Sam K,420,2,tentative")
    assert "Nora" not in exchange.child_csv(children.find("Leo"))


def test_nothing_comes_in_where_a_line_is_wrong(club: Helper) -> None:
    with pytest.raises(ClubError, match="line 4: 'tomorrow'"):
        exchange.import_csv(CLUB, GAMES.replace(b"2026-09-14", b"tomorrow"))
    assert children.members() == []
    with pytest.raises(ClubError, match="must name the columns"):
        exchange.import_csv(CLUB, b"a,b\n1,2\n")


def test_a_list_of_children(club: Helper) -> None:
    assert exchange.import_csv(CLUB, "name\nSam Kowalski\nInés\nSam K\n".encode()).children == 2
    assert [player.name for player in children.members()] == ["Inés", "Sam K"]


def test_games_are_sent_on_as_an_event_with_the_federation_s_ids(club: Helper) -> None:
    exchange.import_csv(CLUB, GAMES)
    known = exchange.registered(b"child,id,name\nLeo,30000001,Leo Example\nNora,30000002,Nora Example\n")
    event, unknown = exchange.as_event(of_season(evening.season()), known)
    assert unknown == ["Sam K"]
    assert (event.start, event.end) == (MONDAY, MONDAY)
    reading = read(json.dumps(event_json.to_json(event)).encode(), "club.json")
    assert reading.event.sections[0].start == date(2026, 9, 7)
    assert [(game.white, game.black, game.result) for game in reading.event.sections[0].games] == [(1, 2, "1-0")]
    with pytest.raises(ClubError, match="--ids"):
        exchange.as_event(of_season(evening.season()), {})
