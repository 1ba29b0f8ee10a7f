"""Each mend changes what it says and nothing else; each finding that a file can give has a mend, or words that help."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from crosstable import formats
from crosstable.checks import gate
from crosstable.fixes import KINDS, FixRefused
from crosstable.fixes.places import place_of
from crosstable.fixes.suggestions import Case, suggestions
from crosstable.fixes.suggestions.events import likely
from crosstable.model import Event, Game, Level, Place, Player, Rating, Section
from crosstable.model.finding import Players
from crosstable.office.reports import finding_words, typed_report
from crosstable.office.reports.typed_report import Row, Typed
from crosstable.words.fixes import fix_text, reason_text

ROOT = Path(__file__).parents[1]
REPORTS = sorted((ROOT / "tests" / "events").glob("*/*.*"))
DAY = date(2025, 8, 2)


def small() -> Event:
    """Four players, two rounds; number 4 has no id, and nobody's dates are missing."""
    players = (
        Player(1, "30000001", "Ann Ash", ratings={"OTBR": Rating(1500, games=30)}, notes={"total": 1.5}),
        Player(2, "30000002", "Bob Birch", notes={"total": 0.5}),
        Player(3, "30000003", "Cyd Cedar", notes={"byes": {"2": "half"}}),
        Player(4, "", "Dan Dogwood"),
    )
    games = (Game(1, 1, 2, "1-0"), Game(1, 4, 3, "1/2-1/2"), Game(2, 1, 2, "1-0"))
    section = Section(1, "Open", DAY, DAY, players, games, time_control="G/60;d5")
    return Event("Tree Open", DAY, DAY, (section,))


def mended(action: str, event: Event | None = None, **values: str) -> Section:
    return KINDS[action](event or small(), {"section": "1", **values}).event.sections[0]


def test_a_result_is_seen_from_the_side_that_says_it() -> None:
    """Bob has Black in round 2 and says that he won: 0-1; in round 1 Dan has White and lost: 0-1."""
    assert mended("result", round="2", one="2", other="1", score="won").games[2].result == "0-1"
    assert mended("result", round="1", one="4", other="3", score="lost").games[1].result == "0-1"
    assert mended("result", round="1", one="3", other="4", score="lost").games[1].result == "1-0"


def test_a_game_that_was_missing_is_added_and_the_bye_goes() -> None:
    section = mended("result", round="2", one="3", other="4", score="won")
    assert (section.games[-1].white, section.games[-1].black, section.games[-1].result) == (3, 4, "1-0")
    assert section.games[-1].notes == {"color": "unknown"}
    assert section.players[2].notes["byes"] == {}


def test_a_typed_cell_changes_both_rows() -> None:
    """Round 1 of the small event: 1 beat 2, 4 drew with 3."""
    section = mended("cell", round="1", player="3", cell="w4")
    assert [(one.white, one.black, one.result) for one in section.games[:2]] == [(1, 2, "1-0"), (4, 3, "0-1")]
    section = mended("cell", round="1", player="2", cell="D 1 w")
    assert (section.games[0].white, section.games[0].black, section.games[0].result) == (2, 1, "1/2-1/2")


def test_a_typed_opponent_takes_the_place_of_the_earlier_games_and_says_who_is_left() -> None:
    done = KINDS["cell"](small(), {"section": "1", "round": "1", "player": "1", "cell": "L4"})
    section = done.event.sections[0]
    assert [(one.white, one.black, one.result) for one in section.games if one.round == 1] == [(1, 4, "0-1")]
    assert (done.before, done.after) == ("W2", "L4; row 4: W1; row 2: –; row 3: –")


def test_a_typed_bye_takes_the_place_of_a_game_and_a_typed_game_that_of_a_bye() -> None:
    section = mended("cell", round="2", player="1", cell="H")
    assert (section.players[0].notes["byes"], [one.round for one in section.games]) == ({"2": "half"}, [1, 1])
    section = mended("cell", round="2", player="4", cell="X3")
    assert (section.games[-1].result, section.players[2].notes["byes"]) == ("+/-", {})
    assert mended("cell", round="2", player="3", cell="U").players[2].notes["byes"] == {}


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("W1", r"Ann Ash \(1\) cannot have played against Ann Ash \(1\)"),
        ("W9", "no player has the number 9 in section 1"),
        ("hello", "'hello' is not a result: write W4, D4 or L4"),
        ("W2", r"Ann Ash \(1\) already has W2 in round 1"),
    ],
)
def test_a_typed_cell_that_cannot_be_is_refused_with_what_to_write(cell: str, words: str) -> None:
    with pytest.raises(FixRefused, match=words):
        mended("cell", round="1", player="1", cell=cell)


def test_players_and_sections_are_added_and_removed() -> None:
    section = mended("add-player", name="Eve Elm", id="30000009")
    assert (section.players[-1].number, section.players[-1].name, section.players[-1].id) == (5, "Eve Elm", "30000009")
    with pytest.raises(FixRefused, match="30000001 is already in section 1"):
        mended("add-player", name="Ann", id="30000001")
    with pytest.raises(FixRefused, match=r"Ann Ash \(1\) has games \(2\)"):
        mended("remove", player="1")
    section = mended("remove", player="1", games="2")
    assert ([one.number for one in section.players], len(section.games)) == ([2, 3, 4], 1)
    two = KINDS["add-section"](small(), {"name": "Reserve"}).event
    assert [(one.number, one.name, one.start) for one in two.sections] == [(1, "Open", DAY), (2, "Reserve", DAY)]
    assert KINDS["remove-section"](two, {"section": "2", "games": "0"}).event == small()
    with pytest.raises(FixRefused, match="the only section"):
        KINDS["remove-section"](small(), {"section": "1", "games": "3"})


def test_a_result_said_in_two_ways_was_in_doubt() -> None:
    """The log does not say `Ann Ash (1) won Ann Ash (1) won`."""
    done = KINDS["result"](small(), {"section": "1", "round": "1", "one": "1", "other": "2", "score": "won"})
    assert (done.before, done.after) == ("in doubt", "Ann Ash (1) won")


def test_everybody_without_an_id_is_named_where_their_ids_are_asked_for() -> None:
    event = small()
    section = replace(event.sections[0], players=tuple(replace(one, id="") for one in event.sections[0].players))
    event = replace(event, sections=(section,))
    (finding,) = [one for one in gate.examine(event).findings if one.code == "missing-id"]
    expected = "4 players have no id: Ann Ash (1), Bob Birch (2), Cyd Cedar (3), Dan Dogwood (4)."
    assert finding_words.said(finding, event, place_of(finding, event)) == expected
    with pytest.raises(FixRefused, match=r"4 ids are needed.*there are 3. Write - for a player without one"):
        mended("ids", event, ids="30000001 30000002 30000003")


def test_who_had_white_keeps_who_won() -> None:
    game = mended("white", round="2", one="2", other="1").games[2]
    assert (game.white, game.black, game.result) == (2, 1, "0-1")


def test_games_go_move_and_get_another_opponent() -> None:
    assert len(mended("no-game", round="2", one="1", other="2").games) == 2
    assert [game.round for game in mended("round", round="2", one="1", other="2", to="3").games] == [1, 1, 3]
    event = small()
    wrong = replace(event.sections[0], games=(Game(1, 1, 9, "1-0"), Game(1, 3, 3, "0-1")))
    event = replace(event, sections=(wrong,))
    assert mended("opponent", event, round="1", one="1", other="9", new="2").games[0].black == 2
    assert mended("opponent", event, round="1", one="3", other="3", new="4").games[1] == Game(1, 3, 4, "0-1")


def test_one_person_in_two_rows() -> None:
    """Bob is Ann once more: the same id and rating. Or his row is one too many, and his games are hers."""
    again = mended("re-entry", one="1", other="4").players[3]
    assert (again.number, again.id, again.ratings["OTBR"].rating) == (4, "30000001", 1500)
    event = small()
    apart = replace(event.sections[0], games=(Game(1, 4, 3, "1-0"), Game(2, 1, 2, "1-0")))
    joined = mended("join", replace(event, sections=(apart,)), one="1", other="4")
    assert [player.number for player in joined.players] == [1, 2, 3]
    assert joined.games[0] == Game(1, 1, 3, "1-0")
    with pytest.raises(FixRefused, match="two people"):
        mended("join", one="1", other="2")


def test_players_get_ids_names_ratings_and_ages() -> None:
    assert mended("id", player="4", id="30000004").players[3].id == "30000004"
    assert mended("ids", ids="30000004").players[3].id == "30000004"
    assert [one.id for one in mended("swap-ids", one="1", other="2").players[:2]] == ["30000002", "30000001"]
    assert mended("rating", player="4", rating="1641P17").players[3].ratings == {"OTBR": Rating(1641.0, games=17)}
    assert mended("rating", player="1", rating="").players[0].ratings == {}
    # 2025 §2.1: established from the 26th game on; without a P it is, as in files
    assert mended("rating", player="4", rating="1641").players[3].ratings == {"OTBR": Rating(1641.0, games=26)}
    assert mended("rating", player="4", rating="1641P").players[3].ratings == {"OTBR": Rating(1641.0)}
    assert [one.adult for one in mended("adult").players] == [False, True, True, True]
    line = KINDS["born"](small(), {"section": "1", "player": "4", "day": "2014-05-05"})
    assert line.event.sections[0].players[3].birth_date == date(2014, 5, 5)
    assert "2014" not in line.before + line.after + line.place


def test_dates_and_time_controls() -> None:
    undated = replace(small(), start=None, end=None)
    undated = replace(undated, sections=(replace(undated.sections[0], start=None, end=None, time_control="G/6O;d5"),))
    given = KINDS["dates"](undated, {"start": "2025-08-02", "end": "2025-08-03"}).event
    assert (given.start, given.end) == (date(2025, 8, 2), date(2025, 8, 3))
    assert (given.sections[0].start, given.sections[0].end) == (given.start, given.end)
    assert mended("time-control", undated, time_control="G/60;d5").time_control == "G/60;d5"
    with pytest.raises(FixRefused, match="before it starts"):
        KINDS["dates"](undated, {"start": "2025-08-03", "end": "2025-08-02"})


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("G/6O;d5", "G/60;d5"), ("G/l5;d5", "G/15;d5"), ("G/60;d5", ""), ("by post", ""), ("", "")],
)
def test_time_controls_that_were_meant(typed: str, meant: str) -> None:
    assert likely(typed) == meant


@pytest.mark.parametrize("action", sorted(KINDS))
def test_values_that_do_not_fit_are_refused_in_words(action: str) -> None:
    """Whatever a program posts: a sentence, and never another exception."""
    for values in ({}, {"section": "x"}, {"section": "9"}, {"section": "1", "player": "99", "one": "1", "other": "1"}):
        with suppress(FixRefused):
            KINDS[action](small(), values)


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.name)
def test_every_error_and_warning_has_a_mend_or_words(path: Path) -> None:
    """Check the examples of each finding; a button can do what its label says."""
    check_offers(path)


@pytest.mark.shared
def test_every_error_and_warning_of_the_samples_has_a_mend_or_words(shared: Path) -> None:
    samples = sorted((shared / "samples").glob("*/*.*"))
    assert len(samples) == 33
    for path in samples:
        check_offers(path)


def check_offers(path: Path) -> None:
    reading = formats.read(path.read_bytes(), path.name)
    verdict = gate.examine(reading)
    for finding in verdict.findings:
        if finding.level is Level.NOTICE:
            continue
        event = verdict.event or Event("", None, None, ())
        place = place_of(finding, event)
        fixes = suggestions(Case(event, finding, place, {})) if verdict.event else []
        assert fixes or finding_words.advice(finding), finding
        assert (
            finding_words.said(finding, event, place)[0].isupper()
            or not finding_words.said(finding, event, place)[0].isalpha()
        )
        for fix in fixes:
            assert fix.kind in KINDS
            assert fix_text(fix, finding, event)
            if not fix.inputs:
                KINDS[fix.kind](event, fix.values)  # what a button does, it can do


def test_the_result_that_fits_both_totals_comes_first() -> None:
    """Ann's total of 1½ and Bob's of ½ fit a draw in one of their two games, and nothing else."""
    event = small()
    found = next(iter(formats.codes.RESULT_CLASH for _ in (1,)))
    finding = found.at(
        Place(line=4, players=(1, 2), round=2),
        "{players} report different results of one game: {first} and {second}",
        players=Players((1, 2)),
        first="W",
        second="D",
    )
    first = suggestions(Case(event, finding, place_of(finding, event), {}))[0]
    assert (fix_text(first, finding, event), first.suggested) == ("It was a draw", True)
    assert reason_text(first) == "Both totals fit a draw."
    assert finding_words.said(finding, event, place_of(finding, event)) == "Round 2: row 1 says won, row 2 says drawn."


def test_only_one_side_of_a_typed_game_is_needed() -> None:
    rows = (Row("30000001", "Ann", "1500", ("W2B", "H")), Row("", "Bob", "", ("", "d3")), Row("", "Cyd", "", ("u", "")))
    typed = typed_report.completed(typed_report.checked(Typed({"event": "Typed", "start": "2025-08-02"}, 2, rows)))
    assert [row.cells for row in typed.rows] == [("W2B", "H"), ("L1W", "D3"), ("U", "D2")]
    reading = formats.read(typed_report.as_table(typed), "typed.csv")
    assert reading.ok
    assert [(game.round, game.white, game.black, game.result) for game in reading.event.sections[0].games] == [
        (1, 2, 1, "0-1"),
        (2, 2, 3, "1/2-1/2"),
    ]
    assert reading.event.sections[0].players[0].notes["byes"] == {"2": "half"}


def test_no_fix_leaves_two_games_of_one_pair_in_a_round() -> None:
    """Ann and Bob met in both rounds; the second game does not move into the first, nor does a third come to it."""
    with pytest.raises(FixRefused, match="numbers 1 and 2 already have a game in round 1"):
        mended("round", round="2", one="1", other="2", to="1")
    event = small()
    twice = replace(event.sections[0], games=(Game(1, 1, 2, "1-0"), Game(1, 2, 1, "1-0")))
    event = replace(event, sections=(twice,))
    # of two in a file, each is removed by its own button
    assert mended("no-game", event, round="1", one="2", other="1").games == (Game(1, 1, 2, "1-0"),)
    assert mended("no-game", event, round="1", one="1", other="2").games == (Game(1, 2, 1, "1-0"),)
