"""Events as hypothesis invents them: odd names, forfeits, byes, colours unknown, several games in a round."""

from __future__ import annotations

import dataclasses
from datetime import date
from functools import cache

from hypothesis import strategies as st

from crosstable.model import Event, ForeignRating, Game, Player, Rating, Section

TEXT = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\0") | st.sampled_from("=+-@'\",;|/#:. ÄéŠ½"),
    max_size=40,
)
NAMES = (
    st.sampled_from(["Ada Example", "O'Brien, Pat", "=1+1", "-dash", "@at", "+plus", "Müller", "A|B", "X/Y", ""]) | TEXT
)
DAYS = st.dates(date(2001, 1, 1), date(2040, 12, 31))
CONTROLS = st.sampled_from(
    [None, "G/60;d5", "40/90,SD/30;d5", "G/5;d0", "G/25;d3", "Round 1: G/45;d5, Round 2: G/60;d5"]
)
KEYS = st.sampled_from(["OTBR", "OTBQ", "OTBB", "OLR", "FIDE"])
BYES = st.sampled_from(["full", "half", "pairing", "forfeit-win", "forfeit-loss", "forfeit-draw"])


#: What a draw needs is made once: hypothesis examines every strategy that it has not seen before
RATINGS = st.dictionaries(
    KEYS,
    st.builds(Rating, st.floats(100, 2999).map(lambda value: round(value, 4)), games=st.none() | st.integers(1, 400)),
    max_size=3,
)
STATES = st.sampled_from(["OH", "CA", "Ohio"])
BYES_BY_ROUND = st.dictionaries(st.integers(1, 6).map(str), BYES, max_size=2)
FIDE = st.none() | st.builds(ForeignRating, st.integers(1400, 2800).map(float))
IDS = st.sampled_from(["12345678", "", "87654321", "A1"]) | TEXT
BIRTH_DATES = st.none() | st.dates(date(1920, 1, 1), date(2015, 1, 1))
NUMBERS = st.lists(st.integers(1, 60), unique=True, max_size=7)
ROUNDS = st.integers(1, 6)
GAMES = st.integers(0, 8)
GAME_NOTES = st.sampled_from([{}, {}, {}, {"color": "unknown"}])
MODES = st.sampled_from(["otb", "online"])
KINDS = st.sampled_from(["swiss", "match", "other"])
WEIGHTS = st.sampled_from(["full", "half", "quarter"])
YES_OR_NO = st.booleans()


@st.composite
def _players(draw: st.DrawFn) -> Player:
    notes: dict[str, object] = {}
    if draw(YES_OR_NO):
        notes["state"] = draw(STATES)
    if byes := draw(BYES_BY_ROUND):
        notes["byes"] = byes
    return Player(
        0,  # the section gives the numbers
        draw(IDS),
        draw(NAMES),
        birth_date=draw(BIRTH_DATES),
        ratings=draw(RATINGS),
        fide=draw(FIDE),
        notes=notes,
    )


PLAYERS = _players()


RESULTS = st.sampled_from(["1-0", "0-1", "1/2-1/2", "+/-", "-/+", "-/-"])


@st.composite
def _sections(draw: st.DrawFn) -> Section:
    numbers = draw(NUMBERS)
    entries = tuple(dataclasses.replace(draw(PLAYERS), number=number) for number in numbers)
    games: list[Game] = []
    if len(numbers) > 1:
        for _ in range(draw(GAMES)):
            white, black = draw(_pairs(tuple(numbers)))
            games.append(Game(draw(ROUNDS), white, black, draw(RESULTS), notes=draw(GAME_NOTES)))
    busy = {(n, game.round) for game in games for n in (game.white, game.black)}
    entries = tuple(_free(player, busy) for player in entries)
    return Section(
        0,  # the event gives number and days
        draw(NAMES),
        date.min,
        date.min,
        entries,
        tuple(games),
        mode=draw(MODES),
        kind=draw(KINDS),
        weight=draw(WEIGHTS),
        colors=draw(YES_OR_NO),
        time_control=draw(CONTROLS),
    )


SECTIONS = _sections()


@cache
def _pairs(numbers: tuple[int, ...]) -> st.SearchStrategy[tuple[int, int]]:
    return st.sampled_from([(a, b) for a in numbers for b in numbers if a != b])


def _free(player: Player, busy: set[tuple[int, int]]) -> Player:
    """Nobody has a bye and a game in one round; games may still move past the sixth, so byes stay where none can
    come.
    """
    has_games = any(number == player.number for number, _ in busy)
    notes = {key: value for key, value in player.notes.items() if key != "byes" or not has_games}
    return Player(
        player.number, player.id, player.name, player.birth_date, ratings=player.ratings, fide=player.fide, notes=notes
    )


EVENT_STATES = st.sampled_from(["", "OH", "Ohio"])
COUNTRIES = st.sampled_from(["", "USA"])
AFFILIATES = st.sampled_from(["", "A6012345", "x"])
DIRECTORS = st.sampled_from(["", "12345678", "J. Doe"])
COUNTS = {most: st.integers(1, most) for most in (1, 3)}


@st.composite
def events(draw: st.DrawFn, most_sections: int = 3) -> Event:
    start, end = sorted((draw(DAYS), draw(DAYS)))
    count = draw(COUNTS[most_sections])
    return Event(
        draw(NAMES),
        start,
        end,
        tuple(dataclasses.replace(draw(SECTIONS), number=n, start=start, end=end) for n in range(1, count + 1)),
        city=draw(NAMES),
        state=draw(EVENT_STATES),
        country=draw(COUNTRIES),
        affiliate=draw(AFFILIATES),
        chief_td=draw(DIRECTORS),
    )


RANKS = st.sampled_from(["3d", "12k", "1p", "2.5"])
FIELD_SIZES = st.integers(0, 6)
GO_RESULTS = st.sampled_from(["1-0", "0-1", "+/-"])
HANDICAPS = st.integers(0, 9)
KOMI = st.sampled_from([0.0, 0.5, 6.5, 7.5, -5.5])


@st.composite
def go_events(draw: st.DrawFn) -> Event:
    start, end = sorted((draw(DAYS), draw(DAYS)))
    count = draw(FIELD_SIZES)
    entries = tuple(Player(n, str(1000 + n), draw(NAMES), rank=draw(RANKS)) for n in range(1, count + 1))
    pairs = _pairs(tuple(range(1, count + 1)))
    games = [
        Game(r, *draw(pairs), draw(GO_RESULTS), handicap=draw(HANDICAPS), komi=draw(KOMI))
        for r in range(1, draw(ROUNDS))
        if count > 1
    ]
    section = Section(1, "Open", start, end, entries, tuple(games), kind="other", notes={"rules": draw(NAMES)})
    return Event(draw(NAMES), start, end, (section,), city=draw(NAMES))
