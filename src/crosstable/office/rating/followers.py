"""Tell those who follow a player or an event what an act has changed, in the act's own transaction.

A message names players by their IDs alone: whose name is withheld later is not in anybody's inbox or mail. It has no
rating, and a change that would tell an age is not told.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from crosstable.office.ledger.models import Event, Player
from crosstable.office.ledger.players import merged_players
from crosstable.office.notices import following, messages
from crosstable.office.people.rights import Actor
from crosstable.office.rating.changes import Change
from crosstable.office.rating.run import Outcome
from crosstable.systems.us_chess.formulas import round_half_up

#: What these acts do to an event
DONE = {"event.accept": "rated", "event.correct": "corrected", "event.withdraw": "withdrawn"}
#: Who writes: no officer's name reaches the public
BY = "the office"


def tell(
    actor: Actor, action: str, subject: str, *, outcome: Outcome, own: Collection[int], found: Sequence[Change]
) -> None:
    """Send one message for each event to its followers and its players' followers, and for each corrected rating.

    `own`: the sections that the act is about.
    """
    by_player, by_event = following.followers(actor)
    if not by_player and not by_event:
        return
    same = merged_players()
    followed: dict[int, set[str]] = {}
    for player, users in by_player.items():
        followed.setdefault(same.get(player, player), set()).update(users)
    people = Player.objects.filter(id__in=followed).values_list("id", "number")
    numbers = {number: followed[row] for row, number in people}
    done: set[str] = set()
    if action in DONE:
        rows = {same.get(row, row): number for row, number in people}
        entered = _players(outcome, own, subject.removeprefix("event:"))
        for event in Event.objects.filter(number__in=entered).order_by("number"):
            there = {rows[one] for one in (same.get(row, row) for row in entered[event.number]) if one in rows}
            _tell_of_event(event, DONE[action], by_event.get(event.id, set()), {one: numbers[one] for one in there})
            done |= there
    for number in sorted({one.player for one in found if _corrected(one)} & numbers.keys() - done):
        words = "The live rating has changed: an earlier event or a decision of the office was added or corrected."
        about = f"followed-player:{number}"
        messages.send(numbers[number], f"Player {number}: rating corrected", words, about=about, by=BY)


def _corrected(one: Change) -> bool:
    """Return whether a published number has changed without revealing an age."""
    if one.tells_an_age or one.before is None or one.after is None:
        return False
    return round_half_up(one.before) != round_half_up(one.after)


def _players(outcome: Outcome, own: Collection[int], subject: str) -> dict[str, set[int]]:
    """Return the players whose rows change in the act's own events, by the number of the event."""
    placed = {number: one.event for number, one in outcome.sections.items() if number in own}
    events = dict(Event.objects.filter(id__in=set(placed.values())).values_list("id", "number"))
    found: dict[str, set[int]] = {number: set() for number in events.values()}
    if Event.objects.filter(number=subject).exists():
        found.setdefault(subject, set())
    for table in (outcome.added, outcome.removed):
        for section, player in table["section_id", "player_id"].iter_rows():
            if section in own:
                number = events[placed[section]] if section in placed else subject
                found.setdefault(number, set()).add(player)
    return found


def _tell_of_event(event: Event, done: str, of_event: Iterable[str], of_players: Mapping[str, Iterable[str]]) -> None:
    """One message to each person, whatever of it the person follows."""
    why: dict[str, list[str]] = {user: [] for user in of_event}
    for number in sorted(of_players):
        for user in of_players[number]:
            why.setdefault(user, []).append(number)
    of_this = set(of_event)
    alike: dict[tuple[bool, tuple[str, ...]], list[str]] = {}
    for user, numbers in why.items():
        alike.setdefault((user in of_this, tuple(numbers)), []).append(user)
    for (follows, players), users in sorted(alike.items()):
        one = len(players) == 1 and not follows
        about = f"followed-player:{players[0]}" if one else f"followed-event:{event.number}"
        word = "player" if len(players) == 1 else "players"
        named = [*(["this event"] if follows else []), *([f"{word} {', '.join(players)}"] if players else [])]
        subject = f"{event.name or f'Event {event.number}'}: {done}"
        messages.send(users, subject, f"You follow {' and '.join(named)}.", about=about, by=BY)
