"""An event, its players, games and ratings: frozen records whose fields are those of the event document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from datetime import date, datetime
from numbers import Integral, Real
from typing import Any

from crosstable.arguments import day_of
from crosstable.errors import WrongValue

FORMAT = "crosstable-event/1"

#: What each result is worth to White and to Black, in half points. Unplayed games are worth nothing to a rating.
PLAYED_RESULTS: Mapping[str, tuple[int, int]] = {"1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1)}
UNPLAYED_RESULTS = ("+/-", "-/+", "-/-")
MODES = ("otb", "online")
KINDS = ("swiss", "round-robin", "match", "other", "fide")
WEIGHTS = ("full", "half", "quarter")


def _wrong(record: object, name: str, wanted: str, value: object) -> WrongValue:
    return WrongValue(f"{type(record).__name__}.{name}: expected {wanted}, found {value!r}")


#: The usual types, which need no second look: records are made by the hundred thousand
_NUMBER, _WHOLE, _DAY = ({float, int, type(None)}, {int, type(None)}, {date, type(None)})


def _check_numbers(record: object, *names: str) -> None:
    for name in names:
        value = getattr(record, name)
        if type(value) not in _NUMBER and (isinstance(value, bool) or not isinstance(value, Real)):
            raise _wrong(record, name, "a number", value)


def _check_whole(record: object, *names: str) -> None:
    for name in names:
        value = getattr(record, name)
        if type(value) not in _WHOLE and (isinstance(value, bool) or not isinstance(value, Integral)):
            raise _wrong(record, name, "a whole number", value)


def _check_days(record: object, *names: str) -> None:
    for name in names:
        value = getattr(record, name)
        if type(value) not in _DAY and (not isinstance(value, date) or isinstance(value, datetime)):
            raise _wrong(record, name, "a date, datetime.date(2025, 8, 2)", value)


def _check_text(record: object, *names: str) -> None:
    for name in names:
        if not isinstance(getattr(record, name), str):
            raise _wrong(record, name, "text", getattr(record, name))


def _check_choices(record: object, **choices: tuple[str, ...]) -> None:
    for name, known in choices.items():
        if getattr(record, name) not in known:
            raise _wrong(record, name, f"one of {', '.join(known)}", getattr(record, name))


@dataclass(frozen=True, slots=True)
class MatchChange:
    """What a match did to a rating, for the limits of section 7."""

    date: date
    change: float


def _only_what_differs(record: Any) -> str:
    """Return a record as Python writes it, without the fields that have their default."""

    def usual(one: Field[Any]) -> Any:
        return one.default_factory() if one.default_factory is not MISSING else one.default

    own = [(one.name, getattr(record, one.name), usual(one)) for one in fields(record)]
    given = ", ".join(f"{name}={value!r}" for name, value, default in own if value != default)
    return f"{type(record).__name__}({given})"


@dataclass(frozen=True, slots=True, repr=False)
class Rating:
    """A player's state in one pool: what goes into an event, and what comes out of it.

    US Chess uses the first group; the others stand for the systems that need them. Absent means unknown.

    >>> Rating(1643.759, games=40)
    Rating(rating=1643.759, games=40)
    >>> Rating("1500")
    Traceback (most recent call last):
    crosstable.errors.WrongValue: Rating.rating: expected a number, found '1500'
    """

    rating: float
    games: int | None = None
    date: date | None = None
    wins: int | None = None
    draws: int | None = None
    losses: int | None = None
    #: Of `games`, those credited when the rating was initialised from another system (2025 §2): no one won or lost
    #: them.
    assigned_games: int = 0
    three_game_events: int = 0
    peak: float | None = None
    prize_floor: float | None = None
    life_master: bool = False
    ceiling: float | None = None
    games_above_2200: int = 0
    match_changes: tuple[MatchChange, ...] = ()
    lowered_floor: float | None = None
    #: The highest floor that was lowered, which may be by more than one request (readings 23). Absent: the one 100
    #: above.
    lowered_from: float | None = None
    #: 1996 §4.2: games saved while a newcomer has only wins or only losses: (opponent's rating, score).
    pending: tuple[tuple[float, float], ...] = ()

    sigma: float | None = None  # AGA
    deviation: float | None = None  # Glicko, Glicko-2
    volatility: float | None = None  # Glicko-2
    ever_2300: bool = False  # FIDE
    ever_2400: bool = False  # FIDE

    __repr__ = _only_what_differs

    @property
    def whole_history(self) -> bool:
        """Whether all games behind the rating are on record as won, drawn or lost; else `wins` and `draws` are those
        that are.
        """
        return None not in (self.wins, self.draws, self.losses)

    def __post_init__(self) -> None:
        if self.rating is None:
            raise _wrong(self, "rating", "a number", None)
        _check_numbers(self, "rating", "peak", "deviation", "volatility", "sigma")
        _check_whole(self, "games", "wins", "draws", "losses")
        _check_days(self, "date")


@dataclass(frozen=True, slots=True)
class ForeignRating:
    """A FIDE or CFC rating, as of a date."""

    rating: float
    date: date | None = None

    def __post_init__(self) -> None:
        _check_numbers(self, "rating")
        _check_days(self, "date")


@dataclass(frozen=True, slots=True, repr=False)
class Player:
    """Someone who plays in a section, with what the rules need to know. `ratings` are those before the event, by pool.

    >>> ann = Player(1, "30000001", "Ann", ratings={"OTBR": Rating(1500, games=30)})
    >>> ann.ratings["OTBR"].rating
    1500
    """

    number: int  # pairing number
    id: str
    name: str = ""
    birth_date: date | None = None  # private: never on an office's public side
    adult: bool = False
    canadian_resident: bool = False
    member: bool = True
    usa_flag: bool = False
    fide_opt_in: bool = False
    foreign_rating: float | None = None
    ratings: Mapping[str, Rating] = field(default_factory=dict)
    fide: ForeignRating | None = None
    cfc: ForeignRating | None = None
    rank: str | None = None  # go rank as entered, "3d"
    notes: Mapping[str, Any] = field(default_factory=dict)

    __repr__ = _only_what_differs

    def __post_init__(self) -> None:
        _check_whole(self, "number")
        _check_text(self, "id", "name")
        _check_days(self, "birth_date")
        if not isinstance(self.ratings, Mapping):
            raise _wrong(self, "ratings", 'ratings by pool, as in {"OTBR": Rating(1500, games=40)}', self.ratings)
        for pool, rating in self.ratings.items():
            if not isinstance(rating, Rating):
                raise _wrong(self, f"ratings['{pool}']", "a Rating", rating)


@dataclass(frozen=True, slots=True)
class Game:
    """A game between two pairing numbers. Results: 1-0, 0-1, 1/2-1/2; not played: +/-, -/+, -/-.

    >>> Game(1, 1, 2, "1-0").played
    True
    """

    round: int
    white: int
    black: int
    result: str
    handicap: int = 0  # go stones
    komi: float = 0.0  # go: points given to White
    notes: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _check_whole(self, "round", "white", "black")
        _check_text(self, "result")

    @property
    def played(self) -> bool:
        return self.result in PLAYED_RESULTS


@dataclass(frozen=True, slots=True, repr=False)
class Section:
    """A part of an event whose players are rated together. Its time control and mode decide the pools.

    >>> ann, bob = Player(1, "ann"), Player(2, "bob")
    >>> day = date(2025, 8, 2)
    >>> open_section = Section(1, "Open", day, day, (ann, bob), (Game(1, 1, 2, "1-0"),), time_control="G/60;d5")
    >>> len(open_section.players)
    2
    """

    number: int
    name: str
    start: date | None  # a file may not say; a reader that needs it reports a finding
    end: date | None
    players: tuple[Player, ...]
    games: tuple[Game, ...]
    mode: str = "otb"
    kind: str = "swiss"
    weight: str = "full"
    supernorm: bool | None = (
        None  # an officer's mark; None: the event's name and Grand Prix points decide (readings 45)
    )
    youth: bool = False  # a FIDE youth event (2025 §6)
    colors: bool = True
    time_control: str | None = None
    notes: Mapping[str, Any] = field(default_factory=dict)

    __repr__ = _only_what_differs

    def __post_init__(self) -> None:
        _check_whole(self, "number")
        _check_days(self, "start", "end")
        _check_choices(self, mode=MODES, kind=KINDS, weight=WEIGHTS)
        if self.time_control is not None and not isinstance(self.time_control, str):
            raise _wrong(self, "time_control", 'text, as in "G/60;d5"', self.time_control)


@dataclass(frozen=True, slots=True, repr=False)
class Event:
    """A tournament, a match or a club night: sections with their players and games.

    >>> night = Event.of("Club night", games=[("ann", "bob", 1), ("bob", "cyd", 0.5)], on="2025-08-02")
    >>> [player.id for player in night.sections[0].players]
    ['ann', 'bob', 'cyd']
    """

    name: str
    start: date | None
    end: date | None
    sections: tuple[Section, ...]
    city: str = ""
    state: str = ""
    country: str = ""
    affiliate: str = ""
    chief_td: str = ""
    notes: Mapping[str, Any] = field(default_factory=dict)

    __repr__ = _only_what_differs

    def __post_init__(self) -> None:
        _check_text(self, "name")
        _check_days(self, "start", "end")

    @classmethod
    def of(
        cls,
        name: str,
        games: Iterable[tuple[str | int, str | int, float | str]],
        *,
        on: date | str | None = None,
        ratings: Mapping[Any, Mapping[str, Rating]] | None = None,
        time_control: str | None = None,
        mode: str = "otb",
        kind: str = "swiss",
    ) -> Event:
        """Make an event of one section from (white, black, score) or (white, black, "1-0"): players are named by
        their ids.

        `on` is its day (of a time, the day on its own clock); `ratings` says what players come with: {"ann": {"OTBR":
        Rating(1500)}}. Games stand in the order played; a player's first game is round 1.
        """
        day = day_of(on, "Event.of, on")
        numbers: dict[str, int] = {}
        played: dict[str, int] = {}
        found = []
        for white, black, score in _each_game(games):
            for who in (white, black):
                numbers.setdefault(who, len(numbers) + 1)
            this_round = played[white] = played[black] = max(played.get(white, 0), played.get(black, 0)) + 1
            found.append(Game(this_round, numbers[white], numbers[black], _result(score)))
        known: Any = {} if ratings is None else ratings
        if not isinstance(known, Mapping):
            wanted = 'ratings by player and pool, as in {"ann": {"OTBR": Rating(1500, games=40)}}'
            raise WrongValue(f"Event.of, ratings: expected {wanted}, found {known!r}")
        known = {_id(who, "ratings"): held for who, held in known.items()}
        if strangers := known.keys() - numbers.keys():
            raise WrongValue(f"Event.of, ratings: {', '.join(sorted(strangers))} did not play")
        players = tuple(Player(number, who, who, ratings=known.get(who, {})) for who, number in numbers.items())
        section = Section(
            number=1,
            name="",
            start=day,
            end=day,
            players=players,
            games=tuple(found),
            mode=mode,
            kind=kind,
            time_control=time_control,
        )
        return cls(name, day, day, (section,))


def _each_game(games: Any) -> Iterator[tuple[str, str, float | str]]:
    """Yield the games, each checked: a slip in the brackets is easily made."""
    wanted = '(white, black, score), as in [("ann", "bob", 1)]'
    if isinstance(games, str) or not isinstance(games, Iterable):
        raise WrongValue(f"Event.of, games: expected a list of {wanted}, found {games!r}")
    for game in games:
        try:
            white, black, score = [game] if isinstance(game, str) else game
        except (TypeError, ValueError):
            raise WrongValue(f"Event.of, games: expected {wanted}, found {game!r}") from None
        yield _id(white, "games"), _id(black, "games"), score


def _id(who: Any, name: str) -> str:
    """Return an id as text, also where it was given as a whole number."""
    if isinstance(who, str | Integral):
        return str(who)
    raise WrongValue(f"Event.of, {name}: expected a player's id, found {who!r}")


def _result(score: float | str) -> str:
    """Return a result from White's score."""
    if isinstance(score, str):
        return score
    for result, (points, _) in PLAYED_RESULTS.items():
        if score == points / 2:
            return result
    raise WrongValue(f"Event.of, games: expected a score of 1, 0.5 or 0, found {score!r}")
