"""The club's pages in an office that is no club's: there is nothing here, and it is said so."""

from __future__ import annotations

from tests.web.routes import Route

READ = {"GET": 404, "HEAD": 404}
BOTH = {**READ, "POST": 404}
POST = {"POST": 404}

ROUTES = [
    Route("club/", "/club/", READ),
    Route("club/new/", "/club/new/", {"GET": 200, "HEAD": 200, "POST": 404}),
    Route("club/worker.js", "/club/worker.js"),
    Route("club/pulse/", "/club/pulse/", READ),
    Route("club/enter/", "/club/enter/", BOTH),
    *(Route(f"club/{name}/", f"/club/{name}/", POST) for name in ("leave", "here", "state", "pair", "wish", "undo")),
    Route("club/result/", "/club/result/", POST),
    Route("club/taps/", "/club/taps/", POST),
    Route("club/ladder/", "/club/ladder/", READ),
    Route("club/ladder.csv", "/club/ladder.csv", READ),
    Route("club/games.csv", "/club/games.csv", READ),
    Route("club/players/", "/club/players/", BOTH),
    Route("club/players/<slug:number>/", "/club/players/1/", BOTH),
    Route("club/players/<slug:number>/data.csv", "/club/players/1/data.csv", READ),
    Route("club/poster/", "/club/poster/", READ),
    Route("club/how/", "/club/how/", READ),
    Route("club/certificates/<slug:number>/<int:hundred>/", "/club/certificates/1/500/", READ),
    Route("club/seasons/", "/club/seasons/", BOTH),
    Route("club/settings/", "/club/settings/", BOTH),
    Route("club/nights/", "/club/nights/", READ),
    Route("club/nights/<int:number>/", "/club/nights/1/", BOTH),
]
