"""A director's drafts, on both databases: nothing is lost, every mend is kept, and what is sent is what was mended."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from simulated import OFFICER, data, document

from crosstable.errors import EventRejected, OfficeError
from crosstable.office import events
from crosstable.office.audit.ledger_against_log import problems
from crosstable.office.audit.models import AuditEntry
from crosstable.office.drafts import drafting, looking, mending, previewing, sending
from crosstable.office.drafts.grid import Row, Typed
from crosstable.office.drafts.mends import MendRefused
from crosstable.office.drafts.models import Draft, DraftFile
from crosstable.office.events.submitted_files import original
from crosstable.office.ledger.models import Event, Player, RatingRow
from crosstable.office.people.rights import Actor, NotAllowedError, Role
from crosstable.office.rating import run
from crosstable.office.storage import clock
from crosstable.systems.us_chess.formulas import round_half_up

DORA, DIRK = Actor("dora", Role.DIRECTOR), Actor("dirk", Role.DIRECTOR)
DAY = date(2025, 8, 2)
IDS = [f"3000000{number}" for number in range(1, 8)]
CLASH = Path(__file__).parents[3] / "shared" / "samples" / "trf" / "incompatible_result.trf"
GAMES = [(1, 1, 2, "1-0"), (1, 3, 4, "1/2-1/2"), (2, 1, 3, "0-1"), (2, 2, 4, "1-0")]


@pytest.fixture
def clash(ready: str) -> int:
    """A real file: the two sides of a game disagree, and it says neither when nor who."""
    return drafting.start(DORA, CLASH.read_bytes(), CLASH.name).id


def look(number: int, actor: Actor = DORA) -> looking.Look:
    return looking.look(drafting.load(actor, number))


def press(number: int, code: str, label: str, **typed: str) -> None:
    """The button beside the first finding of that code."""
    shown = next(one for one in look(number).all if one.code == code and not one.said)
    offer = next(one for one in shown.offers if one.label == label)
    mending.mend(DORA, number, offer.action, {**offer.values, **typed}, shown.finding)


def labels(number: int, code: str) -> list[str]:
    return [offer.label for one in look(number).all if one.code == code for offer in one.offers]


def mend_all_of(number: int) -> None:
    press(number, "result-clash", "It was a draw")
    press(number, "missing-date", "Use these days", start="2025-08-02", end="2025-08-03")
    press(number, "missing-time-control", "Use this", time_control="G/60;d5")
    press(number, "missing-event-name", "Use this name", name="Clash Open")
    press(number, "missing-id", "Use these ids", ids="\n".join(IDS))


def test_a_real_file_is_mended_previewed_and_sent(clash: int) -> None:
    assert {one.code for one in look(clash).all if one.must} == {
        "result-clash",
        "missing-date",
        "no-id",
        "missing-time-control",
    }
    mend_all_of(clash)
    seen = look(clash)
    assert (seen.must, [part.pools for part in seen.parts]) == (0, [("OTBR", "OTBQ")])
    assert len(previewing.preview(seen).parts[0].rows) == 7
    done = sending.send(DORA, clash)
    assert done.outcome == "queued"
    assert original(DORA, done.submission) == CLASH.read_bytes()  # the file as it came
    sent = events.document(done.event)
    game = next(one for one in sent.sections[0].games if one.round == 5 and {one.white, one.black} == {2, 3})
    assert (game.result, sent.name) == ("1/2-1/2", "Clash Open")
    assert [line.after for line in sending.mends_of(OFFICER, done.submission)][:2] == [
        "Player 2 (2) drew",
        "2 August 2025 to 3 August 2025",
    ]
    assert AuditEntry.objects.get(action="draft.send").actor == "dora"
    assert drafting.drafts(DORA) == []
    with pytest.raises(OfficeError, match="sent"):
        mending.undo(DORA, clash)
    events.accept(OFFICER, done.event)


def cell(number: int, player: int, turn: int) -> looking.Cell:
    (part,) = look(number).parts
    return next(row for row in part.rows if row.player.number == player).cells[turn - 1]


def test_a_cell_in_doubt_stands_as_in_the_file(clash: int) -> None:
    """Both rows of the real file say W; a cell that nobody can read, and one whose opponent names somebody else."""
    assert [cell(clash, 2, 5).typed, cell(clash, 3, 5).typed] == ["W3", "W2"]
    press(clash, "result-clash", "It was a draw")
    assert [(one.letter, one.typed) for one in (cell(clash, 2, 5), cell(clash, 3, 5))] == [("D", ""), ("D", "")]
    rows = ["No.,Name,ID,Rnd 1,Rnd 2", "1,Ada,30000001,W2,W1O", "2,Bo,30000002,L1,L3", "3,Cy,30000003,W4,W1",
            "4,Di,30000004,L3,B"]  # fmt: skip
    odd = drafting.start(DORA, "\n".join(rows).encode(), "odd.csv").id
    assert cell(odd, 1, 2).typed == "W1O"
    named = [(cell(odd, one, 2).letter, cell(odd, one, 2).opponent) for one in (2, 3)]
    assert named == [("L", 3), ("W", 1)]  # 2 says that 3 won, 3 names 1: each row as it was typed


def test_a_mend_is_kept_and_can_be_undone(clash: int) -> None:
    before = drafting.load(DORA, clash).event
    press(clash, "result-clash", "It was a draw")
    assert "result-clash" not in {one.code for one in look(clash).all}
    (line,) = mending.lines(drafting.find(DORA, clash))
    assert (line.place, line.before, line.after, line.author) == (
        "section 1, round 5, Player 2 (2) against Player 3 (3)",
        "Player 2 (2) won",
        "Player 2 (2) drew",
        "dora",
    )
    mending.undo(DORA, clash)
    assert drafting.load(DORA, clash).event == before
    assert "result-clash" in {one.code for one in look(clash).all}
    assert mending.lines(drafting.find(DORA, clash)) == []
    with pytest.raises(OfficeError, match="no mend"):
        mending.undo(DORA, clash)


def test_a_mend_that_does_not_fit_changes_nothing(clash: int) -> None:
    before = drafting.load(DORA, clash).event
    for action, values in (("result", {}), ("nonsense", {}), ("id", {"section": "1", "player": "77", "id": "1"})):
        with pytest.raises(MendRefused):
            mending.mend(DORA, clash, action, values)
    assert drafting.load(DORA, clash).event == before


def test_a_draft_is_its_owners_alone(clash: int) -> None:
    for other in (DIRK, OFFICER, Actor("Dora", Role.DIRECTOR)):
        assert drafting.drafts(other) == []
        with pytest.raises(drafting.NoDraft):
            drafting.load(other, clash)
    with pytest.raises(NotAllowedError):
        drafting.drafts(Actor("pia", Role.PLAYER))
    assert [line.number for line in drafting.drafts(Actor("dora/abc12345", Role.DIRECTOR))] == [clash]  # her program


def test_said_to_be_right_is_said_to_the_reviewer(ready: str) -> None:
    events.submit(OFFICER, data(document("Before", DAY, IDS[:4], GAMES)), "before.json", "A")
    events.accept(OFFICER, "A")
    report = data(document("Tree Open", DAY, [*IDS[:3], "39999999"], GAMES, facts={}))
    number = drafting.start(DORA, report, "tree.json").id
    assert [one.code for one in look(number).all if one.look] == ["unknown-id"]
    press(number, "unknown-id", "Keep it: a new member")
    assert look(number).look == 0
    done = sending.send(DORA, number)
    assert [line.after for line in sending.mends_of(OFFICER, done.submission)] == ["it is right as it stands"]


def test_a_newcomer_is_said_to_be_an_adult_where_the_row_is_mended(ready: str) -> None:
    """2025 section 2: without a birth date an adult starts at 1300, anybody else at 750."""
    events.submit(OFFICER, data(document("Before", DAY, IDS[:4], GAMES)), "before.json", "A")
    events.accept(OFFICER, "A")
    report = data(document("Tree Open", DAY, [*IDS[:3], "39999999"], GAMES, facts={}))
    number = drafting.start(DORA, report, "tree.json").id
    assert {"An adult", "Use this birth date"} <= set(labels(number, "unknown-id"))
    press(number, "unknown-id", "An adult")
    event = drafting.load(DORA, number).event
    assert event is not None
    assert event.sections[0].players[3].adult
    assert "An adult" not in labels(number, "unknown-id")


def test_somebody_said_to_be_new_is_still_asked_how_old(ready: str) -> None:
    events.submit(OFFICER, data(document("Before", DAY, IDS[:4], GAMES)), "before.json", "A")
    events.accept(OFFICER, "A")
    number = drafting.start(DORA, data(document("Tree Open", DAY, [*IDS[:3], "39999999"], GAMES)), "tree.json").id
    press(number, "unknown-id", "Keep it: a new member")
    (kept,) = [one for one in look(number).all if one.code == "unknown-id"]
    assert (kept.said, [one.label for one in kept.buttons]) == (True, ["An adult", "Use this birth date"])
    mending.mend(DORA, number, "born", {**kept.buttons[1].values, "day": "2015-03-04"}, kept.finding)
    (kept,) = [one for one in look(number).all if one.code == "unknown-id"]
    assert (kept.said, kept.buttons) == (True, ())


def test_many_newcomers_are_asked_once_each_and_answered_together(ready: str) -> None:
    """A real file: eight of ten are unrated, and it does not say how old they are."""
    events.submit(OFFICER, data(document("Before", DAY, IDS[:4], GAMES)), "before.json", "A")
    events.accept(OFFICER, "A")
    file = CLASH.parents[1] / "crosstable-text" / "R-many_unrated-1.txt"
    number = drafting.start(DORA, file.read_bytes(), file.name).id
    (part,) = look(number).parts
    assert (part.ageless, "missing-rating" in {one.code for one in part.all}) == (8, False)
    alike = [one for one in part.all if one.code == "unknown-id"]
    mending.mend_all(DORA, number, [("keep", {}, one.finding) for one in alike])
    (part,) = look(number).parts
    assert (part.ageless, part.many_ageless) == (8, 8)  # that they are new does not say how old they are
    mending.mend(DORA, number, "adult", {"section": "1"})
    (part,) = look(number).parts
    assert (part.ageless, part.many_ageless) == (0, 0)


def without_ids(*names: str, second: tuple[str, ...] = ()) -> bytes:
    """Three members and somebody new in each section; the new ones have no id."""
    made = document("Tree Open", DAY, [*IDS[:3], ""], GAMES, facts={"": {"name": names[0]}})
    for place, name in enumerate(second, start=2):
        other = document("", DAY, [*IDS[3:6], ""], GAMES, facts={"": {"name": name}})["sections"][0]
        made["sections"].append({**other, "number": place, "name": f"Section {place}"})
    return data(made)


def test_the_office_gives_a_new_member_an_id_when_it_accepts(ready: str) -> None:
    """Nobody at the desk has an id for the child: born when is said, the rest is the office's.

    2025 section 2: the adult starts at 1300.
    """
    number = drafting.start(DORA, without_ids("Ek, Ada", second=("Bo Muller", "Ada Ek")), "tree.json").id
    assert [one.place.section for one in look(number).all if one.code == "no-id"] == [1, 2, 3]
    press(number, "no-id", "A new member, no id yet", day="2015-03-04")
    press(number, "no-id", "A new adult member, no id yet")
    press(number, "no-id", "A new member, no id yet", day="2016-01-01")
    seen = look(number)
    assert (seen.must, [part.rows[3].new for part in seen.parts]) == (0, [True, True, True])
    assert len(previewing.preview(seen).parts[0].rows) == 4
    done = sending.send(DORA, number)
    (waiting,) = events.review(OFFICER)
    assert waiting.acceptable
    assert sum(one.code == "id-to-come" for one in waiting.findings) == 3
    events.accept(OFFICER, done.event, preview=True)
    assert not Player.objects.filter(number__startswith="9").exists()
    events.accept(OFFICER, done.event)
    new = Player.objects.filter(number__startswith="9").order_by("number").values_list("number", "birth_date", "adult")
    assert list(new) == [
        ("90000001", date(2015, 3, 4), False), ("90000002", None, True), ("90000003", date(2016, 1, 1), False)
    ]  # fmt: skip
    assert RatingRow.objects.get(player__number="90000002", pool="OTBR").prior == 1300
    words = "New members and their ids: Ada Ek 90000001, Bo Muller 90000002, Ada Ek 90000003."
    assert events.revisions(done.event)[-1]["reason"] == words  # two children of one name and two birth dates
    assert run.compute(run.BEGINNING).nothing
    assert problems() == []


def test_ids_by_name_and_by_two_digits(ready: str) -> None:
    """Ada has 30000001; Ben is called by his name alone, and his id has two digits changed places."""
    facts = {IDS[0]: {"name": "Ada Ash"}, IDS[1]: {"name": "Ben Birch"}, IDS[2]: {"name": "Cyd C Cedar"}}
    events.submit(OFFICER, data(document("Before", DAY, IDS[:4], GAMES, facts=facts)), "before.json", "A")
    events.accept(OFFICER, "A")
    wrong = {"": {"name": "Ada Ash"}, "30000020": {"name": "Ben Birch"}, "77777777": {"name": "Cedar, Cyd"}}
    report = document("Tree Open", DAY, ["", "30000020", "77777777", IDS[3]], GAMES, facts=wrong)
    number = drafting.start(DORA, data(report), "tree.json").id
    main = {one.code: one.main.values["id"] for one in look(number).suggested if one.main}
    assert main == {"no-id": IDS[0], "transposed-id": IDS[1], "unknown-id": IDS[2]}
    Player.objects.filter(number=IDS[0]).update(withheld=True)  # nobody finds an id by a withheld name
    assert "no-id" not in {one.code for one in look(number).suggested}


def test_all_suggested_mends_at_once(ready: str) -> None:
    report = document("Tree Open", DAY, IDS[:4], GAMES, control="G/6O;d5") | {"state": "Ohio"}
    number = drafting.start(DORA, data(report), "tree.json").id
    wanted = [(one.main.action, one.main.values, one.finding) for one in look(number).suggested if one.main]
    assert mending.mend_all(DORA, number, wanted) == 2
    event = drafting.load(DORA, number).event
    assert event is not None
    assert (event.state, event.sections[0].time_control) == ("OH", "G/60;d5")
    assert look(number).must == 0
    mending.undo(DORA, number)  # what came together goes together
    event = drafting.load(DORA, number).event
    assert event is not None
    assert (event.state, event.sections[0].time_control) == ("Ohio", "G/6O;d5")


def test_the_preview_is_what_acceptance_gives(ready: str) -> None:
    facts = {one: {"ratings": {"OTBR": {"rating": 1400 + 50 * place, "games": 30}}} for place, one in enumerate(IDS)}
    adults = {one: {**facts[one], "adult": True} for one in IDS}
    events.submit(OFFICER, data(document("Before", DAY, IDS[:4], GAMES, facts=adults)), "before.json", "A")
    events.accept(OFFICER, "A")
    later = document("Later", date(2025, 9, 6), [*IDS[1:5]], GAMES, facts=adults)
    number = drafting.start(DORA, data(later), "later.json").id
    shown = {
        (row.player.number, one.pool): (one.before, one.after, one.after_games)
        for part in previewing.preview(look(number)).parts
        for row in part.rows
        for one in row.numbers
    }
    done = sending.send(DORA, number)
    events.accept(OFFICER, done.event)
    rows = RatingRow.objects.filter(section__event__number=done.event)
    assert shown == {
        (row.number, row.pool): (
            None if row.initialized else round_half_up(row.prior or 0),
            round_half_up(row.post),
            row.state_games,
        )
        for row in rows
    }


def test_no_preview_gives_an_age_away(ready: str) -> None:
    """A child whom the office knows by birth date and who has not played: whatever the age, the same is shown."""
    rated = {one: {"ratings": {"OTBR": {"rating": 1000, "games": 30}}, "adult": True} for one in IDS[:3]}
    events.submit(OFFICER, data(document("Before", DAY, IDS[:3], GAMES[:1], facts=rated)), "before.json", "A")
    events.accept(OFFICER, "A")
    child = Player.objects.create(number="31234567", name="Kim Kale", birth_date=date(2015, 3, 3))
    games = [(1, 1, 2, "0-1"), (2, 1, 3, "0-1")]
    report = document("Later", date(2025, 9, 6), ["31234567", *IDS[1:3]], games)
    number = drafting.start(DORA, data(report), "later.json").id
    seen = []
    for born in (date(2015, 3, 3), date(2015, 1, 3), date(2014, 12, 6)):  # ten years old on that day
        Player.objects.filter(id=child.id).update(birth_date=born)
        seen.append(previewing.preview(look(number)))
    assert seen[0] == seen[1] == seen[2]


def test_typing_is_saved_from_moment_to_moment(ready: str) -> None:
    row = drafting.start_typed(DORA, Typed({"event": "Typed"}, 1, (Row(name="Ann"),)))
    typed = Typed(
        {"event": "Typed", "start": "2025-08-02"}, 1, (Row(IDS[0], "Ann", "1500", ("w2",)), Row(IDS[1], "Bob"))
    )
    drafting.save_typed(DORA, row.id, typed, row.version)
    with pytest.raises(drafting.DraftChanged):  # the other window had the older state
        drafting.save_typed(DORA, row.id, Typed({}, 1, ()), row.version)
    kept = drafting.typed_of(DORA, row.id)[1]
    assert (kept.rows[0].cells, kept.rows[1].name) == (("W2",), "Bob")
    drafting.read_typed(DORA, row.id)
    event = drafting.load(DORA, row.id).event
    assert event is not None
    assert [(one.white, one.black, one.result) for one in event.sections[0].games] == [(1, 2, "1-0")]
    assert [line.name for line in drafting.drafts(DORA)] == ["Typed"]
    assert not AuditEntry.objects.filter(action="draft.save").exists()


def test_every_file_of_a_draft_is_kept(clash: int) -> None:
    press(clash, "result-clash", "It was a draw")
    drafting.another_file(DORA, clash, data(document("Better", DAY, IDS[:4], GAMES)), "better.json")
    kept = DraftFile.objects.filter(draft_id=clash).order_by("id")
    assert [bytes(one.data)[:3] for one in kept] == [CLASH.read_bytes()[:3], b'{"f']
    assert mending.lines(drafting.find(DORA, clash)) == []
    event = drafting.load(DORA, clash).event
    assert event is not None
    assert event.name == "Better"
    drafting.discard(DORA, clash)
    assert drafting.drafts(DORA) == []
    drafting.bring_back(DORA, clash)
    assert [line.number for line in drafting.drafts(DORA)] == [clash]


def test_a_text_that_is_changed_keeps_its_mends(clash: int) -> None:
    """The director names the event with a button, then corrects the result in the text itself."""
    press(clash, "missing-event-name", "Use this name", name="Clash Open")
    text = drafting.text(DORA, clash)
    assert text is not None
    assert text.count("     3 b 1") == 1  # the second line says that number 2 won
    assert mending.mend_text(DORA, clash, text.replace("     3 b 1", "     3 b 0")) == 1
    event = drafting.load(DORA, clash).event
    assert event is not None
    assert event.name == "Clash Open"
    assert "result-clash" not in {one.code for one in look(clash).all}


def test_however_many_players_the_same_questions(ready: str) -> None:
    counts = []
    for size in (4, 60):
        people = [f"3{number:07}" for number in range(1, size + 1)]
        games = [(1, place, place + 1, "1-0") for place in range(1, size, 2)]
        number = drafting.start(DORA, data(document("Many", DAY, ["", *people[1:]], games)), "many.json").id
        with CaptureQueriesContext(connection) as asked:
            look(number)
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_what_cannot_be_read_is_kept_with_its_reasons(ready: str) -> None:
    number = drafting.start(DORA, b"Dear rating office, please", "letter.txt").id
    seen = look(number)
    assert (seen.event, [one.code for one in seen.all]) == (None, ["unknown-format"])
    assert drafting.text(DORA, number) == "Dear rating office, please"
    with pytest.raises(OfficeError, match="nothing to send"):
        sending.send(DORA, number)
    with pytest.raises(EventRejected, match="too-large"):
        drafting.start(DORA, b" " * (5 * 1024 * 1024 + 1), "huge.csv")
    assert Draft.objects.count() == 1


def test_a_waiting_report_is_mended_and_sent_again(ready: str) -> None:
    """First with an error; the director mends it, the same event waits on; another director may not touch it."""
    report = data(document("Tree Open", DAY, IDS[:4], GAMES, control="G/6O;d5"))
    first = sending.send(DORA, drafting.start(DORA, report, "tree.json").id)
    with pytest.raises(OfficeError, match="no submission"):
        sending.reopen(DIRK, first.submission)
    again = sending.reopen(DORA, first.submission)
    assert sending.reopen(DORA, first.submission).id == again.id  # one desk, one draft
    press(again.id, "unreadable-time-control", "Use G/60;d5")
    second = sending.send(DORA, again.id)
    assert (second.event, second.outcome) == (first.event, "queued")
    assert [one["kind"] for one in events.revisions(first.event)] == ["submitted", "submitted"]
    events.accept(OFFICER, first.event)
    with pytest.raises(OfficeError, match="correction"):
        sending.reopen(DORA, second.submission)


def test_a_report_that_was_taken_back_comes_again(ready: str) -> None:
    report = data(document("Tree Open", DAY, IDS[:4], GAMES))
    first = sending.send(DORA, drafting.start(DORA, report, "tree.json").id)
    events.withdraw(DORA, first.event, "one result is wrong")
    again = sending.reopen(DORA, first.submission)
    mending.mend(DORA, again.id, "result", {"section": "1", "round": "1", "one": "1", "other": "2", "score": "drew"})
    assert sending.send(DORA, again.id).event == first.event
    assert Event.objects.get(number=first.event).status == Event.SUBMITTED
    events.accept(OFFICER, first.event)
    events.withdraw(OFFICER, first.event, "not rated")
    with pytest.raises(OfficeError, match="correction"):  # what an officer withdrew stays withdrawn
        sending.reopen(DORA, first.submission)


def test_what_an_officer_withdrew_no_way_of_sending_brings_back(ready: str) -> None:
    """Not even the officer's own report: `accept` brings it back."""
    report = data(document("Tree Open", DAY, IDS[:4], GAMES))
    first = sending.send(OFFICER, drafting.start(OFFICER, report, "tree.json").id)
    events.accept(OFFICER, first.event)
    events.withdraw(OFFICER, first.event, "not rated")
    with pytest.raises(OfficeError, match="is withdrawn"):
        sending.reopen(OFFICER, first.submission)
    other = data(document("Tree Open", DAY, IDS[:4], GAMES[:1]))
    assert events.submit(OFFICER, other, "tree.json", first.event).outcome == events.REFUSED
    events.accept(OFFICER, first.event)
    assert Event.objects.get(number=first.event).status == Event.ACCEPTED


def two_sections(control: str) -> bytes:
    """The same four in two sections; the second one's time control is as given."""
    first, second = (document("Tree Open", DAY, people, GAMES) for people in (IDS[:4], IDS[3:]))
    first["sections"].append({**second["sections"][0], "number": 2, "time_control": control})
    return data(first)


def test_a_section_that_waits_is_mended_without_touching_the_rated_one(ready: str) -> None:
    """The first section is rated; the director mends the second, and whatever else was changed does not count."""
    number = drafting.start(DORA, two_sections("G/6O;d5"), "tree.json").id
    assert [(part.number, part.must) for part in look(number).ready] == [(1, 0)]
    assert previewing.preview(look(number)).waiting == (2,)
    first = sending.send(DORA, number)
    events.accept(OFFICER, first.event, sections=[1])
    again = sending.reopen(DORA, first.submission).id
    press(again, "unreadable-time-control", "Use G/60;d5")
    mending.mend(DORA, again, "result", {"section": "1", "round": "1", "one": "1", "other": "2", "score": "lost"})
    sending.send(DORA, again)
    event = events.document(first.event)
    assert (event.sections[0].games[0].result, event.sections[1].time_control) == ("1-0", "G/60;d5")
    rated = RatingRow.objects.filter(section__event__number=first.event)
    assert {row.section.number for row in rated.select_related("section")} == {1}
    events.accept(OFFICER, first.event)
    assert {row.section.number for row in rated.all().select_related("section")} == {1, 2}


def test_a_finding_in_a_table_names_its_section(ready: str) -> None:
    """Two tables in one file: the clash stands in the second, and the first can be rated."""
    head = "No.,Name,ID,Rnd 1\n"
    one = f"Section,1\nTime control,G/60;d5\n{head}1,Ann,30000001,W2\n2,Bob,30000002,L1\n"
    two = f"Section,2\nTime control,G/60;d5\n{head}3,Cyd,30000003,W4\n4,Dan,30000004,D3\n"
    number = drafting.start(DORA, f"Event,Tree Open\nDate,2025-08-02\n\n{one}\n{two}".encode(), "two.csv").id
    assert [(part.number, part.must) for part in look(number).parts] == [(1, 0), (2, 1)]


def test_an_event_that_is_not_over_is_asked_about_and_never_refused(ready: str) -> None:
    """On the day before its end; whoever says that the days are right sends it, and the officer reads the warning."""
    report = data(document("Tree Open", DAY, IDS[:4], GAMES))
    with clock.set_to(datetime(2025, 8, 1, 23, tzinfo=UTC)):
        number = drafting.start(DORA, report, "tree.json").id
        (asked,) = [one for one in look(number).all if one.code == "future-event"]
        assert (asked.look, asked.must) == (True, False)
        assert asked.words == "It ends on 2 August 2025, a day that is still to come."
        press(number, "future-event", "It is right")
        assert look(number).look == 0
        sent = sending.send(DORA, number)
        assert "future-event" in {one.code for one in sent.findings}
    with clock.set_to(datetime(2025, 8, 5, tzinfo=UTC)):  # it came before its end, whenever it is looked at
        (waiting,) = events.review(OFFICER)
        assert "future-event" in {one.code for one in waiting.findings}
        assert waiting.acceptable
        late = drafting.start(DORA, data(document("Leaf Open", DAY, IDS[:4], GAMES)), "leaf.json").id
        assert "future-event" not in {one.code for one in look(late).all}
