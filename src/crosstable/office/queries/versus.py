"""Two players head to head: every game, the score, and what was expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from crosstable.errors import OfficeError
from crosstable.office.ledger.models import Player, RatingRow, Section
from crosstable.office.ledger.packing import entries_of, games_of
from crosstable.office.ledger.players import find, main_record, merged_players
from crosstable.office.players import person as people
from crosstable.office.players.person import Person
from crosstable.office.queries import history, ratings, search
from crosstable.office.queries.ratings import InPool, Newest
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.systems.us_chess.coefficients import coefficients_on
from crosstable.systems.us_chess.formulas import winning_expectancy
from crosstable.systems.us_chess.pools import KEYS
from crosstable.words.language import _


@dataclass(frozen=True, slots=True)
class Met:
    """One game, seen from the first player."""

    date: date
    event: str
    event_name: str
    section: int
    section_name: str
    round: int
    pools: tuple[str, ...]
    colour: str
    score: float
    own: float | None  # published ratings before the event, in the first pool
    theirs: float | None
    expected: float | None

    @property
    def words(self) -> str:
        return {1.0: _("won"), 0.5: _("drew"), 0.0: _("lost")}[self.score]


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two, over all games."""

    person: Person
    score: float
    wins: int
    draws: int
    known_score: float  # in the games where both had a rating
    expected: float


@dataclass(frozen=True, slots=True)
class VersusPage:
    one: Side
    other: Side
    games: tuple[Met, ...]  # newest first
    known: int
    pools: tuple[tuple[str, InPool, InPool], ...]
    published: Newest | None
    today: (
        tuple[float, float, float] | None
    )  # both live numbers in the first pool that both have, and the expected score
    pool: str

    @property
    def sides(self) -> tuple[Side, Side]:
        return self.one, self.other


@dataclass(frozen=True, slots=True)
class Meant:
    """Find the player of a typed id or name: one player, or a message and similar players."""

    person: Person | None = None
    words: str = ""
    near: tuple[Person, ...] = ()


def opponent(own: Person, typed: str) -> Meant:
    """Return the player to be compared with `own`, by id or by words of the name."""
    typed = typed.strip()
    known = Player.objects.filter(number=typed).first()  # an id also finds players who are withheld from search
    asked = None if known else search.players(typed, typing=True)
    found = [hit.person for hit in asked.hits] if asked else [people.of(main_record(known))] if known else []
    others = tuple(one for one in found if one.number != own.number)
    if found and not others:
        return Meant(words=_("That is {name}. Enter another player’s ID or name.").format(name=own.name))
    if len(others) == 1:
        return Meant(others[0])
    if not others or asked is None:
        words = _("No player has the ID or name “{text}”.").format(text=typed)
        return Meant(words=words, near=asked.near if asked else ())
    if asked.total == len(found):
        words = _("“{text}” matches {number} players. Which one do you mean?").format(text=typed, number=len(others))
    else:
        words = _("“{text}” matches several players. Which one do you mean?").format(text=typed)
    return Meant(words=words, near=others)


def versus(one: str, other: str, today: date) -> VersusPage:
    a, b = main_record(find(one)), main_record(find(other))
    if a.id == b.id:
        raise OfficeError("these are one player")
    games = _games(a.id, b.id)
    published = ratings.newest_list()
    live = ratings.live([a.id, b.id])
    listed = ratings.official(published, [a.number, b.number])
    mine = {held.pool: held for held in ratings.pools(listed.get(a.number, {}), live.get(a.id, {}))}
    theirs = {held.pool: held for held in ratings.pools(listed.get(b.number, {}), live.get(b.id, {}))}
    pools = tuple(
        (key, mine.get(key, InPool(key, None, None)), theirs.get(key, InPool(key, None, None)))
        for key in {**mine, **theirs}
    )
    pool, now = _now(pools, today)
    known = [game for game in games if game.expected is not None]
    return VersusPage(
        one=_side(people.of(a), games, known, mirrored=False),
        other=_side(people.of(b), games, known, mirrored=True),
        games=games,
        known=len(known),
        pools=pools,
        published=published,
        today=now,
        pool=pool,
    )


def _side(person: Person, games: Sequence[Met], known: Sequence[Met], *, mirrored: bool) -> Side:
    def own(value: float) -> float:
        return 1.0 - value if mirrored else value

    scores = [own(game.score) for game in games]
    return Side(
        person=person,
        score=sum(scores),
        wins=scores.count(1.0),
        draws=scores.count(0.5),
        known_score=sum(own(game.score) for game in known),
        expected=sum(own(game.expected or 0.0) for game in known),
    )


def _now(pools: Sequence[tuple[str, InPool, InPool]], today: date) -> tuple[str, tuple[float, float, float] | None]:
    for key, mine, theirs in pools:
        if key in KEYS and mine.live and theirs.live and mine.live.rating and theirs.live.rating:
            own, other = mine.live.rating, theirs.live.rating
            return key, (own, other, winning_expectancy(coefficients_on(today), own, other))
    return "", None


def _games(a: int, b: int) -> tuple[Met, ...]:
    """Every game that the two have played against each other, newest first."""
    together = set(RatingRow.objects.filter(player_id=a).values_list("section_id", flat=True)) & set(
        RatingRow.objects.filter(player_id=b).values_list("section_id", flat=True)
    )
    sections = Section.objects.filter(id__in=together).select_related("event").order_by("-position")
    numbers = _ratings(together, a, b)
    same = merged_players()
    found = []
    for section in sections:
        who = {number: same.get(player, player) for number, player in entries_of(bytes(section.entries)).tolist()}
        for turn, white, black, half_points in games_of(bytes(section.games)).tolist():
            if {who.get(white), who.get(black)} == {a, b}:
                mine = who[white] == a
                score = half_points / 2 if mine else 1 - half_points / 2
                found.append(_met(section, turn, "white" if mine else "black", score, numbers))
    return tuple(found)


def _met(
    section: Section,
    turn: int,
    colour: str,
    score: float,
    numbers: Mapping[tuple[int, str], tuple[float | None, float | None]],
) -> Met:
    pools = tuple(section.keys.split(","))
    own, theirs = numbers.get((section.id, pools[0]), (None, None))
    expected = None
    if own is not None and theirs is not None and pools[0] in KEYS:
        expected = winning_expectancy(coefficients_on(section.start), own, theirs)
    return Met(
        date=section.end,
        event=section.event.number,
        event_name=section.event.name,
        section=section.number,
        section_name=section.name,
        round=turn,
        pools=pools,
        colour=colour,
        score=score,
        own=own,
        theirs=theirs,
        expected=expected,
    )


def _ratings(sections: set[int], a: int, b: int) -> dict[tuple[int, str], tuple[float | None, float | None]]:
    """(section, pool) → both published ratings before it."""
    columns = ("section_id", "pool", "player_id", "position", "prior", "initialized", "post")
    starts = AgeStarts([a, b])
    found: dict[tuple[int, str], dict[int, float | None]] = {}
    for row in RatingRow.objects.filter(section_id__in=sections, player_id__in=[a, b]).values(*columns):
        found.setdefault((row["section_id"], row["pool"]), {})[row["player_id"]] = history.before_and_after(
            row, starts
        )[0]
    return {key: (both.get(a), both.get(b)) for key, both in found.items()}
