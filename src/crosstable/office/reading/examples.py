"""A rating to begin with: somebody who gained much in one of the newest events, whose work everybody may see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import F

from crosstable.office.ledger.models import RatingRow
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.office.reading import event as events
from crosstable.office.reading import history, people
from crosstable.office.reading.derivation import derivation
from crosstable.office.reading.event import Line
from crosstable.office.reading.people import Person
from crosstable.systems.us_chess.pools import MAIN

#: So many gains are looked at
TRIED = 5
#: In so many of the newest events
NEWEST = 3


@dataclass(frozen=True, slots=True)
class Example:
    """Somebody's gain, and where its work stands."""

    person: Person
    event_name: str
    before: float
    after: float
    address: str


@dataclass(frozen=True, slots=True)
class Bonus:
    """A bonus at work."""

    games: int
    gain: float
    bonus: float
    address: str


def gain(newest: Sequence[Line] | None = None) -> Example | None:
    """The largest one that may be shown. `newest`: the newest events, from whoever has asked for them already."""
    return next((example for example, _ in _gains(newest)), None)


def bonus() -> Bonus | None:
    """The first of the largest gains that earned one."""
    for example, place in _gains(None):
        page = derivation(*place)
        if page.sums is not None and page.sums[2] > 0:
            played = sum(bool(cell.opponent) for cell in page.row.cells)
            return Bonus(played, page.sums[1], page.sums[2], example.address)
    return None


def _gains(newest: Sequence[Line] | None) -> Iterator[tuple[Example, tuple[str, int, int, str]]]:
    lines = events.latest(NEWEST) if newest is None else newest[:NEWEST]
    rows = list(
        RatingRow.objects.filter(
            section__event__number__in=[one.number for one in lines],
            pool=MAIN,
            initialized=False,
            prior__isnull=False,
            player__withheld=False,
        )
        .order_by((F("prior") - F("post")), "id")
        .values("player_id", "pool", "position", "prior", "post", "initialized", "number",
                "section__number", "section__event__number", "section__event__name")[:TRIED]
    )  # fmt: skip
    everybody, starts = people.by_row(row["player_id"] for row in rows), AgeStarts([row["player_id"] for row in rows])
    for row in rows:
        before, after = history.before_and_after(row, starts)
        if before is None or after is None or after <= before:
            continue
        place = row["section__event__number"], row["section__number"], row["number"], row["pool"]
        address = "/events/{}/{}/{}/{}/".format(*place)
        yield Example(everybody[row["player_id"]], row["section__event__name"], before, after, address), place
