"""What every rating system offers, so that an office, a club or a lab can choose one by name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Protocol, Self

from crosstable.model import Event, Finding, Game, Player, Rated, Rating, Section
from crosstable.rulebook import AS_WRITTEN, Rulebook, Rules
from crosstable.systems.options import Option


def _tells_nothing(number: int, pool: str, rating: float) -> bool:  # noqa: ARG001  as the protocol calls it
    return False


@dataclass(frozen=True, slots=True)
class StoredSection:
    """How an office keeps a section: what was decided when the section came, and what only the office knows."""

    pools: tuple[str, ...]
    from_history: bool = False  # it came in a table of ratings already given, and may be older than the rules
    by_age: Mapping[int, Collection[str]] = field(
        default_factory=dict
    )  # number → pools whose rating an age still makes
    tells_an_age: Callable[[int, str, float], bool] = _tells_nothing  # would this rating in a pool give an age away?
    only: int | None = None  # whose work is asked for; of the others it may tell no more than where they start
    starts: bool = False  # only the players' starts are needed


def near(event: Event, number: int, reach: int | None) -> Event:
    """Return an event of one section with only those who are so many games away from a pairing number (None: all)."""
    (section,) = event.sections
    if reach is None:
        return event
    who = {player.number: player.id or f"#{player.number}" for player in section.players}
    met: dict[str, set[str]] = {}
    for game in section.games:
        met.setdefault(who[game.white], set()).add(who[game.black])
        met.setdefault(who[game.black], set()).add(who[game.white])
    found = {who[number]} if number in who else set()
    for _ in range(reach):
        found |= {other for one in found for other in met.get(one, ())}
    players = tuple(player for player in section.players if who[player.number] in found)
    games = tuple(game for game in section.games if who[game.white] in found and who[game.black] in found)
    return replace(event, sections=(replace(section, players=players, games=games),))


class RatingSystem(Protocol):
    """A system stores settings only; its parameters are rulebook data and its functions are pure."""

    @property
    def name(self) -> str:
        """The name in `rate --system NAME` and of its rulebook."""

    @property
    def title(self) -> str:
        """For people."""

    @property
    def book(self) -> Rulebook:
        """Its numbers through all their days."""

    @property
    def pools(self) -> tuple[str, ...]:
        """The ratings that it keeps apart, by their keys in a player's `ratings`: ("GLICKO",)."""

    @property
    def record(self) -> tuple[str, ...]:
        """The fields of a rating record in `ratings`: ("rating", "games", "date")."""

    @property
    def limits(self) -> tuple[float, float]:
        """The lowest and the highest rating that there can be."""

    @property
    def reach(self) -> int | None:
        """How many games away someone may be who moves a player's new rating in a section; None: any number."""

    @property
    def age_classes(self) -> bool:
        """Whether an age decides more than where a player starts: a junior's K, say."""

    @property
    def kernel(self) -> str | None:
        """The compiled replay that gives the numbers of `rate` for a whole ledger at once, or None: one by one."""

    @property
    def options(self) -> Mapping[str, Option]:
        """What may stand behind the name: `NAME:option=value`."""

    def with_options(self, given: Mapping[str, str]) -> Self:
        """Return the same system with these options, which its name then has. Raises UnknownSystem."""

    def pools_of(self, event: Event, section: Section, profile: str = AS_WRITTEN) -> tuple[str, ...]:
        """Return the pools that a section is rated in; none where it is not ratable, and `problems` says why."""

    def problems(self, event: Event, profile: str = AS_WRITTEN) -> list[Finding]:
        """Everything that stands in the way of rating this event, and what is odd about it."""

    def review(self, event: Event, profile: str = AS_WRITTEN) -> list[Finding]:
        """Return what an officer should read before accepting an event that is in order: what stands in the way,
        what is odd.
        """

    def rules(self, day: date, profile: str = AS_WRITTEN) -> Rules:
        """Return the parameters in force."""

    def start(self, player: Player, day: date, pool: str | None = None) -> Rating:
        """Return the state of a player whom this system has never seen."""

    def expect(self, a: Rating, b: Rating, game: Game | None = None) -> float:
        """Return the expected score of `a` against `b` (1 a sure win). `game`: what is known of it.

        In the game `a` is the lower pairing number: in Game(1, 1, 2, …) `a` has White, in Game(1, 2, 1, …) `b`.
        """

    def age(self, state: Rating, days: int) -> Rating:
        """Return the state after a time without games: uncertainty may only widen."""

    def rate(self, event: Event, profile: str = AS_WRITTEN, *, checked: Sequence[Finding] | None = None) -> Rated:
        """Return new states with their derivations; raise EventRejected with every finding if the event cannot be
        rated.

        `checked`: what `problems` found in this event, where the caller has asked.
        """

    def rate_kept(self, event: Event, kept: StoredSection, profile: str = AS_WRITTEN) -> Rated:
        """Rate one section as an office keeps it: in the pools that it is kept in."""
