"""The second person: rights of the office are given by one administrator and confirmed by another officer or
administrator.

Otherwise one administrator could become two officers, with a second account or with the account of someone else. No
confirmation is needed for roles outside the office, from the operator at the server's own shell, who holds the
database, and while no second officer or administrator has ever existed: a new office has to start. The log then says
`alone`, and the administrator's page shows it until the role has been given again and confirmed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from crosstable.office.audit.log import details_of
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger.models import Player
from crosstable.office.ledger.players import main_record
from crosstable.office.people.models import Person
from crosstable.office.people.own_player import own_player
from crosstable.office.people.rights import OFFICE, Actor, NotAllowedError, Role

#: Entries of the log that say which role a user has, or that it is in force again
ROLE_ACTS = ("user.add", "user.role", "user.activate")
_OFFICE = [role.value for role in OFFICE]
OPERATOR = "On the server, the operator can do it with `crosstable office user`."


@dataclass(frozen=True, slots=True)
class GivenAlone:
    """An officer or administrator whose rights one person gave without a second."""

    name: str
    role: str
    by: str
    at: str


def is_needed(actor: Actor, role: Role | str) -> bool:
    """Whether this actor needs a second person to give the role, or to open an account that has it."""
    return actor.user_id is not None and role in OFFICE and another_ever(actor)


def evidence(actor: Actor, role: Role | str, confirmed_by: str = "") -> dict[str, object]:
    """Return what the log says about who stood behind giving these rights; raise where a second person is missing."""
    refuse_program(actor)
    found = at_console(actor)
    if role not in OFFICE:
        return found
    if confirmed_by:
        return found | {"confirmed_by": confirmed_by}
    if is_needed(actor, role):
        raise NotAllowedError(
            "rights of an officer or administrator must be confirmed by a second person: "
            "an administrator proposes them, another officer or administrator approves"
        )
    return found | ({"operator": True} if actor.user_id is None else {"alone": True})


def at_console(actor: Actor) -> dict[str, object]:
    """Return the mark of an act at the server's own shell, where no second factor is asked for."""
    return {"console": True} if actor.console else {}


def refuse_program(actor: Actor) -> None:
    """Raise for a token: a program has no second factor."""
    if actor.scopes is not None:
        raise NotAllowedError(f"{actor.name}: a token cannot give rights or decide for two people; sign in to do it")


def another_ever(actor: Actor) -> bool:
    """Whether the office has, or ever had, an officer or administrator besides the actor.

    Deactivating or demoting everyone else does not make an office new.
    """
    others = Person.objects.exclude(user_id=actor.user_id)
    return others.filter(role__in=_OFFICE).exists() or any(
        entry.subject != f"user:{actor.user}" and role in OFFICE for entry, role in _roles_in_log()
    )


def refuse_without_confirmer(actor: Actor, user_id: int | None) -> None:
    """Raise if no one is left who could confirm what this actor asks for this user."""
    office = Person.objects.filter(role__in=_OFFICE, user__is_active=True)
    if not office.exclude(user_id__in=[number for number in (actor.user_id, user_id) if number]).exists():
        raise NotAllowedError(f"no other officer or administrator can confirm this. {OPERATOR}")


def refuse_second_account(role: Role | str, player_id: str, email: str, user_id: int | None = None) -> None:
    """Raise if another account of the office belongs to the same player or has the same e-mail address."""
    if role not in OFFICE:
        return
    office = (
        Person.objects.select_related("user").filter(role__in=_OFFICE, user__is_active=True).exclude(user_id=user_id)
    )
    for other in office:
        same_player = bool(player_id) and is_same_player(player_id, other.player_id)
        same_address = bool(email) and email.casefold() == other.user.email.casefold()
        if same_player or same_address:
            what = "player" if same_player else "e-mail address"
            raise NotAllowedError(
                f"{other.user.username} ({other.role}) has the same {what}: one person has one account in the office"
            )


def refuse_own_half(proposer: Actor, approver: Actor, user_id: int | None) -> None:
    """Raise if the approver is the person who gains by it, or the proposer under another name."""
    if approver.user_id == user_id:
        raise NotAllowedError(f"{approver.name} cannot confirm rights of {approver.name}: another person must")
    first, second = own_player(proposer), own_player(approver)
    if first is not None and second is not None and first.pk == second.pk:
        raise NotAllowedError(f"{proposer.name} and {approver.name} are the same player: another person must confirm")


def is_same_player(one: str, other: str) -> bool:
    """Whether two ids are one person's, merged records included."""
    rows = {row.number: main_record(row).pk for row in Player.objects.filter(number__in=[one, other])}
    return one == other or (one in rows and rows[one] == rows.get(other))


def given_alone() -> list[GivenAlone]:
    """Return the active officers and administrators whose last role was given by one person alone."""
    last: dict[str, AuditEntry] = {}
    for entry in AuditEntry.objects.filter(action__in=ROLE_ACTS).order_by("seq"):
        last[entry.subject.removeprefix("user:")] = entry
    office = Person.objects.select_related("user").filter(role__in=_OFFICE, user__is_active=True)
    known = [(person, last[person.user.username]) for person in office if person.user.username in last]
    found = (
        GivenAlone(name=person.user.username, role=person.role, by=entry.actor, at=entry.at)
        for person, entry in known
        if details_of(entry).get("alone")
    )
    return sorted(found, key=lambda one: one.name)


def _roles_in_log() -> Iterator[tuple[AuditEntry, str]]:
    for entry in AuditEntry.objects.filter(action__in=ROLE_ACTS):
        details = details_of(entry)
        yield entry, str(details.get("role") or details.get("after") or "")
