"""Lists of games and typed rows on the director's desk: what is missing is said with one press, and kept as every mend
is.
"""

from __future__ import annotations

from director_desk import labels_of
from simulated import OFFICER

from crosstable.office import players
from crosstable.office.people.rights import Actor, Role
from crosstable.office.reports import draft_page, drafts, events, fixing, sending
from crosstable.office.reports.typed_report import Row, Typed
from crosstable.words.fixes import reason_text

DORA = Actor("dora", Role.DIRECTOR)
HEAD = "Rd,White,White ID,Black,Black ID,Result\n"
ANN, BO, CY, DEE = (
    f"{name},3000000{place}" for place, name in enumerate(("Ann Ames", "Bo Muller", "Cy Poe", "Dee Orr"), 1)
)
ROUNDS = f"1,{ANN},{BO},1-0\n1,{CY},{DEE},0-1\n"


def start(text: str) -> int:
    return drafts.start(DORA, text.encode(), "games.csv").id


def shown(number: int, code: str) -> list[draft_page.Shown]:
    return [one for one in draft_page.look(drafts.load(DORA, number)).all if one.code == code]


def press(number: int, code: str, label: str) -> None:
    (one,) = shown(number, code)
    fix = one.fixes[labels_of(number, one).index(label)]
    fixing.mend(DORA, number, fix.kind, fix.values, one.finding)


def test_a_result_that_cannot_be_read_is_said_with_one_press(ready: str) -> None:
    draft = start(HEAD + ROUNDS + f"2,{ANN},{CY},?!\n2,{BO},{DEE},1/2-1/2\n")
    (unread,) = shown(draft, "unreadable-cell")
    assert (
        unread.words
        == "Round 2: Ann Ames (1) against Cy Poe (3): the file has “?!”, which is not a result that we know."
    )
    assert (unread.place.section, unread.place.players, unread.place.round) == (1, (1, 3), 2)
    assert labels_of(draft, unread) == [
        "Ames won (White)",
        "It was a draw",
        "Poe won (Black)",
        "Leave it out",
    ]
    (part,) = draft_page.look(drafts.load(DORA, draft)).parts
    assert part.rows[0].cells[1].typed == "?!"
    press(draft, "unreadable-cell", "Poe won (Black)")
    assert shown(draft, "unreadable-cell") == []
    event = drafts.load(DORA, draft).event
    assert event is not None
    game = next(one for one in event.sections[0].games if (one.white, one.black) == (1, 3))
    assert (game.round, game.result, dict(game.notes)) == (2, "0-1", {})  # the list says who had White
    (line,) = fixing.lines(drafts.load(DORA, draft).row)
    assert (line.place, line.before, line.after, line.author) == (
        "section 1, round 2, Ann Ames (1) against Cy Poe (3)",
        "no game",
        "Ann Ames (1) lost",
        "dora",
    )
    fixing.undo(DORA, draft)
    assert len(shown(draft, "unreadable-cell")) == 1
    for action, values in (
        ("dates", {"start": "2025-08-02", "end": "2025-08-02"}),
        ("time-control", {"section": "1", "time_control": "G/60;d5"}),
        ("facts", {"name": "Slips"}),
    ):
        fixing.mend(DORA, draft, action, values)
    press(draft, "unreadable-cell", "It was a draw")
    sent = events.document(sending.send(DORA, draft).event)
    assert [one.result for one in sent.sections[0].games if {one.white, one.black} == {1, 3}] == ["1/2-1/2"]


def test_left_out_it_is_no_game(ready: str) -> None:
    draft = start(HEAD + ROUNDS + f"2,{ANN},{CY},?!\n")
    press(draft, "unreadable-cell", "Leave it out")
    event = drafts.load(DORA, draft).event
    assert event is not None
    assert len(event.sections[0].games) == 2
    assert shown(draft, "unreadable-cell") == []


def test_a_letter_for_a_digit_is_read_and_nothing_is_asked(ready: str) -> None:
    draft = start(HEAD + ROUNDS + f"2,{ANN},{CY},1-O\n")
    assert shown(draft, "unreadable-cell") == []
    event = drafts.load(DORA, draft).event
    assert event is not None
    assert [one.result for one in event.sections[0].games] == ["1-0", "0-1", "1-0"]


def test_a_game_without_a_result_names_both_and_the_round_that_a_list_does_not_count(ready: str) -> None:
    """The second game of Ann stands where it was played: the third is not taken for it."""
    head = HEAD.removeprefix("Rd,")
    draft = start(head + f"{ANN},{BO},1-0\n{ANN},{CY},*\n{DEE},{ANN},0-1\n")
    (unread,) = shown(draft, "no-result")
    assert unread.words == "Round 2: Ann Ames (1) against Cy Poe (3): there is no result."
    press(draft, "no-result", "Ames won (White)")
    event = drafts.load(DORA, draft).event
    assert event is not None
    assert [(one.round, one.white, one.black, one.result) for one in event.sections[0].games] == [
        (1, 1, 2, "1-0"),
        (2, 1, 3, "1-0"),
        (3, 4, 1, "0-1"),
    ]
    assert shown(draft, "two-games-in-round") == []
    assert shown(draft, "round-out-of-range") == []


def test_where_no_result_can_be_read_the_first_one_said_makes_it_a_list(ready: str) -> None:
    draft = start(HEAD + f"1,{ANN},{BO},??\n1,{CY},{DEE},!?\n")
    assert [one.finding.level for one in shown(draft, "nothing-played")] == ["error"]
    first, second = shown(draft, "unreadable-cell")
    fixing.mend(DORA, draft, "result", first.fixes[0].values, first.finding)
    assert shown(draft, "nothing-played") == []
    assert [one.place.players for one in shown(draft, "unreadable-cell")] == [second.place.players]


def test_a_known_id_without_a_name_is_offered_the_name_of_the_register(ready: str) -> None:
    for number, name in (("30000001", "Ahmed Dale"), ("30000002", "Maya Cruz")):
        players.add(OFFICER, number, name=name)
    players.forget_name(OFFICER, "30000002", "asked by letter")
    facts = {"event": "Typed Open", "start": "2025-12-27", "time_control": "G/60;d5"}
    rows = (Row("30000001", "", "", ("W2",)), Row("30000002", "", "", ()), Row("30000009", "", "", ("",)))
    draft = drafts.start_typed(DORA, Typed(facts, 1, rows)).id
    drafts.read_typed(DORA, draft)
    labels = [labels_of(draft, one) for one in shown(draft, "missing-name")]
    # a name that is withheld is not told to a director, and nobody has the third id
    assert labels == [["Use Ahmed Dale", "Use this name"], ["Use this name"], ["Use this name"]]
    first = shown(draft, "missing-name")[0]
    assert first.main is not None
    assert reason_text(first.main) == "Ahmed Dale"
    fixing.mend(DORA, draft, first.main.kind, first.main.values, first.finding)
    event = drafts.load(DORA, draft).event
    assert event is not None
    assert [player.name for player in event.sections[0].players] == ["Ahmed Dale", "", ""]
    assert fixing.lines(drafts.load(DORA, draft).row)[0].after == "Ahmed Dale"


def test_a_line_that_names_two_players_and_no_result_is_asked_about(ready: str) -> None:
    lines = ["Monday Blitz, Dec 29 2025, G/5", "Round 1", "Ann Ames 1-0 Bo Muller", "Cy R Poe 0-1 Dee Orr", "Round 2"]
    draft = start("\n".join([*lines, "Dee Orr 1-? Ann Ames", "Bo Muller x Cy Poe"]))
    second, first = shown(draft, "invalid-line")  # in the order of the rows
    assert first.words == "Round 2: Dee Orr (4) against Ann Ames (1): “Dee Orr 1-? Ann Ames” cannot be read as a game."
    assert second.words == "Round 2: Bo Muller (2) against Cy R Poe (3): “Bo Muller x Cy Poe” cannot be read as a game."
    assert labels_of(draft, second) == [
        "Muller won (White)",
        "It was a draw",
        "Poe won (Black)",
        "Leave it out",
    ]
    assert draft_page.look(drafts.load(DORA, draft)).ready == []
    fixing.mend(DORA, draft, "result", second.fixes[2].values, second.finding)
    press(draft, "invalid-line", "Leave it out")
    assert shown(draft, "invalid-line") == []
    event = drafts.load(DORA, draft).event
    assert event is not None
    assert [(one.round, one.white, one.black, one.result) for one in event.sections[0].games] == [
        (1, 1, 2, "1-0"),
        (1, 3, 4, "0-1"),
        (2, 2, 3, "0-1"),
    ]
