"""Mends of a draft: every one is kept, can be undone, and asks no more than it must."""

from __future__ import annotations

import pytest
from director_desk import DAY, DORA, GAMES, IDS, labels_of, look, press
from simulated import OFFICER, data, document
from tests.desk_files import BOOSTER

from crosstable.errors import OfficeError
from crosstable.fixes import FixRefused
from crosstable.office.ledger.models import Player
from crosstable.office.reports import accepting, drafts, fixing, submissions
from crosstable.words.fixes import fix_text


def labels(number: int, code: str) -> list[str]:
    return [label for one in look(number).all if one.code == code for label in labels_of(number, one)]


def test_a_mend_is_kept_and_can_be_undone(clash: int) -> None:
    before = drafts.load(DORA, clash).event
    press(clash, "result-clash", "It was a draw")
    assert "result-clash" not in {one.code for one in look(clash).all}
    (line,) = fixing.lines(drafts.find(DORA, clash))
    assert (line.place, line.before, line.after, line.author) == (
        "section 1, round 5, Joel Barlow (2) against Kira Calder (3)",
        "Joel Barlow (2) won",
        "Joel Barlow (2) drew",
        "dora",
    )
    fixing.undo(DORA, clash)
    assert drafts.load(DORA, clash).event == before
    assert "result-clash" in {one.code for one in look(clash).all}
    assert fixing.lines(drafts.find(DORA, clash)) == []
    with pytest.raises(OfficeError, match="nothing to undo"):
        fixing.undo(DORA, clash)


def test_a_mend_that_does_not_fit_changes_nothing(clash: int) -> None:
    before = drafts.load(DORA, clash).event
    for action, values in (("result", {}), ("nonsense", {}), ("id", {"section": "1", "player": "77", "id": "1"})):
        with pytest.raises(FixRefused):
            fixing.mend(DORA, clash, action, values)
    assert drafts.load(DORA, clash).event == before


def test_a_newcomer_is_said_to_be_an_adult_where_the_row_is_mended(ready: str) -> None:
    """2025 section 2: without a birth date an adult starts at 1300, anybody else at 750."""
    submissions.submit(OFFICER, data(document("Before", DAY, IDS[:4], GAMES)), "before.json", "A")
    accepting.accept(OFFICER, "A")
    report = data(document("Tree Open", DAY, [*IDS[:3], "39999999"], GAMES, facts={}))
    number = drafts.start(DORA, report, "tree.json").id
    assert {"An adult", "Use this birth date"} <= set(labels(number, "unknown-id"))
    press(number, "unknown-id", "An adult")
    event = drafts.load(DORA, number).event
    assert event is not None
    assert event.sections[0].players[3].adult
    assert "An adult" not in labels(number, "unknown-id")


def test_somebody_said_to_be_new_is_still_asked_how_old(ready: str) -> None:
    submissions.submit(OFFICER, data(document("Before", DAY, IDS[:4], GAMES)), "before.json", "A")
    accepting.accept(OFFICER, "A")
    number = drafts.start(DORA, data(document("Tree Open", DAY, [*IDS[:3], "39999999"], GAMES)), "tree.json").id
    press(number, "unknown-id", "Keep it: a new member")
    (kept,) = [one for one in look(number).all if one.code == "unknown-id"]
    assert (kept.said, [fix_text(one, kept.finding) for one in kept.buttons]) == (
        True,
        ["An adult", "Use this birth date"],
    )
    fixing.mend(DORA, number, "born", {**kept.buttons[1].values, "day": "2015-03-04"}, kept.finding)
    (kept,) = [one for one in look(number).all if one.code == "unknown-id"]
    assert (kept.said, kept.buttons) == (True, ())


def test_many_newcomers_are_asked_once_each_and_answered_together(ready: str) -> None:
    """Four of the six players are unrated, and the file does not say how old they are."""
    submissions.submit(OFFICER, data(document("Before", DAY, IDS[:4], GAMES)), "before.json", "A")
    accepting.accept(OFFICER, "A")
    number = drafts.start(DORA, BOOSTER.read_bytes(), BOOSTER.name).id
    (part,) = look(number).parts
    assert (part.ageless, "missing-rating" in {one.code for one in part.all}) == (4, False)
    alike = [one for one in part.all if one.code == "unknown-id"]
    fixing.mend_all(DORA, number, [("keep", {}, one.finding) for one in alike])
    (part,) = look(number).parts
    assert (part.ageless, part.many_ageless) == (4, 4)  # that they are new does not say how old they are
    fixing.mend(DORA, number, "adult", {"section": "1"})
    (part,) = look(number).parts
    assert (part.ageless, part.many_ageless) == (0, 0)


def test_ids_by_name_and_by_two_digits(ready: str) -> None:
    """Ada has 30000001; Ben is called by his name alone, and his id has two digits changed places."""
    facts = {IDS[0]: {"name": "Ada Ash"}, IDS[1]: {"name": "Ben Birch"}, IDS[2]: {"name": "Cyd C Cedar"}}
    submissions.submit(OFFICER, data(document("Before", DAY, IDS[:4], GAMES, facts=facts)), "before.json", "A")
    accepting.accept(OFFICER, "A")
    wrong = {"": {"name": "Ada Ash"}, "30000020": {"name": "Ben Birch"}, "77777777": {"name": "Cedar, Cyd"}}
    report = document("Tree Open", DAY, ["", "30000020", "77777777", IDS[3]], GAMES, facts=wrong)
    number = drafts.start(DORA, data(report), "tree.json").id
    main = {one.code: one.main.values["id"] for one in look(number).suggested if one.main}
    assert main == {"no-id": IDS[0], "transposed-id": IDS[1], "unknown-id": IDS[2]}
    Player.objects.filter(number=IDS[0]).update(withheld=True)  # nobody finds an id by a withheld name
    assert "no-id" not in {one.code for one in look(number).suggested}


def test_all_suggested_mends_at_once(ready: str) -> None:
    report = document("Tree Open", DAY, IDS[:4], GAMES, control="G/6O;d5") | {"state": "Ohio"}
    number = drafts.start(DORA, data(report), "tree.json").id
    wanted = [(one.main.kind, one.main.values, one.finding) for one in look(number).suggested if one.main]
    assert fixing.mend_all(DORA, number, wanted) == 2
    event = drafts.load(DORA, number).event
    assert event is not None
    assert (event.state, event.sections[0].time_control) == ("OH", "G/60;d5")
    assert look(number).must == 0
    fixing.undo(DORA, number)  # what came together goes together
    event = drafts.load(DORA, number).event
    assert event is not None
    assert (event.state, event.sections[0].time_control) == ("Ohio", "G/6O;d5")


def test_a_text_that_is_changed_keeps_its_mends(clash: int) -> None:
    """The director names the event with a button, then corrects the result in the text itself."""
    press(clash, "missing-event-name", "Use this name", name="Clash Open")
    text = drafts.text(DORA, clash)
    assert text is not None
    assert text.count("     3 b 1") == 1  # the second line says that number 2 won
    assert fixing.mend_text(DORA, clash, text.replace("     3 b 1", "     3 b 0")) == 1
    event = drafts.load(DORA, clash).event
    assert event is not None
    assert event.name == "Clash Open"
    assert "result-clash" not in {one.code for one in look(clash).all}


def test_no_suggestion_contradicts_a_game_of_the_same_round(ready: str) -> None:
    """Cy and Ann agree on their game. Di's row names Cy in that round too, and both totals would fit it."""
    rows = [
        "No.,Name,ID,Rnd 1,Total",
        f"1,Ann,{IDS[0]},W3,1",
        f"2,Bo,{IDS[1]},H,0.5",
        f"3,Cy,{IDS[2]},L1,0",
        f"4,Di,{IDS[3]},W3,1",
    ]
    number = drafts.start(DORA, "\n".join(rows).encode(), "odd.csv").id
    (odd,) = (one for one in look(number).all if one.code == "not-mirrored")
    assert "Di won" in labels_of(number, odd)
    assert odd.main is None


def test_any_fix_is_undone_and_the_later_ones_are_applied_again(clash: int) -> None:
    """Three steps; the first one goes, the second no longer fits without it, the third stays."""
    fixing.mend(DORA, clash, "add-player", {"section": "1", "name": "Eve Elm"})
    event = drafts.load(DORA, clash).event
    assert event is not None
    new = event.sections[0].players[-1].number
    fixing.mend(DORA, clash, "name", {"section": "1", "player": str(new), "name": "Eva Elm"})
    fixing.mend(DORA, clash, "facts", {"name": "Tree Open"})
    first, _, last = fixing.lines(drafts.find(DORA, clash))
    (lost,) = fixing.undo(DORA, clash, first.step)
    assert lost.after == "Eva Elm"
    event = drafts.load(DORA, clash).event
    assert event is not None
    assert (event.name, event.sections[0].players[-1].number) == ("Tree Open", new - 1)
    assert [one.step for one in fixing.lines(drafts.find(DORA, clash))] == [last.step]
    fixing.undo(DORA, clash)  # the last one can still be undone: it has what was there before it now
    event = drafts.load(DORA, clash).event
    assert event is not None
    assert event.name != "Tree Open"
    with pytest.raises(OfficeError, match="nothing to undo"):
        fixing.undo(DORA, clash, first.step)


def test_one_mistake_shows_one_message_and_at_most_three_controls(clash: int) -> None:
    """Fields, buttons, the link to the cell and "Other" count."""
    shown = [one for one in look(clash).all if one.must or one.look]
    assert shown
    for one in shown:
        offered = one.offered
        groups = list(dict.fromkeys(fix.inputs for fix in offered.first))
        controls = len(offered.first) + sum(len(inputs) for inputs in groups) + one.in_cell
        assert controls + bool(offered.others or offered.find) <= 3, one.words
        assert all(fix in one.fixes for fix in (*offered.first, *offered.others))
