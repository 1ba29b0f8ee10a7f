"""The public addresses: a contract. They are stable, lower case, end in a slash, and never hold a name."""

from __future__ import annotations

from django.urls import path

from crosstable.web.public.views import derivation, events, home, players

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
]
