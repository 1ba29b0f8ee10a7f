"""The officer's addresses, after `/desk/`."""

from __future__ import annotations

from django.urls import path

from crosstable.web.desks.officer import corrections, events, jobs

urlpatterns = [
    path("queue/", events.queue, name="desk-queue"),
    path("review/<str:event>/", events.review, name="desk-review"),
    path("corrections/", corrections.index, name="desk-corrections"),
    path("corrections/<int:number>/", corrections.one, name="desk-correction"),
    path("corrections/<int:number>/moved.csv", corrections.moved, name="desk-correction-moved"),
    path("corrections/<int:number>/file/", corrections.file, name="desk-correction-file"),
    path("jobs/", jobs.index, name="desk-jobs"),
    path("jobs/<int:number>/", jobs.one, name="desk-job"),
]
