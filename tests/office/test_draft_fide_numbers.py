"""A FIDE report on the director's desk: its numbers are FIDE's, and become members' ids only where somebody says so."""

from __future__ import annotations

from datetime import date

import pytest
from director_desk import labels_of
from simulated import OFFICER, data, document

from crosstable.fixes import FixRefused
from crosstable.office import players
from crosstable.office.ledger.models import Player
from crosstable.office.people.rights import Actor, Role
from crosstable.office.queries.officer_queue import queue
from crosstable.office.reports import accepting, bulk_fixes, draft_page, drafts, fixing, sending, submissions

DORA = Actor("dora", Role.DIRECTOR)
HEAD = """\
012 Test Open
022 Dayton
032 USA
042 2025/08/02
052 2025/08/03
122 G/60;d5
"""
#: Ahmed Dale and Maya Cruz are members under other numbers; the other two are nobody here
FIELD = (
    ("Dale, Ahmed", 1900, "1503014"),
    ("Cruz, Maya", 1850, "2016192"),
    ("Orlov, Pavel", 1800, "4100018"),
    ("Berg, Nils", 1750, "1500015"),
)
PAIRS = (
    ((2, "w", "1"), (3, "b", "=")),
    ((1, "b", "0"), (4, "w", "1")),
    ((4, "w", "0"), (1, "w", "=")),
    ((3, "b", "1"), (2, "b", "0")),
)
POINTS = (1.5, 1.0, 0.5, 1.0)


def report(rated: bool = True) -> bytes:
    """By the columns of TRF16: number 5-8, name 15-47, rating 49-52, federation 54-56, number of FIDE 58-68."""
    text = HEAD
    for number, ((name, rating, fide), games) in enumerate(zip(FIELD, PAIRS, strict=True), 1):
        start = f"001 {number:>4}      {name:<33} {rating if rated else '':>4} USA {fide:>11} {'':>10}"
        text += (
            f"{start} {POINTS[number - 1]:>4} {'':>4}"
            + "".join(f"  {one:>4} {side} {won}" for one, side, won in games)
            + "\n"
        )
    return text.encode()


@pytest.fixture
def draft(ready: str) -> int:
    players.add(OFFICER, "31005559", name="Ahmed Dale")
    players.add(OFFICER, "31006462", name="Maya Cruz")
    return drafts.start(DORA, report(), "fide.trf").id


def look(number: int) -> draft_page.Look:
    return draft_page.look(drafts.load(DORA, number))


def ids(number: int) -> list[str]:
    event = drafts.load(DORA, number).event
    assert event is not None
    return [player.id for player in event.sections[0].players]


def test_the_page_says_whose_numbers_they_are_and_looks_by_name_first(draft: int) -> None:
    (part,) = look(draft).parts
    (whole,) = [one for one in part.findings if one.code == "fide-numbers"]
    assert whole.look
    assert whole.words.startswith("The ids and ratings in this file are FIDE’s, not this office’s.")
    assert whole.finding.message == "4 of 4 ids are FIDE numbers and not those of members."
    labels = {row.player.name: [label for one in row.findings for label in labels_of(draft, one)] for row in part.rows}
    new = ["A new member, no ID yet"]  # rated at FIDE: nobody asks for an age
    assert labels == {
        "Dale, Ahmed": ["Use 31005559", *new],
        "Cruz, Maya": ["Use 31006462", *new],
        "Orlov, Pavel": ["Use this ID", *new],
        "Berg, Nils": ["Use this ID", *new],
    }
    assert part.many == []  # there is no button that keeps all the numbers
    assert [one.main.values["id"] for one in look(draft).suggested if one.main] == ["31005559", "31006462"]


def test_those_found_by_name_and_those_who_are_new(draft: int) -> None:
    fixing.mend_all(
        DORA, draft, [(one.main.kind, one.main.values, one.finding) for one in look(draft).suggested if one.main]
    )
    assert ids(draft) == ["31005559", "31006462", "4100018", "1500015"]
    (part,) = look(draft).parts
    assert "2 of 4 ids" in next(one.finding.message for one in part.all if one.code == "fide-numbers")
    assert len(part.strangers) == 2
    assert bulk_fixes.all_new(DORA, draft, "1") == 2
    assert ids(draft) == ["31005559", "31006462", "", ""]
    assert "fide-numbers" not in {one.code for one in look(draft).all}
    last = fixing.lines(drafts.load(DORA, draft).row)[-1]
    assert (last.place, last.before, last.after) == (
        "section 1, Nils Berg (4)",
        "1500015",
        "a new member: the office gives the id",
    )
    number = sending.send(DORA, draft).event
    accepting.accept(OFFICER, number)
    assert not Player.objects.filter(number__in=[fide for _, _, fide in FIELD]).exists()
    assert Player.objects.filter(name__in=["Orlov, Pavel", "Berg, Nils"], number__startswith="9").count() == 2


def test_numbers_are_kept_by_whoever_says_that_the_office_has_them(draft: int) -> None:
    (whole,) = [one for one in look(draft).all if one.code == "fide-numbers"]
    (offer,) = whole.fixes
    assert (*labels_of(draft, whole), offer.suggested, [one.kind for one in offer.inputs]) == (
        "Keep the FIDE numbers as members’ IDs",
        False,
        ["check"],
    )
    with pytest.raises(FixRefused, match="tick the box first"):
        bulk_fixes.keep_numbers(DORA, draft, "1", sure=False)
    assert bulk_fixes.keep_numbers(DORA, draft, "1", sure=True) == 5  # the section, and the four of it
    assert look(draft).look == 0
    assert ids(draft) == [fide for _, _, fide in FIELD]
    fixing.undo(DORA, draft)
    assert look(draft).look == 5


def test_an_officer_is_told_too(draft: int) -> None:
    submissions.submit(DORA, report(), "fide.trf", "FIDE1")
    (line,) = queue(OFFICER).needs
    assert "4 of 4 ids are FIDE numbers" in line.words


def test_also_where_nobody_is_rated(ready: str) -> None:
    players.add(OFFICER, "31005559", name="Ahmed Dale")
    number = drafts.start(DORA, report(rated=False), "fide.trf").id
    assert [one.code for one in look(number).parts[0].findings] == ["fide-numbers"]


def test_an_office_whose_ids_are_those_of_fide_is_not_asked(ready: str) -> None:
    for name, _, fide in FIELD:
        players.add(OFFICER, fide, name=name)
    number = drafts.start(DORA, report(), "fide.trf").id
    assert [one.code for one in look(number).all if one.must or one.look] == []


def test_a_report_of_another_kind_keeps_its_button(ready: str) -> None:
    """Ids of a federation's own program: a new member has one."""
    players.add(OFFICER, "31005559", name="Ahmed Dale")
    made = document("Open", date(2025, 8, 2), ["30000001", "30000002"], [(1, 1, 2, "1-0")])
    number = drafts.start(DORA, data(made), "open.json").id
    assert "fide-numbers" not in {one.code for one in look(number).all}
    offered = [label for one in look(number).all if one.code == "unknown-id" for label in labels_of(number, one)]
    assert offered.count("Keep it: a new member") == 2
