"""This room's part of the desk's navigation."""

from __future__ import annotations

from crosstable.web.desks.links import Link

LINKS = [Link("Reports", "/desk/drafts/", "draft.write"), Link("Sent", "/desk/submissions/", "submission.read")]
