"""What the desk's navigation shows of this room."""

from __future__ import annotations

from crosstable.web.desks.links import Link

LINKS = [
    Link("Decisions", "/desk/decisions/", "event.review"),
    Link("Players", "/desk/players/", "player.read_private"),
    Link("Proposals", "/desk/proposals/", "proposal.read"),
    Link("Publish", "/desk/lists/", "list.publish"),
    Link("Log", "/desk/log/", "audit.read"),
]
