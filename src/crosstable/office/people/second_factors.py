"""Second factors: the web office keeps them; here is what an administrator may see and take away, and what the log
says.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.apps import apps
from django.contrib.auth.models import User

from crosstable.office.audit.log import details_of, record
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger import free_text
from crosstable.office.people import second_person, users
from crosstable.office.people.rights import Actor, NotAllowedError, require
from crosstable.office.people.users import PeopleError
from crosstable.office.storage.database import writing

#: What the web office calls them → what people call them
KINDS = {"totp": "app", "webauthn": "passkey", "recovery_codes": "recovery codes"}


def note(actor: Actor, act: str, kind: str) -> None:
    """Into the log: someone has `added`, `removed` or `renewed` a second factor of their own."""
    require(actor, "account.write")
    with writing():
        record(actor.name, "user.second_factor", f"user:{actor.name}", "", {"act": act, "kind": KINDS.get(kind, kind)})


def kinds(actor: Actor, name: str) -> list[str]:
    """Return the kinds of second factor that a user has."""
    require(actor, "user.read")
    rows = _table().objects.filter(user_id=users.acting_as(name).user_id).order_by("created_at")
    return [KINDS.get(row.type, row.type) for row in rows]


def remove(actor: Actor, name: str, reason: str, *, confirmed_by: str = "") -> int:
    """Remove all of a user's second factors: they are lost, and the person has proved who they are.

    An officer sets up a new one before anything else. For pages and commands, `granting.remove_second_factor` asks a
    second person where one is needed.
    """
    require(actor, "user.write")
    if not reason.strip():
        raise PeopleError("say how the person proved who they are: it goes into the log")
    free_text.refuse(reason, "the reason")
    whose = users.acting_as(name)
    if actor.user_id is not None and whose.user_id == actor.user_id:
        raise NotAllowedError(
            f"{actor.name} cannot take away the second factor of {actor.name}: another administrator must"
        )
    with writing():
        behind = second_person.evidence(actor, whose.role, confirmed_by)
        count, _ = _table().objects.filter(user_id=whose.user_id).delete()
        details = {"act": "taken away", "count": count, **behind}
        record(actor.name, "user.second_factor", f"user:{name}", reason, details)
    return int(count)


def missing(actor: Actor) -> bool:
    """Whether the log knows of a second factor of this person that the office does not have.

    A backup holds none. Where one is restored, a password alone opens nothing: an administrator makes sure who asks,
    takes the lost factor away (`remove`), and the next sign-in sets up a new one.
    """
    require(actor, "account.write")
    return actor.name in _known(actor.name) and not _there(actor.user_id)


def all_missing(actor: Actor) -> list[str]:
    """Everybody of whom that is so."""
    require(actor, "user.write")
    ids = dict(User.objects.filter(is_active=True, username__in=_known()).values_list("username", "id"))
    return sorted(name for name, number in ids.items() if not _there(number))


def _known(name: str = "") -> set[str]:
    """Who has a second factor by the log: set up more often than removed, and not taken away since."""
    entries = AuditEntry.objects.filter(action="user.second_factor")
    counts: Counter[str] = Counter()
    for entry in entries.filter(subject=f"user:{name}") if name else entries:
        said, who = details_of(entry), entry.subject.removeprefix("user:")
        if said.get("act") == "taken away":
            counts[who] = 0
        elif said.get("kind") != KINDS["recovery_codes"]:
            counts[who] += {"added": 1, "removed": -1}.get(said.get("act", ""), 0)
    return {who for who, count in counts.items() if count > 0}


def _there(user_id: int | None) -> bool:
    if not apps.is_installed("allauth.mfa"):  # a shell without the web office, after a restore: there are none yet
        return False
    return bool(_table().objects.filter(user_id=user_id).exists())


def _table() -> Any:
    try:
        return apps.get_model("mfa", "Authenticator")
    except LookupError:
        raise PeopleError("second factors belong to the web office: pip install 'crosstable[web]'") from None
