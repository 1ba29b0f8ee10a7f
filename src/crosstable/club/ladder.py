"""The posted list with movement and marks, a child's card, the club's records, and certificates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from crosstable.club import children, clubs
from crosstable.club.evening import latest, ratings, season
from crosstable.club.games import PlayedGame, of_nights, of_season
from crosstable.club.models import Night, Season
from crosstable.office.ledger.models import Player
from crosstable.office.queries.words import count
from crosstable.office.queries.words import day as in_words
from crosstable.office.storage import clock
from crosstable.systems import RatingSystem
from crosstable.systems.st_charles import SYSTEM, StCharles
from crosstable.words.language import _


@dataclass(frozen=True, slots=True)
class Rung:
    """One line of the ladder."""

    place: int
    player: Player
    name: str
    rating: float
    games: int
    mark: str  # "tentative", "still settling" or nothing
    change: float | None  # on the last night; nothing if the child did not play
    moved: int | None  # places up (or down, negative) since the night before; nothing for who is new on the list

    def as_json(self) -> dict[str, object]:
        return {
            "place": self.place,
            "player": self.player.number,
            "name": self.name,
            "rating": number(self.rating),
            "games": self.games,
            "mark": self.mark,
            "change": None if self.change is None else number(self.change),
            "moved": self.moved,
        }


def number(value: float) -> int | float:
    """Whole ratings as whole numbers, others to a tenth."""
    return int(value) if float(value).is_integer() else round(value, 1)


def mark(system: RatingSystem, games: int) -> str:
    """Return the club's mark, by the document's numbers, whatever the system."""
    if isinstance(system, StCharles) and "settling" in system.latest:
        return _(system.mark(games))
    return _(SYSTEM.mark(games))


def ladder() -> list[Rung]:
    """Return the members of the club, the highest rating first."""
    members = children.members()
    system = clubs.system()
    rated = ratings([player.id for player in members], system)
    night = latest()
    changes = _changes(of_nights([night])) if night else {}
    before = {
        player.id: rated[player.id].rating - changes.get(player.number, 0.0)
        for player in members
        if (rated[player.id].games or 0) > 0
    }
    old = _places(before)
    new = _places({player.id: rated[player.id].rating for player in members})
    ordered = sorted(members, key=lambda player: (-rated[player.id].rating, children.display_name(player).casefold()))
    return [
        Rung(
            place=new[player.id],
            player=player,
            name=children.display_name(player),
            rating=rated[player.id].rating,
            games=rated[player.id].games or 0,
            mark=mark(system, rated[player.id].games or 0),
            change=changes.get(player.number),
            moved=old[player.id] - new[player.id] if player.id in old and len(old) == len(members) else None,
        )
        for player in ordered
    ]


def _places(ratings_by_id: Mapping[int, float]) -> dict[int, int]:
    """Return everyone's place: equal ratings, as they are shown, share the best of their places."""
    shown = {id: number(rating) for id, rating in ratings_by_id.items()}
    ordered = sorted(shown.values(), reverse=True)
    first = {value: place for place, value in reversed(list(enumerate(ordered, start=1)))}
    return {id: first[value] for id, value in shown.items()}


def when() -> str:
    """Return the title of the column of changes: they are the last night's, which may be tonight."""
    night = latest()
    return _("Tonight") if night is None or night.date == clock.today_here() else _("Last night")


def _changes(games: Iterable[PlayedGame]) -> dict[str, float]:
    """Return every child's rating change over these games."""
    first: dict[str, float] = {}
    last: dict[str, float] = {}
    for game in games:
        for who in (game.white, game.black):
            first.setdefault(who, game.rating_of(who).before)
            last[who] = game.rating_of(who).after
    return {who: last[who] - first[who] for who in first}


@dataclass(frozen=True, slots=True)
class Card:
    """A child's season."""

    player: Player
    name: str
    rating: float
    played: int
    mark: str
    wins: int
    draws: int
    losses: int
    best: float
    best_win: PlayedGame | None
    history: tuple[tuple[date, float], ...]  # the rating after each game
    games: tuple[PlayedGame, ...]  # the last one first


def card(player: Player, games: Sequence[PlayedGame] | None = None) -> Card:
    own = [
        game for game in (of_season(season()) if games is None else games) if player.number in (game.white, game.black)
    ]
    record = ratings([player.id])[player.id]
    scores = [game.score_of(player.number) for game in own]
    won = [game for game in own if game.score_of(player.number) == 1.0]
    history = tuple((game.date, game.rating_of(player.number).after) for game in own)
    return Card(
        player=player,
        name=children.display_name(player),
        rating=record.rating,
        played=record.games or 0,
        mark=mark(clubs.system(), record.games or 0),
        wins=scores.count(1.0),
        draws=scores.count(0.5),
        losses=scores.count(0.0),
        best=max((rating for _, rating in history), default=record.rating),
        best_win=max(won, key=lambda game: game.rating_of(game.opponent_of(player.number)).before, default=None),
        history=history,
        games=tuple(reversed(own)),
    )


def sparkline(history: Sequence[tuple[date, float]], width: int = 240, height: int = 48) -> str:
    """Return the points of a line through a child's ratings, for an SVG of that size."""
    values = [rating for _, rating in history]
    if len(values) < 2:
        return ""
    low, high = min(values), max(values)
    step, scale = (width - 4) / (len(values) - 1), (height - 4) / ((high - low) or 1)
    return " ".join(
        f"{2 + place * step:.1f},{height - 2 - (value - low) * scale:.1f}" for place, value in enumerate(values)
    )


@dataclass(frozen=True, slots=True)
class LadderRecord:
    title: str
    who: str
    words: str


def records(chosen: Season | None = None) -> list[LadderRecord]:
    """Return the season's bests."""
    games = of_season(chosen or season())
    if not games:
        return []
    names = _names(games)
    sides = [(game, who) for game in games for who in (game.white, game.black)]
    top_game, top = max(sides, key=lambda one: one[0].rating_of(one[1]).after)
    highest = _("{rating}, on {date}").format(
        rating=number(top_game.rating_of(top).after), date=in_words(top_game.date)
    )
    found = [LadderRecord(_("Highest rating"), names[top], highest)]
    upsets = [
        (game.rating_of(game.opponent_of(who)).before - game.rating_of(who).before, game, who)
        for game, who in sides
        if game.score_of(who) == 1.0
    ]
    gap, game, who = max(upsets, key=lambda one: one[0], default=(0.0, None, ""))
    if game is not None and gap > 0:
        against = names[game.opponent_of(who)]
        upset = _("beat {name}, who was {points} points higher").format(name=against, points=number(gap))
        found.append(LadderRecord(_("Biggest upset"), names[who], upset))
    counts: dict[str, int] = defaultdict(int)
    for _game, who in sides:
        counts[who] += 1
    most = max(counts, key=lambda who: counts[who])
    found.append(LadderRecord(_("Most games"), names[most], count(counts[most], "game")))
    who, streak = _longest_streak(games)
    if streak > 1:
        found.append(LadderRecord(_("Longest run of wins"), names[who], _("{number} in a row").format(number=streak)))
    return found


def _longest_streak(games: Iterable[PlayedGame]) -> tuple[str, int]:
    running: dict[str, int] = defaultdict(int)
    best, most = "", 0
    for game in games:
        for who in (game.white, game.black):
            running[who] = running[who] + 1 if game.score_of(who) == 1.0 else 0
            if running[who] > most:
                best, most = who, running[who]
    return best, most


def _names(games: Iterable[PlayedGame]) -> Mapping[str, str]:
    wanted = {who for game in games for who in (game.white, game.black)}
    return {player.number: children.display_name(player) for player in Player.objects.filter(number__in=wanted)}


@dataclass(frozen=True, slots=True)
class Certificate:
    """A child has passed a hundred for the first time in the season."""

    player: str
    name: str
    hundred: int
    date: date
    rating: float


def certificates(night: Night | None = None) -> list[Certificate]:
    """Who passed 500, 600 and so on; with a night, on that night."""
    games = of_season(night.season if night else season())
    names = _names(games)
    peak: dict[str, float] = {}
    found = []
    for game in games:
        for who in (game.white, game.black):
            change = game.rating_of(who)
            before = max(peak.get(who, change.before), change.before)
            peak[who] = max(before, change.after)
            passed = int(peak[who] // 100) * 100
            if passed > before and (night is None or game.night == night.id):
                found.append(Certificate(who, names[who], passed, game.date, change.after))
    return found
