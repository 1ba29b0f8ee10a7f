"""Addresses of decisions."""

from __future__ import annotations

from django.urls import path

from crosstable.web.desks.decisions import adjustments, federations, floors, hub, log, merges, players, publishing

urlpatterns = [
    path("decisions/", hub.decisions, name="desk-decisions"),
    path("floors/", floors.requests, name="desk-floors"),
    path("floors/<int:number>/", floors.one, name="desk-floor"),
    path("prizes/", floors.prize, name="desk-prize"),
    path("adjustments/", adjustments.adjust, name="desk-adjust"),
    path("players/<str:player>/adjustments/<int:number>/revoke/", adjustments.revoke, name="desk-revoke"),
    path("fide/", federations.fide, name="desk-fide"),
    path("cfc/", federations.cfc, name="desk-cfc"),
    path("players/", players.find, name="desk-players"),
    path("players/add/", players.add, name="desk-add-player"),
    path("players/import/", players.take_list, name="desk-import"),
    path("players/<str:player>/", players.player, name="desk-player"),
    path("players/<str:player>/facts/", players.change, name="desk-facts"),
    path("players/<str:player>/memberships/", players.join, name="desk-join"),
    path("players/<str:player>/forget-name/", players.forget, name="desk-forget"),
    path("players/<str:player>/opt-out/", players.opt_out, name="desk-opt-out"),
    path("players/<str:player>/unmerge/", merges.undo, name="desk-unmerge"),
    path("merges/", merges.merges, name="desk-merges"),
    path("merges/new/", merges.merge, name="desk-merge"),
    path("lists/", publishing.lists, name="desk-lists"),
    path("proposals/", publishing.waiting, name="desk-proposals"),
    path("proposals/<int:number>/", publishing.proposal, name="desk-proposal"),
    path("log/", log.log, name="desk-log"),
    path("log/chain/", log.chain, name="desk-chain"),
]
