"""What stands in the desk's navigation."""

from __future__ import annotations

from crosstable.web.desks.links import Link

LINKS = [
    Link("Queue", "/desk/queue/", "event.review"),
    Link("Corrections", "/desk/corrections/", "event.review"),
    Link("Jobs", "/desk/jobs/", "job.read"),
]
