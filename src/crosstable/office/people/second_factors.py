"""Second factors: the web office keeps them; here is what an administrator may see and take away, and what the log says."""

from __future__ import annotations

from typing import Any

from django.apps import apps

from crosstable.office.audit.log import record
from crosstable.office.people import users
from crosstable.office.people.rights import Actor, NotAllowedError, require
from crosstable.office.people.users import PeopleError
from crosstable.office.storage.database import writing

#: What the web office calls them → what people call them
KINDS = {"totp": "app", "webauthn": "passkey", "recovery_codes": "recovery codes"}


def note(actor: Actor, act: str, kind: str) -> None:
    """Into the log: somebody has `added`, `removed` or `renewed` a second factor of their own."""
    require(actor, "account.write")
    with writing():
        record(actor.name, "user.second_factor", f"user:{actor.name}", "", {"act": act, "kind": KINDS.get(kind, kind)})


def kinds(actor: Actor, name: str) -> list[str]:
    """What a user has."""
    require(actor, "user.read")
    rows = _table().objects.filter(user_id=users.acting_as(name).user_id).order_by("created_at")
    return [KINDS.get(row.type, row.type) for row in rows]


def remove(actor: Actor, name: str, reason: str) -> int:
    """All of a user's, for somebody who lost them and has proved who they are. An officer sets up a new one first of all."""
    require(actor, "user.write")
    if not reason.strip():
        raise PeopleError("say how the person proved who they are: it goes into the log")
    whose = users.acting_as(name)
    if actor.user_id is not None and whose.user_id == actor.user_id:
        raise NotAllowedError(
            f"{actor.name} cannot take away the second factor of {actor.name}: another administrator must"
        )
    with writing():
        count, _ = _table().objects.filter(user_id=whose.user_id).delete()
        record(actor.name, "user.second_factor", f"user:{name}", reason, {"act": "taken away", "count": count})
    return int(count)


def _table() -> Any:
    try:
        return apps.get_model("mfa", "Authenticator")
    except LookupError:
        raise PeopleError("second factors belong to the web office: pip install 'crosstable[web]'") from None
