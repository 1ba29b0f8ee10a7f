"""How the office stands: the log's head, the last rating run, the lists, and whether it can be asked at all."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from functools import cache, lru_cache
from importlib.metadata import version

from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Sum
from django.db.models.functions import Length
from django.utils.dateparse import parse_datetime

from crosstable.federations import DEFAULT, Federation, federation
from crosstable.federations.current import current
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger.models import Event, Office, Section
from crosstable.office.ledger.office_settings import federation_of
from crosstable.office.ledger.packing import GAME_WIDTH, INT
from crosstable.office.ledger.players import in_register
from crosstable.office.lists.models import PublishedList
from crosstable.office.storage import clock

#: The acts after which ratings are others
RATING_ACTS = (
    "event.accept",
    "event.correct",
    "event.withdraw",
    "rating.rerate",
    "rating.adjust",
    "player.merge",
    "player.unmerge",
    "player.change",
    "floor.decide",
    "history.import",
)

#: A packed game in a section's row
GAME_BYTES = GAME_WIDTH * INT.itemsize


@dataclass(frozen=True, slots=True)
class Head:
    """The end of the log, and when that was written."""

    count: int
    hash: str
    at: datetime | None

    def __str__(self) -> str:
        return f"{self.count}:{self.hash[:8]}"


@dataclass(frozen=True, slots=True)
class Frame:
    """What the foot of every page says."""

    name: str
    head: Head
    rated: date | None
    next_list: date | None
    made_up: bool  # the office of `crosstable demo`
    federation: Federation
    contact: str = ""  # an e-mail address, or the address of a page

    @property
    def contact_address(self) -> str:
        """Return the address that a link to the office has."""
        return f"mailto:{self.contact}" if "@" in self.contact.partition("/")[0] else self.contact

    @property
    def coming_list(self) -> date | None:
        """The next list, while it lies ahead."""
        return ahead(self.next_list)


def ledger_head() -> Head:
    """Two numbers decide whether anything has changed: the count and the hash of the log.

    Every request asks for it, most for nothing else; so the question stands here as the database wants it.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT seq, hash, at FROM audit_auditentry ORDER BY seq DESC LIMIT 1")
        last = cursor.fetchone()
    return Head(last[0], last[1], parse_datetime(last[2])) if last else Head(0, "", None)


def frame(head: Head | None = None) -> Frame:
    """Return what every page's frame says. Only a write changes it. `head`: from a caller who has asked for it."""
    return _frame(head or ledger_head())


@lru_cache(maxsize=4)
def _frame(head: Head) -> Frame:
    office = Office.objects.filter(id=1).first()
    acts = AuditEntry.objects.filter(action__in=RATING_ACTS).order_by("-seq").values_list("at", flat=True)
    newest = PublishedList.objects.order_by("-date").values_list("date", flat=True).first()
    last = acts.first()
    rated = parse_datetime(last) if last else None
    made_up = AuditEntry.objects.filter(seq__lte=50, action="example.players").exists()
    name = office.name if office else "Rating office"
    works_for = federation_of(office) if office else federation(DEFAULT)
    following = works_for.lists.after(newest) if newest else None
    return Frame(
        name=name,
        head=head,
        rated=rated.date() if rated else None,
        next_list=following,
        made_up=made_up,
        federation=works_for,
        contact=office.contact if office else "",
    )


def after(day: date | None) -> date | None:
    """Return the day of the list after this one, by the federation's calendar."""
    return None if day is None else current().lists.after(day)


def closes() -> date | None:
    """Return the day of the next list, while it is in the future: what is rated before it is on it."""
    return ahead(frame().next_list)


def ahead(day: date | None) -> date | None:
    """Return a day that has not passed."""
    return day if day is not None and day >= clock.today() else None


def ready() -> bool:
    """Whether the database answers and has every table."""
    try:
        return _wanted() <= set(MigrationRecorder(connection).applied_migrations())
    except DatabaseError:
        return False


def is_behind() -> bool:
    """Whether an earlier version made this office: it has tables, and not all that this version has."""
    try:
        applied = set(MigrationRecorder(connection).applied_migrations())
    except DatabaseError:
        return False
    return bool(applied) and not _wanted() <= applied


@cache
def _wanted() -> frozenset[tuple[str, str]]:
    loader = MigrationLoader(None)
    return frozenset(loader.disk_migrations)


@dataclass(frozen=True, slots=True)
class Status:
    """For the page that says how things stand."""

    head: Head
    rated: date | None
    players: int
    events: int
    games: int
    lists: tuple[date, ...]
    next_list: date | None
    profile: str
    program: str


def status() -> Status:
    """Return counts, the calendar of lists, and the end of the log in full."""
    shown = frame()
    office = Office.objects.filter(id=1).first()
    size = Section.objects.aggregate(bytes=Sum(Length("games")))["bytes"] or 0
    return Status(
        head=shown.head,
        rated=shown.rated,
        players=in_register().count(),
        events=Event.objects.filter(status=Event.ACCEPTED).count(),
        games=size // GAME_BYTES,
        lists=tuple(PublishedList.objects.order_by("-date").values_list("date", flat=True)[:12]),
        next_list=shown.coming_list,
        profile=office.profile if office else "",
        program=version("crosstable"),
    )
