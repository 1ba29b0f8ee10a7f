"""Boards: pairing the children who are free, by the season's earlier boards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from crosstable.club import children, clubs
from crosstable.club.clubs import ClubError
from crosstable.club.evening import Evening, load, note, ratings
from crosstable.club.models import Act, Board, Club, Night, Wish
from crosstable.club.pairing import FreeChild, NightPairing, pair
from crosstable.office.ledger.models import Player
from crosstable.office.people.rights import Actor
from crosstable.office.storage.database import writing
from crosstable.words.language import _


def pair_free(actor: Actor, night: Night) -> list[Board]:
    """Pair all free children: a whole new round where no game is on, otherwise the boards that can be made now."""
    with writing():
        evening = load(night)
        if len(evening.free) < 2:
            raise ClubError(_too_few(evening))
        whole = not evening.open
        found = pair(
            children_of(evening, evening.free),
            together=_pairs(Wish.TOGETHER, night),
            apart=_pairs(Wish.APART, night),
            rematches=whole or clubs.club().mode == Club.ROUNDS,
        )
        if not found.boards:
            raise ClubError(
                _("the children who are free have just played each other: wait for the next board to finish")
            )
        made = _written(evening, found, whole)
        Wish.objects.filter(kind=Wish.TOGETHER, night=night).delete()  # a wish holds for one pairing
        byes = [] if whole else _plays_after_all(evening, made)
        note(night, Act.PAIR, actor.name, {"boards": [board.id for board in made], "byes": byes})
    return made


def _too_few(evening: Evening) -> str:
    if evening.open:
        text = _("only {free} children are free: {open} boards are still playing")
        return text.format(free=len(evening.free), open=len(evening.open))
    return _("{free} children are here and free: tick who is here first").format(free=len(evening.free))


def _pairs(kind: str, night: Night) -> list[frozenset[str]]:
    return [frozenset((wish.one.number, wish.other.number)) for wish in children.wishes(kind, night.id)]


def children_of(evening: Evening, free: Iterable[int]) -> list[FreeChild]:
    """Return what pairing needs to know of them: ratings, and the season's games up to now."""
    people = children.by_id(free)
    numbers = dict(Player.objects.filter(club_child__isnull=False).values_list("id", "number"))
    opponents: dict[int, list[str]] = defaultdict(list)
    colours: dict[int, str] = defaultdict(str)
    byes: dict[int, int] = defaultdict(int)
    tonight: dict[int, int] = defaultdict(int)
    rows = Board.objects.filter(night__season_id=evening.night.season_id).order_by(
        "night__date", "night_id", "round", "id"
    )
    for night, white, black in rows.values_list("night_id", "white_id", "black_id"):
        if black is None:
            byes[white] += 1
            tonight[white] += night == evening.night.id
            continue
        opponents[white].append(numbers[black])
        opponents[black].append(numbers[white])
        colours[white] += "w"
        colours[black] += "b"
    rated = ratings(people)
    return [
        FreeChild(
            id=player.number,
            rating=rated[id].rating,
            opponents=tuple(opponents[id]),
            colours=colours[id],
            byes=byes[id],
            byes_tonight=tonight[id],
        )
        for id, player in people.items()
    ]


def _written(evening: Evening, found: NightPairing, whole: bool) -> list[Board]:
    ids = {player.number: player.id for player in children.by_id(evening.free).values()}
    last = evening.last_rounds()
    taken = {board.number for board in (() if whole else evening.open)}
    numbers = iter(number for number in range(1, 10**4) if number not in taken)
    made = []
    for paired in found.boards:
        white, black = ids[paired.white], ids[paired.black]
        round = evening.round + 1 if whole else max(evening.round, 1 + last[white], 1 + last[black])
        made.append(_board(evening.night, round, next(numbers), white=white, black=black, why=paired.why))
    if whole:
        made += [
            _board(evening.night, evening.round + 1, 0, white=ids[number], black=None, why="") for number in found.out
        ]
    return made


def _plays_after_all(evening: Evening, made: Iterable[Board]) -> list[dict[str, int]]:
    """Who sat this round out and now has an opponent did not sit it out."""
    seated = {id for board in made for id in (board.white_id, board.black_id)}
    byes = [
        board
        for board in evening.boards
        if board.black is None and board.round == evening.round and board.white_id in seated
    ]
    Board.objects.filter(id__in=[board.id for board in byes]).delete()
    return [{"round": board.round, "white_id": board.white_id} for board in byes]


def _board(night: Night, round: int, number: int, white: int, black: int | None, why: str) -> Board:
    return Board.objects.create(night=night, round=round, number=number, white_id=white, black_id=black, why=why[:300])


def remove(act: Act) -> None:
    """Undo a pairing whose games have no results yet."""
    evening = load(act.night)
    wanted = set(act.data["boards"])
    played = [board for board in evening.boards if board.id in wanted and evening.result_of(board)]
    if played:
        raise ClubError(_("a game of that pairing has a result: undo the result first"))
    Board.objects.filter(id__in=wanted).delete()
    for bye in act.data["byes"]:
        Board.objects.create(night=act.night, number=0, **bye)
