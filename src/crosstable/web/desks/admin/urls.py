"""Addresses of the administrator's pages. Users go by number: no address holds a name."""

from __future__ import annotations

from django.urls import path

from crosstable.web.desks.admin import installation, people

urlpatterns = [
    path("admin/", installation.overview, name="desk_admin"),
    path("admin/name/", installation.name, name="desk_office_name"),
    path("admin/backup/", installation.make_backup, name="desk_backup"),
    path("admin/users/", people.users_page, name="desk_users"),
    path("admin/users/<int:number>/", people.user, name="desk_user"),
    path("admin/users/<int:number>/<slug:act>/", people.change, name="desk_change_user"),
    path("admin/invitations/", people.invitations, name="desk_invitations"),
    path("admin/invitations/<str:start>/", people.cancel, name="desk_cancel_link"),
]
