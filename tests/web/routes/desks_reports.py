"""Reports of the lab: everybody reads them, officers publish and withdraw them."""

from __future__ import annotations

from tests.web.routes import Route, form
from tests.web.routes.desks_decisions import answers

OFFICER = answers(200, 403)
BACK = answers(302, 403)

ROUTES = [
    Route("reports/", "/reports/"),
    Route("reports/<int:number>/", "/reports/9999/", {"GET": 404, "HEAD": 404}),
    Route("reports/<int:number>/chart/<int:place>/", "/reports/9999/chart/0/", {"GET": 404, "HEAD": 404}),
    Route("desk/reports/", "/desk/reports/", form(OFFICER)),
    Route("desk/reports/<int:number>/withdraw/", "/desk/reports/9999/withdraw/", {"POST": BACK}),
]
