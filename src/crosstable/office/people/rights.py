"""Who may do what, in one table. What is not written here is refused."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from crosstable.errors import CrosstableError


class Role(enum.StrEnum):
    PUBLIC = "public"
    PLAYER = "player"
    DIRECTOR = "director"
    OFFICER = "officer"
    ADMIN = "admin"


class NotAllowedError(CrosstableError):
    """Default deny: this role, or this token, may not do that."""


PUBLIC, PLAYER, DIRECTOR, OFFICER, ADMIN = Role
EVERYBODY = frozenset(Role)
MEMBERS = frozenset({PLAYER, DIRECTOR, OFFICER, ADMIN})
OFFICIALS = frozenset({DIRECTOR, OFFICER, ADMIN})
OFFICE = frozenset({OFFICER, ADMIN})
OFFICERS, ADMINS = frozenset({OFFICER}), frozenset({ADMIN})

#: Action → the roles that may. An administrator runs the installation and its users; ratings are for the officers,
#: so an administrator alone can neither publish nor adjust.
RIGHTS: Mapping[str, frozenset[Role]] = {
    # reading
    "list.read": EVERYBODY,
    "event.read": EVERYBODY,
    "rating.read": EVERYBODY,
    "trace.read": EVERYBODY,
    "player.read": EVERYBODY,
    "player.read_private": OFFICE,
    "submission.read": OFFICIALS,
    "audit.read": OFFICE,
    "audit.verify": EVERYBODY,
    # players
    "player.write": OFFICE,
    "player.merge": OFFICERS,
    "player.forget_name": OFFICE,
    "membership.write": OFFICE,
    "external.import": OFFICE,
    # events
    "draft.write": OFFICIALS,
    "event.submit": OFFICIALS,
    "event.review": OFFICE,
    "event.accept": OFFICERS,
    "event.refuse": OFFICERS,
    "event.correct": OFFICERS,
    "event.withdraw": OFFICERS,
    "correction.ask": OFFICIALS,
    "history.import": ADMINS,
    # ratings
    "rating.rerate": OFFICERS,
    "rating.preview": OFFICE,
    "rating.adjust": OFFICERS,
    "fide.opt_out": OFFICERS,
    "floor.request": MEMBERS,
    "floor.decide": OFFICERS,
    "floor.write": OFFICERS,
    # clubs: what one volunteer decides
    "club.numbers": OFFICERS,
    "club.clean_slate": OFFICERS,
    # lists
    "list.publish": OFFICERS,
    "report.publish": OFFICERS,
    # proposals
    "proposal.read": OFFICE,
    "proposal.withdraw": OFFICERS,
    # runs longer than a request
    "job.read": OFFICE,
    # messages
    "notice.read": MEMBERS,
    "notice.write": MEMBERS,
    # what players ask of the office
    "request.make": MEMBERS,
    "request.visit": EVERYBODY,  # the report of a mistake, or a claim, without an account
    "request.decide": OFFICERS,
    # one's own account: opening it where the office lets people, then password, second factor, address
    "account.open": EVERYBODY,
    "account.write": MEMBERS,
    # the installation
    "office.init": ADMINS,
    "office.settings": ADMINS,
    "user.write": ADMINS,
    "user.read": ADMINS,
    "user.rights": OFFICE,  # confirming what an administrator proposes
    "token.write": OFFICIALS,
    "backup.make": ADMINS,
    "backup.restore": ADMINS,
}

#: What one officer proposes and another must approve; rights of the office (user.rights) an administrator proposes
TWO_OFFICERS = frozenset({"list.publish", "rating.adjust", "fide.opt_out", "user.rights"})
#: What no token may hold: a program has no second factor, and these acts ask for one
PEOPLE_ONLY = TWO_OFFICERS | {"user.write", "token.write", "account.write"}


@dataclass(frozen=True, slots=True)
class Actor:
    """Anyone who acts: a user or a program with that user's token. The name goes into the audit log."""

    name: str
    role: Role = PUBLIC
    user_id: int | None = None
    scopes: frozenset[str] | None = None  # a token's; nothing means a person, with all rights of the role
    console: bool = False  # at the server's own shell, where no password and no second factor is asked for

    @property
    def user(self) -> str:
        """The person behind it."""
        return user_name(self.name)

    def may(self, action: str) -> bool:
        within = self.scopes is None or action in self.scopes
        return within and self.role in RIGHTS.get(action, frozenset())

    @classmethod
    def installation(cls) -> Actor:
        """Return the shell on the office's own machine: its user has the database file too."""
        return cls("installation", ADMIN, console=True)

    @classmethod
    def nobody(cls) -> Actor:
        return cls("public", PUBLIC)


def user_name(name: str) -> str:
    """Whose name in the log it is: a program's is its user's, a slash, and the first letters of the token."""
    return name.partition("/")[0]


def require(actor: Actor, action: str) -> None:
    """Let pass, or raise. Every writing function of the office begins with this line."""
    if action not in RIGHTS:
        raise NotAllowedError(f"{action}: no such right; the table in people/rights.py does not know it")
    if actor.may(action):
        return
    if actor.scopes is not None and actor.role in RIGHTS[action]:
        raise NotAllowedError(f"{actor.name}: this token's scope does not hold {action}")
    roles = ", ".join(sorted(RIGHTS[action]))
    raise NotAllowedError(f"{actor.name} ({actor.role}) may not {action}: it takes {roles}")
