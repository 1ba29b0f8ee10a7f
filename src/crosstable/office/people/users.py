"""Users: adding them, their roles, and who is acting."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import (
    CommonPasswordValidator,
    MinimumLengthValidator,
    UserAttributeSimilarityValidator,
    validate_password,
)
from django.core.exceptions import ValidationError

from crosstable.errors import CrosstableError
from crosstable.office.audit.log import record
from crosstable.office.ledger import free_text
from crosstable.office.ledger.models import Player
from crosstable.office.people import seals, second_person
from crosstable.office.people.models import OneTimeLink, Person, Token
from crosstable.office.people.rights import Actor, NotAllowedError, Role, require
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing
from crosstable.office.storage.row import first_or

SHORTEST_PASSWORD = 10


class NotTheName:
    """Refuse a password that is too short without the user's name in it, forwards or backwards."""

    def validate(self, password: str, user: User | None = None) -> None:
        name = user.username.casefold() if user else ""
        rest = password.casefold()
        for part in (name, name[::-1]) if name else ():
            rest = rest.replace(part, "")
        if len(rest) != len(password) and len(rest) < SHORTEST_PASSWORD:
            raise ValidationError(
                f"The password holds your user name. Choose one with {SHORTEST_PASSWORD} other characters."
            )


#: Length over tricks: a passphrase of ten letters or more that is neither common nor the user's own name
PASSWORDS: list[Any] = [
    MinimumLengthValidator(SHORTEST_PASSWORD),
    CommonPasswordValidator(),
    UserAttributeSimilarityValidator(),
    NotTheName(),
]


class PeopleError(CrosstableError):
    """A user, token or proposal that cannot be as asked."""


def add_user(
    actor: Actor, name: str, role: Role, password: str | None = None, player_id: str = "", *, confirmed_by: str = ""
) -> User:
    """Add a user. Without a password the user can only act through tokens or on the office's own machine.

    An officer or administrator needs a second person (`second_person`), and so comes by invitation.
    """
    require(actor, "user.write")
    with writing():
        behind = second_person.evidence(actor, role, confirmed_by)
        refuse_unknown_player(player_id)
        second_person.refuse_second_account(role, player_id, "")
        _refuse_taken(name)
        user = User(username=name)
        _set_password(user, password)
        _full_clean(user)
        user.save()
        person = Person.objects.create(user=user, role=role.value, player_id=player_id)
        details = {"role": role.value, **behind, **seals.of_account(person)}
        record(actor.name, "user.add", f"user:{name}", "", details)
    return user


def set_role(actor: Actor, name: str, role: Role, reason: str = "", *, confirmed_by: str = "") -> None:
    """Give a user another role. For pages and commands, `requests.rights.set_role` asks a second person where one is
    needed.
    """
    require(actor, "user.write")
    free_text.refuse(reason, "the reason for a role")
    with writing():
        person = person_of(name)
        refuse_own_role(actor, person)
        behind = second_person.evidence(actor, role, confirmed_by)
        second_person.refuse_second_account(role, person.player_id, person.user.email, person.user_id)
        before, person.role = person.role, role.value
        person.save()
        details = {"before": before, "after": role.value, **behind, **seals.of_account(person)}
        record(actor.name, "user.role", f"user:{name}", reason, details)


def refuse_own_role(actor: Actor, person: Person) -> None:
    """Raise if a person would change their own role."""
    if actor.user_id is not None and person.user_id == actor.user_id:
        raise NotAllowedError(f"{actor.name} cannot change the role of {actor.name}: another administrator must")


def set_password(actor: Actor, name: str, password: str) -> None:
    """Set one's own password, or as administrator that of another user outside the office.

    Reset links no longer work.
    """
    person = person_of(name)
    if actor.user_id != person.user_id or actor.scopes is not None:
        require(actor, "user.write")
    with writing():
        behind = _behind(actor, person)
        _set_password(person.user, password)
        person.user.save()
        OneTimeLink.objects.filter(user=person.user, kind=OneTimeLink.RESET, used="").update(used=clock.stamp())
        record(actor.name, "user.password", f"user:{name}", "", {**behind, **seals.of_account(person)})


def set_email(actor: Actor, name: str, address: str) -> None:
    """Set where links and notices go, where mail is set up: one's own, or of another user outside the office. Empty:
    nowhere.
    """
    person = person_of(name)
    if actor.user_id != person.user_id or actor.scopes is not None:
        require(actor, "user.write")
    with writing():
        behind = _behind(actor, person)
        person.user.email = address.strip()
        _full_clean(person.user)
        person.user.save()
        details = {"set": bool(person.user.email), **behind, **seals.of_account(person)}
        record(actor.name, "user.email", f"user:{name}", "", details)


def sessions_since(user_id: int | None) -> float:
    """Return since when sessions of this account count, in seconds since 1970; 0: always."""
    stamp = Person.objects.filter(user_id=user_id).values_list("sessions_since", flat=True).first()
    return datetime.fromisoformat(stamp).timestamp() if stamp else 0.0


def set_player(actor: Actor, name: str, player_id: str) -> None:
    """Make the account that of a player: an officer has confirmed who the person is."""
    require(actor, "request.decide")
    with writing():
        person = person_of(name)
        person.player_id = player_id
        person.save(update_fields=["player_id"])
        record(actor.name, "user.player", f"user:{name}", "", {"player": player_id, **seals.of_account(person)})


def deactivate(actor: Actor, name: str, reason: str) -> None:
    """Stop an account, its sessions and its tokens for good. No user is deleted: the log names them."""
    _set_active(actor, name, False, reason)


def activate(actor: Actor, name: str, reason: str, *, confirmed_by: str = "") -> None:
    """Let a user who is back act again; for pages and commands, `granting.activate` asks a second person where
    needed.
    """
    _set_active(actor, name, True, reason, confirmed_by)


def _behind(actor: Actor, person: Person) -> dict[str, object]:
    """Return what the log says of a change to the way in: one's own, or another's; of an office member's, the
    operator's.
    """
    own = actor.user_id == person.user_id and actor.scopes is None
    return second_person.at_console(actor) if own else second_person.evidence(actor, person.role)


def _set_active(actor: Actor, name: str, active: bool, reason: str, confirmed_by: str = "") -> None:
    require(actor, "user.write")
    act = "user.activate" if active else "user.deactivate"
    if not reason.strip():
        raise PeopleError("an activation needs a reason" if active else "a deactivation needs a reason")
    free_text.refuse(reason, "the reason")
    with writing():
        person = person_of(name)
        if actor.user_id is not None and person.user_id == actor.user_id:
            raise NotAllowedError(f"{actor.name} cannot deactivate {actor.name}: another administrator must")
        behind = second_person.at_console(actor)
        if active:
            behind = {"role": person.role, **second_person.evidence(actor, person.role, confirmed_by)}
            second_person.refuse_second_account(person.role, person.player_id, person.user.email, person.user_id)
        person.user.is_active = active
        person.user.save()
        person.sessions_since = clock.stamp()
        person.save(update_fields=["sessions_since"])
        for token in [] if active else Token.objects.filter(user=person.user, revoked=""):
            token.revoked = clock.stamp()
            token.save(update_fields=["revoked"])
            record(actor.name, "token.revoke", f"token:{token.start}", reason)
        record(actor.name, act, f"user:{name}", reason, {**behind, **seals.of_account(person)})


def sign_in(name: str, password: str) -> Actor:
    """Argon2 does the checking; a wrong name takes as long as a wrong password."""
    user = authenticate(username=name, password=password)
    if not isinstance(user, User):
        raise NotAllowedError("wrong name or password")
    return actor_of(user)


def acting_as(name: str) -> Actor:
    """Return the user of that name, for the office's own shell, whose user has the database anyway."""
    return actor_of(person_of(name).user)


def actor_of(user: User, token: Token | None = None) -> Actor:
    if not user.is_active:
        raise NotAllowedError(f"the user {user.username} has been deactivated")
    person = Person.objects.filter(user=user).first()
    role = Role(person.role) if person else Role.PUBLIC
    scopes = frozenset(token.scopes.split()) if token else None
    name = f"{user.username}/{token.start}" if token else user.username
    return Actor(name, role, user.pk, scopes)


def users(actor: Actor) -> list[dict[str, Any]]:
    require(actor, "user.read")
    people = Person.objects.select_related("user").order_by("user__username")
    return [
        {
            "name": person.user.username,
            "role": person.role,
            "player": person.player_id,
            "active": person.user.is_active,
            "number": person.user_id,
        }
        for person in people
    ]


def one_user(actor: Actor, number: int) -> dict[str, Any]:
    """One of them by number, with what an administrator is asked about: can this user sign in, and since when."""
    require(actor, "user.read")
    person = Person.objects.select_related("user").filter(user_id=number).first()
    if person is None:
        raise PeopleError(f"there is no user with the number {number}")
    return {
        "number": number,
        "name": person.user.username,
        "role": person.role,
        "player": person.player_id,
        "active": person.user.is_active,
        "email": person.user.email,
        "password": person.user.has_usable_password(),
        "joined": person.user.date_joined,
        "last_sign_in": person.user.last_login,
    }


def person_of(name: str) -> Person:
    """Return the user of this name, with the role."""
    return first_or(
        Person.objects.select_related("user").filter(user__username=name),
        PeopleError(f"there is no user {name!r}; `crosstable office user list` shows who there is"),
    )


def _refuse_taken(name: str) -> None:
    """Names that differ only in case are too easily taken for each other. Compared here: each database folds in its own
    way.
    """
    wanted = _folded(name)
    for other in User.objects.values_list("username", flat=True):
        if _folded(other) == wanted:
            case = "" if other == name else ": names that differ only in case are one name"
            raise PeopleError(f"there is already a user {other!r}{case}")


def _folded(name: str) -> str:
    return User.normalize_username(name).casefold()


def refuse_unknown_player(player: str) -> None:
    """Check that a user who is a player is one of the ledger's."""
    if player and not Player.objects.filter(number=player).exists():
        raise PeopleError(f"there is no player {player!r}")
    if len(player) > 32:
        raise PeopleError(f"the player's id has {len(player)} letters: a user's can have 32")


def _set_password(user: User, password: str | None) -> None:
    if password is None:
        user.set_unusable_password()
        return
    try:
        validate_password(password, user, password_validators=PASSWORDS)
    except ValidationError as error:
        raise PeopleError("; ".join(error.messages)) from error
    user.set_password(password)


def _full_clean(user: User) -> None:
    try:
        user.full_clean(exclude=["password"])
    except ValidationError as error:
        raise PeopleError("; ".join(error.messages)) from error
