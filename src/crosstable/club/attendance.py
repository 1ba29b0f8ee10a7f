"""Who is here: ticked on arrival, also late; sits out; gone home."""

from __future__ import annotations

from collections.abc import Iterable

from crosstable.club.clubs import ClubError
from crosstable.club.evening import load, note
from crosstable.club.models import Act, Board, Night, Presence
from crosstable.office.ledger.models import Player
from crosstable.office.people.rights import Actor
from crosstable.office.storage.database import writing
from crosstable.words.language import _

STATES = (Presence.HERE, Presence.OUT, Presence.GONE)


def here(actor: Actor, night: Night, players: Iterable[Player]) -> int:
    """Mark these children as present; return how many were not marked before."""
    with writing():
        known = dict(Presence.objects.filter(night=night).values_list("player_id", "state"))
        came = [player for player in players if known.get(player.id) != Presence.HERE]
        for player in came:
            _set(actor, night, player, Presence.HERE, known.get(player.id))
    return len(came)


def set_state(actor: Actor, night: Night, player: Player, state: str) -> None:
    """Set a child as present, out (sits out for now) or gone (home).

    An open board is left, and the opponent is free.
    """
    if state not in STATES:
        raise ClubError(_("a child is {join_states}, not {state!r}").format(join_states=", ".join(STATES), state=state))
    with writing():
        before = Presence.objects.filter(night=night, player=player).values_list("state", flat=True).first()
        if before != state:
            _set(actor, night, player, state, before)


def _set(actor: Actor, night: Night, player: Player, state: str, before: str | None) -> None:
    left = []
    if state != Presence.HERE:
        left = [board for board in load(night).open if player.id in (board.white_id, board.black_id)]
        Board.objects.filter(id__in=[board.id for board in left]).delete()
    Presence.objects.update_or_create(night=night, player=player, defaults={"state": state})
    data = {"player": player.id, "before": before, "after": state, "boards": [_kept(board) for board in left]}
    note(night, Act.PRESENCE, actor.name, data)


def _kept(board: Board) -> dict[str, object]:
    return {
        "round": board.round,
        "number": board.number,
        "white_id": board.white_id,
        "black_id": board.black_id,
        "why": board.why,
    }


def put_back(act: Act) -> None:
    """Undo one change of attendance, and the board that it emptied."""
    player, before = act.data["player"], act.data["before"]
    if before is None:
        if player in load(act.night).playing:
            raise ClubError(_("that child is at a board: undo the pairing first"))
        Presence.objects.filter(night=act.night, player_id=player).delete()
    else:
        Presence.objects.filter(night=act.night, player_id=player).update(state=before)
    for board in act.data["boards"]:
        Board.objects.create(night=act.night, **board)


def last_time(night: Night) -> list[int]:
    """Who came on the last night before this one."""
    earlier = Night.objects.filter(id__lt=night.id) if night.pk else Night.objects.all()
    before = earlier.order_by("-date", "-id").first()
    return list(Presence.objects.filter(night=before).values_list("player_id", flat=True)) if before else []
