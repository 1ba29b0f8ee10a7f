"""What the desk's navigation shows of this room."""

from __future__ import annotations

from crosstable.web.desks.links import Link

LINKS = [Link("Lab reports", "/desk/reports/", "report.publish")]
