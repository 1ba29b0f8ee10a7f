"""This room's part of the desk's navigation."""

from __future__ import annotations

from crosstable.web.desks.links import Link

LINKS = [
    Link("Mine", "/desk/mine/", "request.make"),
    Link("Inbox", "/desk/inbox/", "notice.read"),
    Link("Requests", "/desk/requests/", "submission.read"),
]
