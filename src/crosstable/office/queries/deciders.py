"""Who asked for a revision and who decided on it: by role, because the names of an office's people are not for
everybody.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db.models import QuerySet

from crosstable.office.ledger.models import Event, Revision
from crosstable.office.people.models import Person
from crosstable.office.people.rights import Role, user_name
from crosstable.office.requests.models import CorrectionRequest
from crosstable.words.language import _, gettext_noop

ROLES = {
    Role.PLAYER: gettext_noop("a player"),
    Role.DIRECTOR: gettext_noop("the director"),
    Role.OFFICER: gettext_noop("an officer"),
}
#: Administrators, and users who act on the office's own machine
OFFICE = gettext_noop("the office")


class Step(NamedTuple):
    """What someone did on the way of an event."""

    at: datetime
    title: str
    by: str
    words: str


def steps(event: Event, revision: Revision, kind: str) -> tuple[Step, ...]:
    """Asked for, checked and decided; of a revision that no one asked for, what was done and why."""
    asked = _requests(event).filter(revision=revision.number).first()
    if asked is None:
        by = _roles([revision.author])[revision.author]
        return (Step(revision.at, kind.capitalize(), _(by), _sentence(revision.reason)),)
    first, second = _asked_and_decided(asked, _roles([asked.author, asked.decided_by]))
    return (
        Step(asked.at, _("Requested"), _(first), _sentence(asked.reason)),
        Step(revision.at, _("Checked and decided"), _(second), ""),
    )


def told(event: Event) -> dict[int, str]:
    """Return "Requested by the director, decided by an officer." by revision, where it was requested."""
    rows = list(_requests(event).exclude(revision=None))
    roles = _roles(name for row in rows for name in (row.author, row.decided_by))
    both = {row.revision or 0: _asked_and_decided(row, roles) for row in rows}
    words = _("Requested by {first}, decided by {second}.")
    return {number: words.format(first=_(first), second=_(second)) for number, (first, second) in both.items()}


def _requests(event: Event) -> QuerySet[CorrectionRequest]:
    return CorrectionRequest.objects.filter(event=event).defer("data")


def _asked_and_decided(row: CorrectionRequest, roles: dict[str, str]) -> tuple[str, str]:
    asked, decided = roles[row.author], roles[row.decided_by]
    if asked == decided == ROLES[Role.OFFICER] and user_name(row.author) != user_name(row.decided_by):
        return asked, gettext_noop("another officer")
    return asked, decided


def _roles(names: Iterable[str]) -> dict[str, str]:
    users = {name: user_name(name) for name in names}
    known = dict(Person.objects.filter(user__username__in=users.values()).values_list("user__username", "role"))
    return {name: ROLES.get(Role(known[user]), OFFICE) if user in known else OFFICE for name, user in users.items()}


def _sentence(text: str) -> str:
    return text if not text or text.endswith((".", "!", "?")) else f"{text}."
