"""Events as hypothesis invents them: odd names, forfeits, byes, colours unknown, several games in a round."""

from __future__ import annotations

from datetime import date

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


@st.composite
def ratings(draw: st.DrawFn) -> dict[str, Rating]:
    values = st.floats(100, 2999).map(lambda value: round(value, 4))
    record = st.builds(Rating, values, games=st.none() | st.integers(1, 400))
    return draw(st.dictionaries(KEYS, record, max_size=3))


@st.composite
def players(draw: st.DrawFn, number: int) -> Player:
    notes: dict[str, object] = {}
    if draw(st.booleans()):
        notes["state"] = draw(st.sampled_from(["OH", "CA", "Ohio"]))
    byes = draw(st.dictionaries(st.integers(1, 6).map(str), BYES, max_size=2))
    if byes:
        notes["byes"] = byes
    fide = draw(st.none() | st.builds(ForeignRating, st.integers(1400, 2800).map(float)))
    return Player(
        number,
        draw(st.sampled_from(["12345678", "", "87654321", "A1"]) | TEXT),
        draw(NAMES),
        birth_date=draw(st.none() | st.dates(date(1920, 1, 1), date(2015, 1, 1))),
        ratings=draw(ratings()),
        fide=fide,
        notes=notes,
    )


RESULTS = ["1-0", "0-1", "1/2-1/2", "+/-", "-/+", "-/-"]


@st.composite
def sections(draw: st.DrawFn, number: int, start: date, end: date, go: bool = False) -> Section:
    numbers = draw(st.lists(st.integers(1, 60), unique=True, max_size=7))
    entries = tuple(draw(players(n)) for n in numbers)
    games: list[Game] = []
    if len(numbers) > 1:
        for _ in range(draw(st.integers(0, 8))):
            white, black = draw(st.sampled_from([(a, b) for a in numbers for b in numbers if a != b]))
            notes = draw(st.sampled_from([{}, {}, {}, {"color": "unknown"}]))
            games.append(Game(draw(st.integers(1, 6)), white, black, draw(st.sampled_from(RESULTS)), notes=notes))
    busy = {(n, game.round) for game in games for n in (game.white, game.black)}
    entries = tuple(_free(player, busy) for player in entries)
    return Section(
        number,
        draw(NAMES),
        start,
        end,
        entries,
        tuple(games),
        mode=draw(st.sampled_from(["otb", "online"])),
        kind=draw(st.sampled_from(["swiss", "match", "other"])),
        weight=draw(st.sampled_from(["full", "half", "quarter"])),
        colors=draw(st.booleans()),
        time_control=draw(CONTROLS),
    )


def _free(player: Player, busy: set[tuple[int, int]]) -> Player:
    """Nobody has a bye and a game in one round; games may still move past the sixth, so byes stay where none can come."""
    has_games = any(number == player.number for number, _ in busy)
    notes = {key: value for key, value in player.notes.items() if key != "byes" or not has_games}
    return Player(
        player.number, player.id, player.name, player.birth_date, ratings=player.ratings, fide=player.fide, notes=notes
    )


@st.composite
def events(draw: st.DrawFn, most_sections: int = 3) -> Event:
    start, end = sorted((draw(DAYS), draw(DAYS)))
    count = draw(st.integers(1, most_sections))
    return Event(
        draw(NAMES),
        start,
        end,
        tuple(draw(sections(n, start, end)) for n in range(1, count + 1)),
        city=draw(NAMES),
        state=draw(st.sampled_from(["", "OH", "Ohio"])),
        country=draw(st.sampled_from(["", "USA"])),
        affiliate=draw(st.sampled_from(["", "A6012345", "x"])),
        chief_td=draw(st.sampled_from(["", "12345678", "J. Doe"])),
    )


@st.composite
def go_events(draw: st.DrawFn) -> Event:
    start, end = sorted((draw(DAYS), draw(DAYS)))
    count = draw(st.integers(0, 6))
    entries = tuple(
        Player(n, str(1000 + n), draw(NAMES), rank=draw(st.sampled_from(["3d", "12k", "1p", "2.5"])))
        for n in range(1, count + 1)
    )
    games = [
        Game(
            r,
            *draw(st.sampled_from([(a, b) for a in range(1, count + 1) for b in range(1, count + 1) if a != b])),
            draw(st.sampled_from(["1-0", "0-1", "+/-"])),
            handicap=draw(st.integers(0, 9)),
            komi=draw(st.sampled_from([0.0, 0.5, 6.5, 7.5, -5.5])),
        )
        for r in range(1, draw(st.integers(1, 6)))
        if count > 1
    ]
    section = Section(1, "Open", start, end, entries, tuple(games), kind="other", notes={"rules": draw(NAMES)})
    return Event(draw(NAMES), start, end, (section,), city=draw(NAMES))
