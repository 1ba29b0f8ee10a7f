"""A user's role, and the tokens of programs."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models

from crosstable.office.people.rights import Role
from crosstable.office.storage.row import Row

ROLES = [(role.value, role.value) for role in Role]


class Person(Row):
    """A user's role in this office, and the player that the user is, if any."""

    user_id: int
    user: models.OneToOneField[User, User] = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, primary_key=True, related_name="person"
    )
    role: models.CharField[str, str] = models.CharField(max_length=16, choices=ROLES, default=Role.PLAYER.value)
    player_id: models.CharField[str, str] = models.CharField(max_length=32, blank=True, default="")
    #: Sessions that began before this moment have ended: the account was deactivated or activated then
    sessions_since: models.CharField[str, str] = models.CharField(max_length=27, blank=True, default="", db_default="")

    def __str__(self) -> str:
        return f"{self.user.username} ({self.role})"


class Secret(Row):
    """Only its hash is kept, and its first letters, so that people can tell secrets apart."""

    start: models.CharField[str, str] = models.CharField(max_length=12, unique=True)
    hash: models.CharField[str, str] = models.CharField(max_length=64, unique=True)
    created: models.CharField[str, str] = models.CharField(max_length=27)
    expires: models.CharField[str, str] = models.CharField(max_length=27)

    class Meta:
        abstract = True


class Token(Secret):
    """A program's key."""

    user_id: int
    user: models.ForeignKey[User, User] = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="tokens"
    )
    label: models.CharField[str, str] = models.CharField(max_length=100)
    scopes: models.TextField[str, str] = models.TextField()  # actions, one blank between
    revoked: models.CharField[str, str] = models.CharField(max_length=27, blank=True, default="")

    def __str__(self) -> str:
        return f"{self.start}… {self.label}"


class OneTimeLink(Secret):
    """An invitation, a way to choose a new password, or a role that waits for its person to take it.

    For officers and administrators it `needs_code`: the administrator hands over the link, the second person who
    confirms it hands over the code, and neither can use it alone. Only the code's hash is kept.
    """

    INVITATION, RESET, ROLE = "invitation", "reset", "role"

    kind: models.CharField[str, str] = models.CharField(max_length=16)
    role: models.CharField[str, str] = models.CharField(max_length=16, blank=True, default="")
    player_id: models.CharField[str, str] = models.CharField(max_length=32, blank=True, default="")
    user_id: int | None
    user: models.ForeignKey[User | None, User | None] = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    made_by_id: int | None
    made_by: models.ForeignKey[User | None, User | None] = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    used: models.CharField[str, str] = models.CharField(max_length=27, blank=True, default="")
    needs_code: models.BooleanField[bool, bool] = models.BooleanField(default=False)
    code: models.CharField[str, str] = models.CharField(max_length=64, blank=True, default="")
    confirmed_by: models.CharField[str, str] = models.CharField(max_length=150, blank=True, default="")
    tries: models.PositiveSmallIntegerField[int, int] = models.PositiveSmallIntegerField(default=0)
    #: where an invitation was sent: the account has this address
    email: models.CharField[str, str] = models.CharField(max_length=254, blank=True, default="", db_default="")

    def __str__(self) -> str:
        return f"{self.kind} {self.start}…"
