"""Differences between two versions of an event are facts: a section's name decides nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from crosstable.model import Event, Game, Player, Section
from crosstable.office.ledger.differences import differences
from crosstable.office.queries.correction import _moved as moved
from crosstable.office.rating.changes import Change
from crosstable.office.requests.corrections import summary_of
from crosstable.words.differences import difference

DAY = date(2026, 3, 14)
PLAYERS = (Player(1, "10000001", "Ann"), Player(2, "10000002", "Ben"))


def section(number: int, name: str, result: str = "1-0", control: str = "G/60;d5") -> Section:
    return Section(number, name, DAY, DAY, PLAYERS, (Game(1, 1, 2, result),), time_control=control)


def event(*sections: Section) -> Event:
    return Event("Spring Open", DAY, DAY, sections)


def test_only_the_changed_section_is_touched() -> None:
    """ "Open" and "O" are parts of the name "Open Reserve", and nothing in them changed."""
    before = event(section(1, "Open"), section(2, "Open Reserve"), section(3, "O"))
    after = event(section(1, "Open"), section(2, "Open Reserve", result="0-1"), section(3, "O"))
    found = list(differences(before, after, {}))
    assert summary_of(after, found) == {"result": 1, "sections": ["Open Reserve"]}


def test_a_time_control_is_a_fact_whatever_the_section_is_called() -> None:
    before = event(section(1, "Round Robin"))
    after = event(section(1, "Round Robin", control="G/90;d5"))
    (found,) = differences(before, after, {})
    assert found.counts_as == "fact"
    assert difference(found) == ("Round Robin", "Time control", "", "G/60;d5", "G/90;d5")


def test_a_result_in_words() -> None:
    names = {"10000001": "Ann Lee", "10000002": "Ben Ito"}
    (found,) = differences(event(section(1, "Open")), event(section(1, "Open", result="1/2-1/2")), names)
    line = difference(found)
    assert line == ("Round 1", "Ann Lee – Ben Ito", "Open · □ number 1, ■ number 2", "1–0", "½–½")


def test_changed_colors_and_removed_games() -> None:
    one = section(1, "Open")
    turned = replace(one, games=(Game(1, 2, 1, "0-1"),))
    (found,) = differences(event(one), event(turned), {})
    assert (difference(found).was, difference(found).now) == ("1–0, colors changed", "0–1")
    (gone,) = differences(event(one), event(replace(one, games=())), {})
    assert (difference(gone).was, difference(gone).now) == ("1–0", "")


def test_of_an_age_only_its_change_is_told() -> None:
    older = replace(section(1, "Open"), players=(replace(PLAYERS[0], birth_date=date(2015, 5, 5)), PLAYERS[1]))
    (found,) = differences(event(section(1, "Open")), event(older), {}, private=True)
    assert "2015" not in repr(found)
    assert difference(found).now == "changed"


def test_the_event_of_a_changed_rating_is_a_fact() -> None:
    """A parenthesis in an event's name is part of it: "Spring Open (Ohio) (E17), section 1" is not taken apart."""
    changed = Change(
        player="1",
        name="Ann",
        pool="OTBR",
        before=1500.0,
        after=1510.0,
        since="Spring Open (Ohio) (E17), section 1",
        event="Spring Open (Ohio)",
        reason="a result",
        rows=1,
    )
    assert moved(changed, set()).why == "since Spring Open (Ohio)"
    assert moved(changed, {"1"}).why == "own result"
