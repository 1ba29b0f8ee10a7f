"""Users: adding them, their roles, and who is acting."""

from __future__ import annotations

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
from crosstable.office.people.models import Person, Token
from crosstable.office.people.rights import Actor, NotAllowedError, Role, require
from crosstable.office.storage.database import writing
from crosstable.office.storage.row import first_or

#: Length over tricks: a passphrase of ten letters or more that is neither common nor the user's own name
PASSWORDS: list[Any] = [MinimumLengthValidator(10), CommonPasswordValidator(), UserAttributeSimilarityValidator()]


class PeopleError(CrosstableError):
    """A user, token or proposal that cannot be as asked."""


def add_user(actor: Actor, name: str, role: Role, password: str | None = None, player_id: str = "") -> User:
    """A new user. Without a password the user can only act through tokens or on the office's own machine."""
    require(actor, "user.write")
    with writing():
        refuse_unknown_player(player_id)
        _refuse_taken(name)
        user = User(username=name)
        _set_password(user, password)
        _full_clean(user)
        user.save()
        Person.objects.create(user=user, role=role.value, player_id=player_id)
        record(actor.name, "user.add", f"user:{name}", "", {"role": role.value})
    return user


def set_role(actor: Actor, name: str, role: Role, reason: str = "") -> None:
    require(actor, "user.write")
    free_text.refuse(reason, "the reason for a role")
    with writing():
        person = _person(name)
        if actor.user_id is not None and person.user_id == actor.user_id:
            raise NotAllowedError(f"{actor.name} cannot change the role of {actor.name}: another administrator must")
        before, person.role = person.role, role.value
        person.save()
        record(actor.name, "user.role", f"user:{name}", reason, {"before": before, "after": role.value})


def set_password(actor: Actor, name: str, password: str) -> None:
    """One's own, or as administrator anybody's."""
    person = _person(name)
    if actor.user_id != person.user_id or actor.scopes is not None:
        require(actor, "user.write")
    with writing():
        _set_password(person.user, password)
        person.user.save()
        record(actor.name, "user.password", f"user:{name}")


def set_email(actor: Actor, name: str, address: str) -> None:
    """Where a way back in and notices go, where mail is set up: one's own, or as administrator anybody's. Empty: nowhere."""
    person = _person(name)
    if actor.user_id != person.user_id or actor.scopes is not None:
        require(actor, "user.write")
    with writing():
        person.user.email = address.strip()
        _full_clean(person.user)
        person.user.save()
        record(actor.name, "user.email", f"user:{name}", "", {"set": bool(person.user.email)})


def deactivate(actor: Actor, name: str, reason: str) -> None:
    """Nobody is deleted: the log names them. Their tokens and sessions stop with them."""
    _set_active(actor, name, False, reason)


def activate(actor: Actor, name: str, reason: str) -> None:
    """Somebody who is back."""
    _set_active(actor, name, True, reason)


def _set_active(actor: Actor, name: str, active: bool, reason: str) -> None:
    require(actor, "user.write")
    act = "user.activate" if active else "user.deactivate"
    if not reason.strip():
        raise PeopleError("an activation needs a reason" if active else "a deactivation needs a reason")
    free_text.refuse(reason, "the reason")
    with writing():
        person = _person(name)
        if actor.user_id is not None and person.user_id == actor.user_id:
            raise NotAllowedError(f"{actor.name} cannot deactivate {actor.name}: another administrator must")
        person.user.is_active = active
        person.user.save()
        record(actor.name, act, f"user:{name}", reason)


def sign_in(name: str, password: str) -> Actor:
    """Argon2 does the checking; a wrong name takes as long as a wrong password."""
    user = authenticate(username=name, password=password)
    if not isinstance(user, User):
        raise NotAllowedError("wrong name or password")
    return actor_of(user)


def acting_as(name: str) -> Actor:
    """The user of that name, for the office's own shell, where whoever calls has the database anyway."""
    return actor_of(_person(name).user)


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


def _person(name: str) -> Person:
    return first_or(
        Person.objects.select_related("user").filter(user__username=name),
        PeopleError(f"there is no user {name!r}; `crosstable office user list` shows who there is"),
    )


def _refuse_taken(name: str) -> None:
    """Names that differ only in case are too easily taken for each other. Compared here: each database folds in its own way."""
    wanted = _folded(name)
    for other in User.objects.values_list("username", flat=True):
        if _folded(other) == wanted:
            case = "" if other == name else ": names that differ only in case are one name"
            raise PeopleError(f"there is already a user {other!r}{case}")


def _folded(name: str) -> str:
    return User.normalize_username(name).casefold()


def refuse_unknown_player(player: str) -> None:
    """A user who is a player is one of the ledger's."""
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
