"""A night as a page or a sheet shows it: boards with names, ratings and sentences, and who is free."""

from __future__ import annotations

from dataclasses import dataclass

from crosstable.club import attendance, children, clubs
from crosstable.club.evening import Evening, load, place_of, ratings
from crosstable.club.games import PlayedGame, of_nights
from crosstable.club.ladder import number
from crosstable.club.models import Act, Board, Night, Presence
from crosstable.club.results import WORDS, disagreements, undoable
from crosstable.club.results import describe as in_words
from crosstable.club.sentences import Sentence
from crosstable.model import Rating
from crosstable.office.ledger.models import Player
from crosstable.systems import RatingSystem
from crosstable.words.language import _


@dataclass(frozen=True, slots=True)
class Seat:
    player: Player
    name: str
    before: int | float
    after: int | float | None  # once the game is over


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """One board."""

    board: Board
    white: Seat
    black: Seat
    result: str
    rated_as: str  # where it differs from the result
    sentence: Sentence | None
    disagreement: str  # what another phone said


@dataclass(frozen=True, slots=True)
class Here:
    """A child on the attendance list."""

    player: Player
    name: str
    state: str  # here, out, gone, or nothing
    playing: bool
    came_last: bool


@dataclass(frozen=True, slots=True)
class Tonight:
    night: Night
    round: int
    boards: tuple[ShownBoard, ...]  # of the rounds that are on
    earlier: tuple[ShownBoard, ...]  # the latest first
    out: tuple[str, ...]  # who sits this round out
    here: tuple[Here, ...]  # all members, those who came last time first
    free: int
    open: int
    undo: str
    pulse: str  # another one after every change

    @property
    def played(self) -> int:
        return sum(1 for one in self.boards if one.result)

    @property
    def count(self) -> int:
        return sum(1 for one in self.here if one.state in (Presence.HERE, Presence.OUT))


def tonight(night: Night) -> Tonight:
    evening = load(night)
    shown = _shown(evening)
    open_rounds = {board.round for board in evening.open}
    current = {*open_rounds, evening.round}
    now = tuple(one for one in shown if one.board.round in current)
    earlier = tuple(one for one in reversed(shown) if one.board.round not in current)
    act = undoable(night)
    byes = [board for board in evening.boards if board.black is None and board.round == evening.round]
    return Tonight(
        night=night,
        round=evening.round,
        boards=now,
        earlier=earlier,
        out=tuple(children.display_name(board.white) for board in byes),
        here=_here(evening),
        free=len(evening.free),
        open=len(evening.open),
        undo=in_words(act) if act else "",
        pulse=pulse(night),
    )


def pulse(night: Night) -> str:
    if night.pk is None:
        return "0"
    last = Act.objects.filter(night=night).order_by("-id").values_list("id", flat=True).first()
    undone = Act.objects.filter(night=night, undone=True).count()
    return f"{night.id}-{last or 0}-{undone}"


def of_night(night: Night) -> tuple[ShownBoard, ...]:
    """All boards that were played, for looking at a night that is over."""
    return tuple(one for one in _shown(load(night)) if one.result)


def _shown(evening: Evening) -> list[ShownBoard]:
    system = clubs.system()
    played = {game.place: game for game in of_nights([evening.night])}
    boards = [board for board in evening.boards if board.black is not None]
    who = {id for board in boards for id in (board.white_id, board.black_id) if id is not None}
    rated, said = ratings(who, system), disagreements(evening.night)
    return [_board(board, played.get(place_of(board)), rated, said.get(board.id), system) for board in boards]


def _board(
    board: Board, game: PlayedGame | None, rated: dict[int, Rating], said: Act | None, system: RatingSystem
) -> ShownBoard:
    white, black = children.display_name(board.white), children.display_name(board.black) if board.black else ""
    disagreement = _(WORDS[said.data["after"]]) if said else ""
    if board.black is None or game is None:
        one = Seat(board.white, white, number(rated[board.white_id].rating), None)
        other = Seat(board.black or board.white, black, number(rated[board.black_id or board.white_id].rating), None)
        return ShownBoard(
            board=board, white=one, black=other, result="", rated_as="", sentence=None, disagreement=disagreement
        )
    one = Seat(board.white, white, number(game.white_rating.before), number(game.white_rating.after))
    other = Seat(board.black, black, number(game.black_rating.before), number(game.black_rating.after))
    differs = game.rated_as if game.rated_as != game.result else ""
    return ShownBoard(
        board=board,
        white=one,
        black=other,
        result=game.result,
        rated_as=differs,
        sentence=game.sentence(white, black, system),
        disagreement=disagreement,
    )


def _here(evening: Evening) -> tuple[Here, ...]:
    last, playing = set(attendance.last_time(evening.night)), evening.playing
    rows = [
        Here(
            player,
            children.display_name(player),
            evening.presence.get(player.id, ""),
            player.id in playing,
            player.id in last,
        )
        for player in children.members()
    ]
    return tuple(sorted(rows, key=lambda one: (not one.came_last, one.name.casefold())))
