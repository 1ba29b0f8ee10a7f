"""A person opens an account: closed, by invitation or open, as the office has set it.

An open office sends an invitation to the e-mail address that a person gives; where it sends no mail, the page leads on
with the link. The account has the role that was asked for, player or director, and no rights of the office.
"""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import QuerySet

from crosstable.errors import OfficeError
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger.models import Office
from crosstable.office.ledger.office_settings import office
from crosstable.office.people import one_time_links
from crosstable.office.people.models import OneTimeLink
from crosstable.office.people.rights import Actor, Role, require
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing

#: The roles that a person may ask for
ROLES = (Role.PLAYER, Role.DIRECTOR)
#: The most links of this kind that can be open at a time: the oldest one gives way to another
MOST_OPEN = 200
HOURS = 48


def is_open() -> bool:
    """Return whether anyone may open an account."""
    return bool(Office.objects.filter(id=1, sign_up=Office.OPEN).exists())


def ask(role: str, email: str, *, by_mail: bool) -> str | None:
    """Return the secret of an invitation for this role.

    Return nothing where the address has an account or was sent a link a short time ago: its owner knows, and no one
    else may learn of it.
    """
    require(Actor.nobody(), "account.open")
    if office().sign_up != Office.OPEN:
        raise OfficeError("this office does not let people open accounts themselves: ask it for an invitation")
    if role not in ROLES:
        raise OfficeError("choose what you are: a player or a director")
    address = checked_address(email) if by_mail or email.strip() else ""
    with writing():
        waiting = OneTimeLink.objects.filter(kind=OneTimeLink.INVITATION, made_by=None, player_id="", used="")
        waiting.exclude(email="").filter(expires__lt=clock.stamp()).delete()
        since = clock.stamp(clock.now() - timedelta(minutes=one_time_links.MAIL_MINUTES))
        known = User.objects.filter(email__iexact=address).exists() if address else False
        if address and (known or waiting.filter(email=address, created__gt=since).exists()):
            return None
        _make_room(waiting)
        return one_time_links.open_invitation(Role(role), address, hours=HOURS)


def _make_room(waiting: QuerySet[OneTimeLink]) -> None:
    """Delete the oldest links where there are too many: invented addresses shut no one out.

    Only those that people asked for. A link made at the console looks the same but for its entry in the log.
    """
    older = list(waiting.order_by("-created", "-id").values_list("start", flat=True)[MOST_OPEN - 1 :])
    if older:
        made = AuditEntry.objects.filter(action="invitation.make", subject__in=[f"link:{start}" for start in older])
        kept = [subject.removeprefix("link:") for subject in made.values_list("subject", flat=True)]
        waiting.filter(start__in=older).exclude(start__in=kept).delete()


def checked_address(email: str) -> str:
    """Return an e-mail address in lower case, or raise with what to enter."""
    address = email.strip()
    try:
        validate_email(address)
    except ValidationError:
        raise OfficeError(f"{address[:80]!r} is not an e-mail address. Enter one such as name@example.org") from None
    return address.lower()
