"""Findings in the database: with their places and facts, and as text where an earlier version stored them."""

from __future__ import annotations

from crosstable.findings import declare
from crosstable.model import Level, Place
from crosstable.model.finding import Players
from crosstable.office.ledger import documents, pending_sections
from crosstable.office.reports.fixing import key
from crosstable.words.places import place_text

CODE = declare("made-up", Level.ERROR, "For this test.", "Look.")
#: As the version before this one stored them
OLD = {
    "level": "error",
    "code": "made-up",
    "where": "section 2, player 3",
    "message": "odd.",
    "advice": "Look.",
}


def test_a_finding_is_read_back_as_it_was() -> None:
    finding = CODE.at(
        Place(section=2, players=(3, 4), round=1),
        "{both} report {first}",
        both=Players((3, 4)),
        first="W\0",
        pools=("OTBR", "OTBQ"),
        names=None,
    )
    row = documents.finding_to_json(finding)
    assert "\0" not in str(row)
    again = documents.finding_from_json(row)
    assert (again.place, again.sentence) == (finding.place, finding.sentence)
    assert again.facts == {**finding.facts, "first": "W\ufffd"}
    assert pending_sections.section_of(again) == 2


def test_a_finding_that_was_stored_as_text_is_shown_as_it_was() -> None:
    finding = documents.finding_from_json(OLD)
    assert place_text(finding.place) == "section 2, player 3"
    assert str(finding) == "error: section 2, player 3: odd. Look. [made-up]"
    # what a director has said about it still holds: a new check finds the same
    assert key(finding) == key(CODE.at(Place(section=2, players=(3,)), "odd"))
