"""The public addresses: a contract. They are stable, lower case, end in a slash, and never hold a name."""

from __future__ import annotations

from django.urls import path

from crosstable.web.public.views import about, derivation, estimate, events, feeds, home, lists, players, reports, rules

urlpatterns = [
    path("", home.home, name="home"),
    path("players/", players.search, name="players"),
    path("players/<str:player>/", players.player, name="player"),
    path("players/<str:player>/vs/<str:other>/", players.versus, name="versus"),
    path("players/<str:player>/<str:pool>/", players.pool, name="pool"),
    path("events/", events.search, name="events"),
    path("events/<str:event>/", events.event, name="event"),
    path("events/<str:event>/revisions/<int:revision>/", events.revision, name="revision"),
    path("events/<str:event>/<int:section>/", events.crosstable, name="crosstable"),
    path("events/<str:event>/<int:section>/<int:number>/<str:pool>/", derivation.derivation, name="derivation"),
    path("lists/", lists.index, name="lists"),
    path("lists/<str:day>/", lists.chosen, name="list-of"),
    path("lists/<str:day>/<str:pool>/", lists.published, name="list"),
    path("feeds/events/", feeds.events, name="feed-events"),
    path("feeds/lists/", feeds.lists, name="feed-lists"),
    path("reports/", reports.index, name="reports"),
    path("reports/<int:number>/", reports.report, name="report"),
    path("reports/<int:number>/chart/<int:place>/", reports.chart, name="report-chart"),
    path("rules/", rules.rules, name="rules"),
    path("rules/diff/", rules.diff, name="rules-diff"),
    path("rules/<str:name>/", rules.rule, name="rule"),
    path("estimate/", estimate.estimate, name="estimate"),
    path("about/", about.about, name="about"),
    path("help/", about.help_page, name="help"),
]
