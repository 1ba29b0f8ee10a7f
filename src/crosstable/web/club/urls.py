"""The club's addresses. None holds a name."""

from __future__ import annotations

from django.urls import path

from crosstable.web.club import lists, manage, night

app_name = "club"

urlpatterns = [
    path("", night.tonight, name="tonight"),
    path("pulse/", night.pulse, name="pulse"),
    path("enter/", night.enter, name="enter"),
    path("leave/", night.leave, name="leave"),
    path("here/", night.here, name="here"),
    path("state/", night.state, name="state"),
    path("pair/", night.pair, name="pair"),
    path("wish/", night.wish, name="wish"),
    path("undo/", night.undo, name="undo"),
    path("result/", night.result, name="result"),
    path("taps/", night.taps, name="taps"),
    path("ladder/", lists.the_ladder, name="ladder"),
    path("ladder.csv", lists.ladder_csv, name="ladder-csv"),
    path("games.csv", lists.games_csv, name="games-csv"),
    path("players/", lists.players, name="players"),
    path("players/<slug:number>/", lists.player, name="player"),
    path("players/<slug:number>/data.csv", lists.player_csv, name="player-csv"),
    path("poster/", lists.poster, name="poster"),
    path("certificates/<slug:number>/<int:hundred>/", lists.certificate, name="certificate"),
    path("seasons/", lists.all_seasons, name="seasons"),
    path("settings/", manage.settings, name="settings"),
    path("nights/", manage.nights, name="nights"),
    path("nights/<int:number>/", manage.night, name="night"),
]
