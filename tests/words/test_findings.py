"""Findings carry their places and facts; words are made from them, and never read back."""

from __future__ import annotations

from datetime import date

import pytest

from crosstable import formats
from crosstable.checks import gate
from crosstable.findings import declare
from crosstable.fixes.places import place_of
from crosstable.model import Event, Level, Place, Player, Section
from crosstable.model.finding import Players
from crosstable.office.reports import raw_cells
from crosstable.words.findings import findings_to_json, grouped, message_text
from crosstable.words.places import place_text

DAY = date(2025, 8, 2)
PLAYERS = (Player(3, "30000003", "Ash, Ann"), Player(7, "30000007", "Birch, Bob"))
CODE = declare("made-up", Level.WARNING, "For this test.", "Look.")


def event(*numbers: int) -> Event:
    return Event("Test", DAY, DAY, tuple(Section(number, "", DAY, DAY, PLAYERS, ()) for number in numbers))


@pytest.mark.parametrize(
    ("place", "text", "with_names"),
    [
        (Place(section=1, players=(3,)), "section 1, player 3", "Ann Ash (no. 3)"),
        (Place(section=1, players=(3,), round=2), "section 1, player 3, round 2", "Ann Ash (no. 3), round 2"),
        (
            Place(section=1, round=3, players=(3, 7)),
            "section 1, round 3, game 3-7",
            "round 3, Ann Ash (no. 3) against Bob Birch (no. 7)",
        ),
        (Place(section=1, players=(3, 8)), "section 1, players 3 and 8", "players 3 and 8"),
        (
            Place(section=1, players=(3,), pool="OTBR"),
            "section 1, player 3, rating OTBR",
            "Ann Ash (no. 3), rating OTBR",
        ),
        (Place(section=1), "section 1", "section 1"),
        (Place(line=12), "line 12", "line 12"),
        (Place(sheet="X", row=3), "sheet X, row 3", "sheet X, row 3"),
        (Place(id="30000007"), "player 30000007", "Bob Birch (30000007)"),
        (Place(file="a.trf", part="event"), "a.trf, event", "a.trf, event"),
        (Place(text="section 1, as it was"), "section 1, as it was", "section 1, as it was"),
    ],
)
def test_a_place_in_words(place: Place, text: str, with_names: str) -> None:
    assert place_text(place) == text
    assert place_text(place, event(1)) == with_names
    assert Place.from_json(place.to_json()) == place


def test_of_several_sections_the_one_is_named() -> None:
    assert place_text(Place(section=2, players=(3,)), event(1, 2)) == "section 2, Ann Ash (no. 3)"


def test_a_message_names_players_by_its_facts() -> None:
    finding = CODE.at(Place(section=1), "{both} met in 'player 3'", both=Players((3, 7)))
    assert finding.message == "players 3 and 7 met in 'player 3'."
    assert message_text(finding, event(1)) == "Ann Ash (no. 3) and Bob Birch (no. 7) met in 'player 3'."
    assert message_text(finding, event(4)) == finding.message  # players of another section have these numbers
    assert grouped([finding])[0].text == "section 1: players 3 and 7 met in 'player 3'. Look."


def test_braces_in_a_file_are_no_fields() -> None:
    assert CODE.at("file", "'{both}' is odd", found="{both}").message == "'{both}' is odd."


def test_json_has_the_place_and_the_facts() -> None:
    table = b"No,Name,ID,Rating,Rd 1\n1,Ann,30000001,15oo,W2\n2,Bob,30000002,1400,L1\n"
    reading = formats.read(table)
    (finding,) = [one for one in reading.findings if one.code == "unreadable-rating"]
    rating = {"kind": "rating", "section": 1, "player": 1, "pool": "OTBR"}
    assert findings_to_json([finding], reading.draft, "a.csv") == [
        {
            "level": "error",
            "code": "unreadable-rating",
            "place": {"file": "a.csv", "section": 1, "row": 2, "players": [1]},
            "where": "row 2, player 1",
            "facts": {"found": "15oo", "pool": "OTBR"},
            "message": "'15oo' cannot be read as a rating.",
            "advice": finding.advice,
            "fixes": [
                {**rating, "needs": ["rating"], "suggested": False, "text": "Use this rating"},
                {**rating, "rating": "", "suggested": False, "text": "Leave it out"},
            ],
        }
    ]


def test_a_name_that_looks_like_a_place_is_none() -> None:
    """A player called `section 2, player 9` is in section 1: nothing is read from words."""
    odd = Player(1, "30000001", "section 2, player 9", ratings={})
    found = gate.examine(Event("player 5", DAY, DAY, (Section(1, "", DAY, DAY, (odd, odd), ()),))).findings
    (entry,) = [one for one in found if one.code == "duplicate-number"]
    assert (entry.place.section, entry.place.players) == (1, (1,))


def test_both_sides_of_a_clash_are_quoted_from_the_facts() -> None:
    table = b"No,Name,ID,Rating,Rd 1\n1,Ann,30000001,1500,W2\n2,Bob,30000002,1400,W1\n"
    reading = formats.read(table)
    assert reading.draft is not None
    (clash,) = [one for one in reading.findings if one.code == "result-clash"]
    assert raw_cells.cells([(clash, place_of(clash, reading.draft))]) == {(1, 1): "W2", (2, 1): "W1"}
