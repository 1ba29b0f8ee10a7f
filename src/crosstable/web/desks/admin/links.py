from __future__ import annotations

from crosstable.web.desks.links import Link

LINKS = [Link("Users", "/desk/admin/users/", "user.read"), Link("Installation", "/desk/admin/", "office.settings")]
