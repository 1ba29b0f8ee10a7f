"""Addresses after `/desk/`."""

from __future__ import annotations

from django.urls import path

from crosstable.web.desks.mine import inbox, player, requests

urlpatterns = [
    path("mine/", player.mine, name="mine"),
    path("mine/claim/", player.claim, name="mine-claim"),
    path("mine/floor/", player.floor, name="mine-floor"),
    path("mine/report/", player.report, name="mine-report"),
    path("inbox/", inbox.inbox, name="inbox"),
    path("inbox/read/", inbox.read, name="inbox-read"),
    path("messages/", inbox.write, name="write"),
    path("requests/", requests.index, name="requests"),
    path("requests/<int:number>/", requests.one, name="request"),
    path("requests/<int:number>/decide/", requests.decide, name="request-decide"),
    path("requests/<int:number>/correct/", requests.correct, name="request-correct"),
    path("requests/<int:number>/take-back/", requests.take_back, name="request-take-back"),
]
