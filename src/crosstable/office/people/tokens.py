"""The keys of programs: shown once, kept as a hash, limited to a scope, expiring, revocable."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable

from crosstable.office.audit.log import record
from crosstable.office.ledger import free_text
from crosstable.office.people.models import Token
from crosstable.office.people.rights import PEOPLE_ONLY, RIGHTS, Actor, NotAllowedError, require
from crosstable.office.people.second_person import at_console
from crosstable.office.people.users import PeopleError, acting_as, actor_of
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing

LONGEST_DAYS = 366
LONGEST_LABEL = 100


def create_token(actor: Actor, user: str, label: str, scopes: Iterable[str], days: int = 90) -> str:
    """Create a token: the secret is returned here and never again. A scope beyond the user's role is refused."""
    require(actor, "token.write")
    wanted = sorted(set(scopes))
    if actor.scopes is not None:
        raise NotAllowedError("a token cannot make tokens")
    if not wanted or not 1 <= days <= LONGEST_DAYS:
        raise PeopleError(f"a token needs a scope and a life of 1 to {LONGEST_DAYS} days")
    if not label.strip() or len(label) > LONGEST_LABEL:
        raise PeopleError(f"a token needs a label of 1 to {LONGEST_LABEL} letters that says what it is for")
    secret = f"ct_{secrets.token_urlsafe(32)}"
    with writing():
        owner = _owner(actor, user, wanted)
        token = Token(user_id=owner, label=label, start=secret[:12], hash=_hash(secret), scopes=" ".join(wanted))
        token.created, token.expires = clock.stamp(), clock.stamp_in(days)
        token.save(force_insert=True)
        details = {"user": user, "label": label, "scopes": wanted, "expires": token.expires, **at_console(actor)}
        record(actor.name, "token.create", f"token:{token.start}", "", details)
    return secret


def _owner(actor: Actor, user: str, scopes: Iterable[str]) -> int:
    """Return the user whom the token acts for, who must have every right in its scope. A token acts as its owner, so
    only the owner makes one, or the operator at the server's own shell."""
    owner = acting_as(user)
    if owner.user_id is None or actor.user_id not in (None, owner.user_id):
        raise NotAllowedError(f"{actor.name} may make tokens for {actor.name} only")
    for scope in scopes:
        if scope not in RIGHTS:
            known = ", ".join(sorted(right for right in RIGHTS if owner.may(right)))
            raise PeopleError(f"no such right: {scope!r}; {user} has {known}")
        require(owner, scope)
        if scope in PEOPLE_ONLY:
            raise NotAllowedError(f"no token can hold {scope}: it takes a person with a second factor")
    return owner.user_id


def revoke(actor: Actor, start: str, reason: str = "") -> None:
    require(actor, "token.write")
    free_text.refuse(reason, "the reason")
    with writing():
        token = Token.objects.filter(start=start[:12]).first()
        if token is None:
            raise PeopleError(f"there is no token that starts with {start[:12]!r}")
        if actor.user_id not in (None, token.user_id) and not actor.may("user.write"):
            raise NotAllowedError(f"{actor.name} may revoke tokens of {actor.name} only")
        token.revoked = token.revoked or clock.stamp()
        token.save()
        record(actor.name, "token.revoke", f"token:{token.start}", reason)


def actor_with(secret: str) -> Actor:
    """Who comes with this token. Unknown, revoked and expired tokens get the same answer."""
    token = Token.objects.select_related("user").filter(hash=_hash(secret)).first()
    if token is None or token.revoked or token.expires <= clock.stamp():
        raise NotAllowedError("this token is unknown, revoked or expired")
    return actor_of(token.user, token)


def tokens(actor: Actor) -> list[dict[str, str]]:
    """One's own; an administrator sees all. The secrets are nowhere to be seen."""
    require(actor, "token.write")
    rows = Token.objects.select_related("user").order_by("created")
    if not actor.may("user.read"):
        rows = rows.filter(user_id=actor.user_id)
    return [
        {
            "start": row.start,
            "user": row.user.username,
            "label": row.label,
            "scopes": row.scopes,
            "expires": row.expires,
            "revoked": row.revoked,
        }
        for row in rows
    ]


def _hash(secret: str) -> str:
    """Hash a token. It has 256 random bits: a plain SHA-256 cannot be guessed backwards."""
    return hashlib.sha256(secret.encode()).hexdigest()
