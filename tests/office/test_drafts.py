"""A director's drafts, on both databases: whose they are, what is typed or read into them, and that nothing is lost."""

from __future__ import annotations

import pytest
from director_desk import DAY, DIRK, DORA, GAMES, IDS, look, press
from django.db import connection
from django.test.utils import CaptureQueriesContext
from simulated import OFFICER, data, document
from tests.desk_files import CLASH

from crosstable.errors import EventRejected, OfficeError
from crosstable.office.audit.models import AuditEntry
from crosstable.office.people.rights import Actor, NotAllowedError, Role
from crosstable.office.reports import draft_page, drafts, fixing, sending
from crosstable.office.reports.models import Draft, DraftFile
from crosstable.office.reports.typed_report import Row, Typed

pytestmark = pytest.mark.both_databases


def cell(number: int, player: int, turn: int) -> draft_page.Cell:
    (part,) = look(number).parts
    return next(row for row in part.rows if row.player.number == player).cells[turn - 1]


def test_a_cell_in_doubt_stands_as_in_the_file(clash: int) -> None:
    """Both rows of the file say W; a cell that nobody can read, and one whose opponent names somebody else."""
    assert [cell(clash, 2, 5).typed, cell(clash, 3, 5).typed] == ["W3", "W2"]
    press(clash, "result-clash", "It was a draw")
    assert [(one.letter, one.typed) for one in (cell(clash, 2, 5), cell(clash, 3, 5))] == [("D", ""), ("D", "")]
    rows = [
        "No.,Name,ID,Rnd 1,Rnd 2",
        "1,Ada,30000001,W2,W1O",
        "2,Bo,30000002,L1,L3",
        "3,Cy,30000003,W4,W1",
        "4,Di,30000004,L3,B",
    ]
    odd = drafts.start(DORA, "\n".join(rows).encode(), "odd.csv").id
    assert cell(odd, 1, 2).typed == "W1O"
    named = [(cell(odd, one, 2).letter, cell(odd, one, 2).opponent) for one in (2, 3)]
    assert named == [("L", 3), ("W", 1)]  # 2 says that 3 won, 3 names 1: each row as it was typed


def test_a_draft_is_its_owners_alone(clash: int) -> None:
    for other in (DIRK, OFFICER, Actor("Dora", Role.DIRECTOR)):
        assert drafts.drafts(other) == []
        with pytest.raises(drafts.NoDraft):
            drafts.load(other, clash)
    with pytest.raises(NotAllowedError):
        drafts.drafts(Actor("pia", Role.PLAYER))
    assert [line.number for line in drafts.drafts(Actor("dora/abc12345", Role.DIRECTOR))] == [clash]  # her program


def test_typing_is_saved_from_moment_to_moment(ready: str) -> None:
    row = drafts.start_typed(DORA, Typed({"event": "Typed"}, 1, (Row(name="Ann"),)))
    typed = Typed(
        {"event": "Typed", "start": "2025-08-02"}, 1, (Row(IDS[0], "Ann", "1500", ("w2",)), Row(IDS[1], "Bob"))
    )
    drafts.save_typed(DORA, row.id, typed, row.version)
    with pytest.raises(drafts.DraftChanged):  # the other window had the older state
        drafts.save_typed(DORA, row.id, Typed({}, 1, ()), row.version)
    kept = drafts.typed_of(DORA, row.id)[1]
    assert (kept.rows[0].cells, kept.rows[1].name) == (("W2",), "Bob")
    drafts.read_typed(DORA, row.id)
    event = drafts.load(DORA, row.id).event
    assert event is not None
    assert [(one.white, one.black, one.result) for one in event.sections[0].games] == [(1, 2, "1-0")]
    assert [line.name for line in drafts.drafts(DORA)] == ["Typed"]
    assert not AuditEntry.objects.filter(action="draft.save").exists()


def test_every_file_of_a_draft_is_kept(clash: int) -> None:
    press(clash, "result-clash", "It was a draw")
    drafts.another_file(DORA, clash, data(document("Better", DAY, IDS[:4], GAMES)), "better.json")
    kept = DraftFile.objects.filter(draft_id=clash).order_by("id")
    assert [bytes(one.data)[:3] for one in kept] == [CLASH.read_bytes()[:3], b'{"f']
    assert fixing.lines(drafts.find(DORA, clash)) == []
    event = drafts.load(DORA, clash).event
    assert event is not None
    assert event.name == "Better"
    drafts.discard(DORA, clash)
    assert drafts.drafts(DORA) == []
    drafts.bring_back(DORA, clash)
    assert [line.number for line in drafts.drafts(DORA)] == [clash]


def test_however_many_players_the_same_questions(ready: str) -> None:
    counts = []
    for size in (4, 60):
        people = [f"3{number:07}" for number in range(1, size + 1)]
        games = [(1, place, place + 1, "1-0") for place in range(1, size, 2)]
        number = drafts.start(DORA, data(document("Many", DAY, ["", *people[1:]], games)), "many.json").id
        with CaptureQueriesContext(connection) as asked:
            look(number)
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_what_cannot_be_read_is_kept_with_its_reasons(ready: str) -> None:
    number = drafts.start(DORA, b"Dear rating office, please", "letter.txt").id
    seen = look(number)
    assert (seen.event, [one.code for one in seen.all]) == (None, ["unknown-format"])
    assert drafts.text(DORA, number) == "Dear rating office, please"
    with pytest.raises(OfficeError, match="nothing to send"):
        sending.send(DORA, number)
    with pytest.raises(EventRejected, match="too-large"):
        drafts.start(DORA, b" " * (5 * 1024 * 1024 + 1), "huge.csv")
    assert Draft.objects.count() == 1


def test_a_finding_in_a_table_names_its_section(ready: str) -> None:
    """Two tables in one file: the clash stands in the second, and the first can be rated."""
    head = "No.,Name,ID,Rnd 1\n"
    one = f"Section,1\nTime control,G/60;d5\n{head}1,Ann,30000001,W2\n2,Bob,30000002,L1\n"
    two = f"Section,2\nTime control,G/60;d5\n{head}3,Cyd,30000003,W4\n4,Dan,30000004,D3\n"
    number = drafts.start(DORA, f"Event,Tree Open\nDate,2025-08-02\n\n{one}\n{two}".encode(), "two.csv").id
    assert [(part.number, part.must) for part in look(number).parts] == [(1, 0), (2, 1)]
