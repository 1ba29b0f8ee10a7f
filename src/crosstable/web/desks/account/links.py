from __future__ import annotations

from crosstable.web.desks.links import Link

LINKS = [Link("Account", "/desk/account/")]
