"""Addresses after `/desk/`."""

from __future__ import annotations

from django.urls import path

from crosstable.web.desks.director import bringing, drafts, sending, submissions, typing

urlpatterns = [
    path("drafts/", drafts.index, name="drafts"),
    path("drafts/new/", bringing.new, name="draft-new"),
    path("drafts/type/", typing.start, name="draft-type"),
    path("drafts/<int:number>/", drafts.one, name="draft"),
    path("drafts/<int:number>/mend/", drafts.mend, name="draft-mend"),
    path("drafts/<int:number>/suggested/", drafts.suggested, name="draft-suggested"),
    path("drafts/<int:number>/undo/", drafts.undo, name="draft-undo"),
    path("drafts/<int:number>/find/", drafts.find, name="draft-find"),
    path("drafts/<int:number>/discard/", drafts.discard, name="draft-discard"),
    path("drafts/<int:number>/back/", drafts.bring_back, name="draft-back"),
    path("drafts/<int:number>/file/", bringing.file, name="draft-file"),
    path("drafts/<int:number>/text/", bringing.text, name="draft-text"),
    path("drafts/<int:number>/type/", typing.grid, name="draft-grid"),
    path("drafts/<int:number>/preview/", sending.preview, name="draft-preview"),
    path("drafts/<int:number>/send/", sending.send, name="draft-send"),
    path("drafts/<int:number>/ask/", sending.ask, name="draft-ask"),
    path("submissions/", submissions.index, name="submissions"),
    path("submissions/<int:number>/", submissions.one, name="submission"),
    path("submissions/<int:number>/file/", submissions.file, name="submission-file"),
    path("submissions/<int:number>/mend/", submissions.mend, name="submission-mend"),
    path("submissions/<int:number>/take-back/", submissions.take_back, name="submission-take-back"),
    path("submissions/<int:number>/correct/", submissions.correct, name="submission-correct"),
]
