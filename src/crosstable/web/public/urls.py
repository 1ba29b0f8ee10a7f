"""The public addresses: a contract. They are stable, lower case, end in a slash, and never hold a name."""

from __future__ import annotations

from django.urls import path

from crosstable.web.public.views import home

urlpatterns = [
    path("", home.home, name="home"),
]
