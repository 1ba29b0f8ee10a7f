"""Seals: a hash of an account or a proposal in the log entry of each act that writes it, so that `audit verify` notices
a row that was changed outside the office.
"""

from __future__ import annotations

import hashlib
from typing import Any

from django.contrib.auth.models import User
from django.db.models.signals import post_save
from django.dispatch import receiver

from crosstable.office.audit.log import canonical, record
from crosstable.office.people.models import Person
from crosstable.office.storage.database import writing

#: The entry's detail that holds it
SEAL = "seal"


def of_account(person: Person) -> dict[str, str]:
    """Return the seal of an account: role, player, whether it is active, address and password hash.

    The password's salt is in it, so an address cannot be found by trying. An account with neither an address nor a
    password has nothing to hide, and Django's random text in the place of a password is left out.
    """
    user = person.user
    password = user.password if user.email or user.has_usable_password() else ""
    return seal(user.username, person.role, person.player_id, user.is_active, user.email, password)


def seal(*values: object) -> dict[str, str]:
    """Return the seal of these values, as an entry's details have it."""
    return {SEAL: hashlib.sha256(canonical(list(values)).encode()).hexdigest()}


@receiver(post_save, sender=User, dispatch_uid="crosstable.seals")
def _hashed_anew(instance: User, update_fields: frozenset[str] | None = None, **_: Any) -> None:
    """Log it when Django hashes a password anew at a sign-in, because the cost of hashing was raised."""
    person = Person.objects.select_related("user").filter(user_id=instance.pk).first()
    if update_fields == frozenset({"password"}) and person is not None:
        with writing():
            record(instance.username, "user.rehash", f"user:{instance.username}", "", of_account(person))
