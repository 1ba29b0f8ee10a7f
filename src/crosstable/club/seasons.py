"""Seasons: a new one with a clean slate, or with the ratings carried on."""

from __future__ import annotations

from datetime import date

from crosstable.club import evening
from crosstable.club.clubs import ClubError
from crosstable.club.models import Night, Season
from crosstable.office.audit.log import record
from crosstable.office.people.rights import Actor
from crosstable.office.requests.club_numbers import clean_slate
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing
from crosstable.words.language import _


def begin(actor: Actor, name: str, day: date | None = None, *, fresh: bool) -> Season:
    """Begin a season on a day. `fresh`: all ratings begin anew; otherwise ratings and games are carried on."""
    start, title = day or clock.today_here(), name.strip()[:80]
    if not title:
        raise ClubError(_("a season needs a name, such as 2026/27"))
    if Season.objects.filter(name=title).exists():
        raise ClubError(_("there is a season {title} already").format(title=title))
    last = evening.season()
    if start < last.start:
        raise ClubError(
            _("the season {last_name} began on {last_start}: a new one begins after it").format(
                last_name=last.name, last_start=last.start
            )
        )
    if Night.objects.filter(date__gte=start).exists():
        raise ClubError(
            _("there was a night on {start} or later: begin the season after the last night").format(start=start)
        )
    with writing():
        if fresh:
            clean_slate(actor, start, f"season {title}: a clean slate")
        made = Season.objects.create(name=title, start=start, fresh=fresh)
        record(actor.name, "club.season", "office", "", {"season": title, "from": start.isoformat(), "fresh": fresh})
    return made


def all_seasons() -> list[Season]:
    return list(Season.objects.order_by("-start", "-id"))
