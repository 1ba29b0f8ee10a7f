"""A night as it stands: who is here, who sits where, and the results, which the night's event holds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from crosstable import office
from crosstable.club import clubs
from crosstable.club.models import Act, Board, Night, Presence, Season
from crosstable.model import Event, Game, Player, Rating
from crosstable.office.ledger import models as ledger
from crosstable.office.rating import states
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing
from crosstable.office.storage.row import first_or
from crosstable.systems import RatingSystem

#: A night whose last tap is not older than this goes on, whatever the date
STILL_TONIGHT = timedelta(hours=4)
#: round, White's and Black's number
Place = tuple[int, str, str]


@dataclass(frozen=True, slots=True)
class Evening:
    night: Night
    presence: Mapping[int, str]  # player → here, out, gone
    boards: tuple[Board, ...]  # by round and number; those who sit out included
    games: Mapping[Place, Game]  # those that have a result

    def result_of(self, board: Board) -> str:
        """Nothing while the game is on."""
        found = self.games.get(place_of(board))
        return found.result if found else ""

    @property
    def open(self) -> list[Board]:
        return [board for board in self.boards if board.black is not None and not self.result_of(board)]

    @property
    def playing(self) -> set[int]:
        return {id for board in self.open for id in (board.white_id, board.black_id) if id is not None}

    @property
    def free(self) -> list[int]:
        """Who is here, does not sit out, and is at no board."""
        playing = self.playing
        return [id for id, state in self.presence.items() if state == Presence.HERE and id not in playing]

    @property
    def round(self) -> int:
        return max((board.round for board in self.boards), default=0)

    def last_rounds(self) -> dict[int, int]:
        """Player → the last round that the player has a game in."""
        last: dict[int, int] = defaultdict(int)
        for board in self.boards:
            if board.black_id is not None:
                for player in (board.white_id, board.black_id):
                    last[player] = max(last[player], board.round)
        return last


def place_of(board: Board) -> Place:
    return board.round, board.white.number, board.black.number if board.black else ""


def latest() -> Night | None:
    return Night.objects.select_related("season").order_by("-date", "-id").first()


def of_number(number: int) -> Night:
    return first_or(
        Night.objects.select_related("season").filter(id=number), clubs.ClubError(f"there is no night {number}")
    )


def season() -> Season:
    return first_or(Season.objects.order_by("-start", "-id"), clubs.ClubError("the club has no season yet"))


def today(day: date | None = None) -> Night:
    """Today's night, or one that is not written yet. A night that goes on after midnight is still the same."""
    wanted, last = day or clock.today_here(), latest()
    if last is not None and (last.date == wanted or (day is None and _goes_on(last))):
        return last
    if last is not None and last.date > wanted:
        raise clubs.ClubError(f"the last night was on {last.date}: {wanted} is before it")
    return Night(date=wanted, season=season())


def _goes_on(night: Night) -> bool:
    return Act.objects.filter(night=night, at__gte=clock.now() - STILL_TONIGHT).exists()


def tonight(day: date | None = None) -> Night:
    """Return today's night, or begin it; unfinished boards of the last night are removed."""
    with writing():
        found = today(day)
        if found.pk is None:
            last = latest()
            if last is not None:
                Board.objects.filter(id__in=[board.id for board in load(last).open]).delete()
            found.event = f"night-{found.date}"
            if ledger.Event.objects.filter(number=found.event).exists():
                found.event = f"{found.event}-{Night.objects.count() + 1}"
            found.save()
    return found


def load(night: Night) -> Evening:
    if night.pk is None:
        return Evening(night, {}, (), {})
    presence = dict(Presence.objects.filter(night=night).order_by("id").values_list("player_id", "state"))
    boards = tuple(Board.objects.filter(night=night).select_related("white", "black").order_by("round", "number", "id"))
    return Evening(night, presence, boards, games_of(document_of(night)))


def document_of(night: Night) -> Event | None:
    """Return what the office holds of the night; None before the first result or after the last was undone."""
    if not ledger.Event.objects.filter(number=night.event, status=ledger.Event.ACCEPTED).exists():
        return None
    found: Event = office.document(night.event)
    return found


def games_of(event: Event | None) -> dict[Place, Game]:
    if event is None:
        return {}
    section = event.sections[0]
    ids = {player.number: player.id for player in section.players}
    return {(game.round, ids[game.white], ids[game.black]): game for game in section.games}


def ratings(players: Iterable[int], system: RatingSystem | None = None) -> dict[int, Rating]:
    """Return every child's live rating; a newcomer has the starting rating."""
    chosen = system or clubs.system()
    key, who = chosen.pools[0], list(players)
    found = states.now(who) if who else {}
    start = chosen.start(Player(0, ""), clock.today_here())
    return {player: found.get(player, {}).get(key, start) for player in who}


def note(night: Night, kind: str, by: str, data: Mapping[str, object], key: str = "") -> Act:
    return Act.objects.create(night=night, kind=kind, by=by, data=dict(data), key=key or None)
