"""The club itself: made once on an office of its own, its PIN, its choices."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from django.contrib.auth.hashers import check_password, make_password

from crosstable.club.models import Club, PinFailure, Season
from crosstable.errors import OfficeError
from crosstable.office.audit.log import record
from crosstable.office.ledger import office_settings
from crosstable.office.people.rights import Actor, Role
from crosstable.office.requests.club_numbers import club_system
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing
from crosstable.office.storage.row import first_or
from crosstable.systems import RatingSystem
from crosstable.words.language import _

SYSTEMS = ("st_charles", "elo", "glicko2", "cxr", "harkness")
#: CXR and Harkness know no starting rating: a club that does not say takes St. Charles's
START = 400
SHORTEST_PIN = 4
#: So many wrong PINs from one address within the time, and it must wait
MOST_FAILURES, FAILURES_COUNT = 5, timedelta(minutes=10)


class ClubError(OfficeError):
    """Something a club cannot do as asked; the message says what to do instead."""


class TooManyFailuresError(ClubError):
    """Too many wrong PINs from one address."""


def volunteer(name: str = "") -> Actor:
    """Anyone who runs the night: has the PIN, or the club's file. The name goes into the log."""
    return Actor(f"club/{name.strip()[:60]}" if name.strip() else "club", Role.OFFICER)


def create(
    name: str,
    system: str = SYSTEMS[0],
    pin: str = "",
    numbers: Mapping[str, Any] | None = None,
    day: date | None = None,
) -> str:
    """Make a club on an office of its own in a migrated database; return its PIN, which is stored only as a hash."""
    if system not in SYSTEMS:
        raise ClubError(
            _("a club is rated by one of {join_systems}, not by {system!r}").format(
                join_systems=", ".join(SYSTEMS), system=system
            )
        )
    pin = pin or f"{secrets.randbelow(10**6):06}"
    hashed = _hashed(pin)
    own = dict(numbers or {})
    if system in ("cxr", "harkness"):
        own.setdefault("start", START)
    began = day or clock.today_here()
    with writing():
        dated = [{"from": date(1980, 1, 1).isoformat(), **own}] if own else []
        office_settings.create(name, {office_settings.DEFAULT: [system]}, titles="", numbers=dated)
        club_system()  # refuses wrong numbers
        Club.objects.create(id=1, pin=hashed)
        Season.objects.create(name=_season_name(began), start=began)
        record("club", "office.init", "office", "", {"systems": {"default": [system]}, "numbers": own})
    return pin


def _season_name(day: date) -> str:
    """Return a school year, July to June."""
    first = day.year if day.month >= 7 else day.year - 1
    return f"{first}/{(first + 1) % 100:02}"


def club() -> Club:
    return first_or(
        Club.objects.filter(id=1),
        ClubError(_('there is no club in this database yet: run `crosstable club new "NAME"`')),
    )


def name() -> str:
    return office_settings.office().name


def system() -> RatingSystem:
    """Return the club's rating system, with its own numbers."""
    return club_system()


def key() -> str:
    """Under which the ledger keeps the club's ratings."""
    return club_system().pools[0]


def _hashed(pin: str) -> str:
    if len(pin) < SHORTEST_PIN or not pin.isdigit():
        raise ClubError(_("a PIN is {shortest_pin} digits or more").format(shortest_pin=SHORTEST_PIN))
    return make_password(pin)


def set_pin(actor: Actor, pin: str) -> None:
    hashed = _hashed(pin)
    with writing():
        Club.objects.filter(id=1).update(pin=hashed)
        record(actor.name, "club.pin", "office", "", {})


def check_pin(pin: str, address: str) -> bool:
    """Whether it is the club's. Five wrong ones from an address, and it waits ten minutes."""
    since = clock.now() - FAILURES_COUNT
    with writing():  # a try counts before it is looked at, so that tries at the same moment all count
        PinFailure.objects.filter(at__lt=since).delete()
        if PinFailure.objects.filter(address=address).count() >= MOST_FAILURES:
            raise TooManyFailuresError(
                _("too many wrong PINs: wait ten minutes, or look at the laptop that runs the club")
            )
        counted = PinFailure.objects.create(address=address)
    if not check_password(pin, club().pin):
        return False
    with writing():
        counted.delete()
    return True


def choose(actor: Actor, *, public: str | None = None, mode: str | None = None) -> None:
    """Who sees anything without the PIN, and how children are paired."""
    with writing():
        row = club()
        if public is not None:
            if public not in (Club.NOBODY, Club.LADDER):
                raise ClubError(
                    _("public is {club_nobody} or {club_ladder}, not {public!r}").format(
                        club_nobody=Club.NOBODY, club_ladder=Club.LADDER, public=public
                    )
                )
            row.public = public
        if mode is not None:
            if mode not in (Club.ROUNDS, Club.FREE):
                raise ClubError(
                    _("children are paired in {club_rounds} or when {club_free}, not {mode!r}").format(
                        club_rounds=Club.ROUNDS, club_free=Club.FREE, mode=mode
                    )
                )
            row.mode = mode
        row.save()
        record(actor.name, "club.choose", "office", "", {"public": row.public, "mode": row.mode})
