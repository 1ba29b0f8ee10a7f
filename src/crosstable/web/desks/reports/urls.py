"""Addresses of the reports' desk."""

from __future__ import annotations

from django.urls import path

from crosstable.web.desks.reports import views

urlpatterns = [
    path("reports/", views.reports, name="desk-reports"),
    path("reports/<int:number>/withdraw/", views.withdraw, name="desk-withdraw-report"),
]
