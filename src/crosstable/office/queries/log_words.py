"""What the log and proposals hold, in words that one can read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crosstable.office.people.readable import readable
from crosstable.office.queries.subject import Subject

#: Of a long list so many are told
MOST = 20
#: What the log's names for acts mean; an act without words here is told by its name
ACTS = {
    "correction.ask": "Correction requested",
    "correction.decide": "Correction decided",
    "event.accept": "Event accepted",
    "event.announce": "Event announced",
    "event.announce_cancel": "Announced event cancelled",
    "event.announce_change": "Announced event changed",
    "event.announce_remove": "Announced event removed",
    "event.comment": "Comment on a row",
    "draft.preview_limit": "Previews refused: too many in a day",
    "event.correct": "Event corrected",
    "event.refuse": "Event refused",
    "event.submit": "Event submitted",
    "event.withdraw": "Event withdrawn",
    "external.import": "List imported",
    "fide.batch": "FIDE list imported",
    "fide.opt_out": "Opted out of FIDE events",
    "floor.decide": "Floor request decided",
    "floor.request": "Lower floor requested",
    "floor.write": "Prize floor set",
    "history.import": "History imported",
    "list.publish": "List published",
    "membership.write": "Membership recorded",
    "notice.write": "Message written",
    "office.init": "Office made",
    "player.add": "Player added",
    "player.change": "Player’s facts changed",
    "player.forget_name": "Name deleted",
    "player.merge": "Records merged",
    "player.unmerge": "Merge undone",
    "proposal.approve": "Proposal approved",
    "proposal.make": "Proposal made",
    "proposal.refuse": "Proposal refused",
    "proposal.withdraw": "Proposal withdrawn",
    "rating.adjust": "Rating adjusted",
    "rating.rerate": "Rated again",
    "rating.revoke": "Adjustment revoked",
    "token.create": "Token made",
    "token.revoke": "Token revoked",
    "user.add": "User added",
    "user.deactivate": "User deactivated",
    "user.password": "Password changed",
    "user.player": "Account confirmed as a player's",
    "user.rehash": "Password hash upgraded at sign-in",
    "user.role": "Role changed",
    "user.activate": "User activated",
    "user.email": "E-mail address changed",
    "user.second_factor": "Second factor changed",
    "user.reset_link": "Link to a new password made",
    "invitation.make": "Invitation made",
    "invitation.accept": "Invitation accepted",
}
#: What the log is about that has a page
_WITH_PAGE = ("player", "event", "list", "proposal")


def act_in_words(action: str) -> str:
    return ACTS.get(action, action.replace(".", ": ").replace("_", " ").capitalize())


def subject_of(text: str) -> Subject | None:
    """Return what an entry is about; nothing where it has no page."""
    kind, _, rest = text.partition(":")
    name = rest.partition(":")[0]
    return Subject(kind, name) if kind in _WITH_PAGE and name else None


def lines_of(details: Any) -> list[tuple[str, str]]:
    """(name, value) of each detail; of an entry that was damaged, what is left."""
    if not isinstance(details, Mapping):
        return [("damaged", str(details))]
    return [(str(name).replace("_", " "), _text(value)) for name, value in details.items() if value not in ("", [], {})]


def _text(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{str(name).replace('_', ' ')} {_text(one)}" for name, one in value.items())
    if isinstance(value, list):
        more = f"; and {len(value) - MOST:,} more" if len(value) > MOST else ""
        return "; ".join(_text(one) for one in value[:MOST]) + more
    return f"{value:g}" if isinstance(value, float) else readable(str(value))
