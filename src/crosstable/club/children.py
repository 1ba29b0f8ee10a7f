"""The club's children: first name, an initial where two have the same, and a number. No birth dates."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from crosstable.club.clubs import ClubError
from crosstable.club.models import Child, Wish
from crosstable.office.ledger.models import Player
from crosstable.office.people.rights import Actor
from crosstable.office.players import register
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing
from crosstable.words.language import _

LONGEST_NAME = 30


def short_name(text: str) -> str:
    """First name and initial at most: "Sam Kowalski" is kept as "Sam K"."""
    words = "".join(letter for letter in text if letter.isprintable()).split()
    if not words:
        raise ClubError(_("a child needs a first name"))
    first, last = words[0][:LONGEST_NAME], words[-1] if len(words) > 1 else ""
    return f"{first} {last[0].upper()}" if last else first


def display_name(player: Player) -> str:
    """Return the name on pages and sheets; the number of a child whose name was deleted."""
    return player.name or _("Player {number}").format(number=player.number)


def join(actor: Actor, text: str, day: date | None = None) -> Player:
    """Add a newcomer, by first name alone."""
    name = short_name(text)
    with writing():
        if taken := Player.objects.filter(name__iexact=name, club_child__left=False).first():
            first = name.split()[0]
            hint = _("write another initial or first name")
            if taken.name == first:
                hint = _("write {name} and an initial").format(name=first)
            raise ClubError(
                _("the club has a child called {taken_name} already: for another one {hint}").format(
                    taken_name=taken.name, hint=hint
                )
            )
        player = register.add(actor, _next_number(), "joined the club", name=name)
        Child.objects.create(player=player, joined=day or clock.today_here())
    return player


def join_all(actor: Actor, texts: Iterable[str]) -> list[Player]:
    """Newcomers of one evening: all of them, or no one where a name is taken."""
    made, problems = [], []
    with writing():
        for text in texts:
            try:
                made.append(join(actor, text))
            except ClubError as wrong:
                problems.append(str(wrong))
        if problems:
            raise ClubError(_("{join_problems}. No one was added").format(join_problems="; ".join(problems)))
    return made


def _next_number() -> str:
    numbers = Player.objects.values_list("number", flat=True)
    return str(max((int(number) for number in numbers if number.isdigit()), default=0) + 1)


def find(who: str) -> Player:
    """By number or name; by first name where only one child has it."""
    text = who.strip()
    members = list(Player.objects.filter(club_child__isnull=False))
    for match in (
        [one for one in members if one.number == text],
        [one for one in members if one.name.casefold() == text.casefold()],
        [one for one in members if one.name and one.name.split()[0].casefold() == text.casefold()],
    ):
        if len(match) == 1:
            return match[0]
        if match:
            raise ClubError(
                _("{text!r} may be {join_shown_one}: say which").format(
                    text=text, join_shown_one=", ".join(display_name(one) for one in match)
                )
            )
    raise ClubError(_("no one here is called {text!r}: add them with `crosstable club join`").format(text=text))


def members(*, everybody: bool = False) -> list[Player]:
    """Return the members of the club; with `everybody`, former members too."""
    found = Player.objects.filter(club_child__isnull=False)
    found = found if everybody else found.filter(club_child__left=False)
    return sorted(found, key=lambda player: (display_name(player).casefold(), player.id))


def rename(actor: Actor, player: Player, text: str) -> None:
    register.change(actor, player.number, "another name", name=short_name(text))


def leave(player: Player, *, left: bool = True) -> None:
    """Who has left stands on no list; what was played stays."""
    with writing():
        Child.objects.filter(player=player).update(left=left)


def forget(actor: Actor, player: Player) -> None:
    """Delete a child's name on request. Results stay, under a number."""
    with writing():
        register.forget_name(actor, player.number, "a name deleted on request")
        Child.objects.filter(player=player).update(left=True)


def keep_apart(one: Player, other: Player) -> None:
    """Siblings, for example: they are never paired."""
    _wish(Wish.APART, one, other, None)


def put_together(one: Player, other: Player, night: int) -> None:
    """Record the teacher's request for the next pairing of a night."""
    _wish(Wish.TOGETHER, one, other, night)


def _wish(kind: str, one: Player, other: Player, night: int | None) -> None:
    if one.id == other.id:
        raise ClubError(_("{shown_one} cannot play against {shown_one}").format(shown_one=display_name(one)))
    first, second = sorted((one.id, other.id))
    with writing():
        Wish.objects.get_or_create(kind=kind, one_id=first, other_id=second, night_id=night)


def drop_wish(number: int) -> None:
    with writing():
        Wish.objects.filter(id=number).delete()


def wishes(kind: str, night: int | None = None) -> list[Wish]:
    """Those that hold always, and those of a night."""
    found = Wish.objects.filter(kind=kind).select_related("one", "other")
    return [wish for wish in found.order_by("id") if wish.night_id in (None, night)]


def by_id(ids: Iterable[int]) -> dict[int, Player]:
    return Player.objects.in_bulk(list(ids))
