"""Publishing a list: one officer proposes, another approves, and from then on it never changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from crosstable.office.audit import signatures
from crosstable.office.audit.log import canonical, head, record
from crosstable.office.ledger import pending_sections
from crosstable.office.ledger.models import Event, Office
from crosstable.office.lists import groups, official
from crosstable.office.lists.models import ListRow, PublishedList
from crosstable.office.lists.options import ListError, Options, from_mapping
from crosstable.office.lists.rows import Row, Top, rows_hash, whole_hash
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating.floors import Floor
from crosstable.office.storage import bulk, clock

# The publication report: how many, what changed since the list before, and what was withheld.

LARGEST = 10

Ratings = Mapping[tuple[str, str], float | None]


def report(
    rows: Sequence[Row], before: Ratings, previous: str, withheld: Sequence[tuple[str, str]], smallest: int
) -> dict[str, Any]:
    """Count and compare by pool. Names no player whose rating is not on the list itself."""
    pools = sorted({row.pool for row in rows})
    return {
        "previous": previous,
        "rows": len(rows),
        "pools": {pool: _of_pool([row for row in rows if row.pool == pool], before, pool) for pool in pools},
        "withheld": {
            "why": f"fewer than {smallest} members",
            "groups": [f"{pool} {group}" for pool, group in withheld],
        },
    }


def _of_pool(rows: Sequence[Row], before: Ratings, pool: str) -> dict[str, Any]:
    here = {row.number for row in rows}
    earlier = {number for key, number in before if key == pool}
    changes = [(row.change, row) for row in rows if row.change]
    ordered = sorted(changes, key=lambda pair: (-pair[0], pair[1].number))
    return {
        "players": len(rows),
        "shown": sum(row.rating is not None for row in rows),
        "not_shown": sum(row.rating is None for row in rows),
        "provisional": sum(row.games is not None for row in rows),
        "active": sum(row.active for row in rows),
        "new": len(here - earlier),
        "gone": len(earlier - here),
        "changed": len(changes),
        "risen": sum(change > 0 for change, _ in changes),
        "fallen": sum(change < 0 for change, _ in changes),
        "mean_change": round(sum(change for change, _ in changes) / len(changes), 2) if changes else 0.0,
        "largest_gains": [_line(change, row) for change, row in ordered[:LARGEST] if change > 0],
        "largest_losses": [_line(change, row) for change, row in reversed(ordered[-LARGEST:]) if change < 0],
        "classes": dict(sorted(Counter(row.class_name for row in rows if row.class_name).items())),
        "titles": dict(sorted(Counter(row.title for row in rows if row.title).items())),
    }


def _line(change: float, row: Row) -> dict[str, Any]:
    return {"id": row.number, "name": row.name, "rating": row.rating, "change": change}


ACTION = "list.publish"
#: How far ahead of its date a list may appear
LEAD = timedelta(days=45)
EARLIEST = 1900
BATCH = 5000


def preview(actor: Actor, day: date, options: Options | None = None) -> Mapping[str, Any]:
    """Return what the list of a day would say today: its report. Nothing is written."""
    require(actor, "rating.preview")
    refuse_date(day)
    return outlook({"date": day.isoformat(), "options": (options or usual_options()).as_dict()})


def left_out(day: date) -> list[str]:
    """Events that ended before a list's day and still wait, whole or in part: the list does not count them."""
    waiting = Event.objects.filter(pending_sections.WAITS, end__lt=day).order_by("end", "number")
    return [f"{one.name or one.number} ({one.end})" for one in waiting]


def next_day() -> date:
    """Return the first of the month for which the next list is due."""
    last = PublishedList.objects.order_by("-date").first()
    begin = last.date if last else clock.today()
    return (begin.replace(day=28) + timedelta(days=4)).replace(day=1)


def usual_options() -> Options:
    return Options(prison_off_top_lists=prison_rules())


def prison_rules() -> bool:
    office = Office.objects.first()
    return bool(office and office.prison_rules)


def refuse_date(day: date) -> None:
    if day.day != 1:
        raise ListError(f"{day}: lists are dated the first of a month")
    if day.year < EARLIEST:
        raise ListError(f"{day}: no list is older than {EARLIEST}")
    if day > clock.today() + LEAD:
        raise ListError(f"{day} is too far ahead: a list appears at most {LEAD.days} days before its date")
    last = PublishedList.objects.order_by("-date").first()
    if last is not None and day <= last.date:
        raise ListError(
            f"{day}: the list of {last.date} has been published already, and an earlier list cannot follow it"
        )


def publish(payload: Mapping[str, Any], first: str, second: str) -> Mapping[str, Any]:
    """In the approval's transaction: freeze the rows, put their hash into the log, and the log's head onto the list."""
    day, options = date.fromisoformat(payload["date"]), from_mapping(payload["options"])
    refuse_date(day)
    rows, top_rows, summary = _contents(day, options)
    digest = rows_hash(rows, top_rows)
    published = PublishedList(
        date=day,
        published_at=clock.stamp(),
        proposed_by=first,
        approved_by=second,
        options=canonical(options.as_dict()),
        report=canonical(summary),
        rows=len(rows),
        rows_hash=digest,
    )
    details = {"rows": len(rows), "rows_hash": digest, "list_hash": whole_hash(published), "proposed_by": first}
    record(second, ACTION, f"list:{day}", "", details)
    end = head()
    published.audit_count, published.audit_hash = end.count, end.hash
    published.signature = signatures.sign(signatures.HEAD, str(end))
    published.save(force_insert=True)
    bulk.insert_rows("lists_listrow", ("published_id", *Row._fields), [(published.id, *row) for row in rows])
    bulk.insert_rows("lists_toprow", ("published_id", *Top._fields), [(published.id, *row) for row in top_rows])
    bulk.analyze("lists_listrow", "lists_toprow")  # a new list's rows are unknown to PostgreSQL's planner until then
    return {"date": day.isoformat(), "rows": len(rows), "rows_hash": digest, "audit_head": str(end), "report": summary}


def outlook(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    day = date.fromisoformat(payload["date"])
    rows, _, summary = _contents(day, from_mapping(payload["options"]))
    return {"date": day.isoformat(), "rows": len(rows), "report": summary, "left_out": left_out(day)}


def _contents(day: date, options: Options) -> tuple[list[Row], list[Top], dict[str, Any]]:
    """Return the rows, the places on top lists and the report of a day's list, from the ledger as it stands."""
    standings = list(official.standings(day))
    previous = PublishedList.objects.order_by("-date").first()
    before = _ratings(previous)
    changes = _differences(standings, before)
    floors = official.floors(day)
    rows = [_row(one, changes, floors.get((one.pool, one.number)), day, options) for one in standings]
    gains = _differences(standings, _ratings(_year_earlier(day, options)))
    tops, withheld = groups.top_lists(standings, day, options, changes, gains)
    top_rows = [_top_row(key, place) for key, places in tops.items() for place in places]
    summary = report(rows, before, str(previous.date) if previous else "", withheld, options.smallest_group)
    return rows, top_rows, summary


def _ratings(published: PublishedList | None) -> Ratings:
    if published is None:
        return {}
    rows = ListRow.objects.filter(published=published).values_list("pool", "number", "rating")
    return {(pool, number): rating for pool, number, rating in rows.iterator(chunk_size=BATCH)}


def _year_earlier(day: date, options: Options) -> PublishedList | None:
    """Return the list that "most improved" looks back to."""
    return PublishedList.objects.filter(date__lte=day - timedelta(days=options.improved_days)).order_by("-date").first()


def _differences(standings: Sequence[official.Standing], before: Ratings) -> dict[tuple[str, str], float]:
    found: dict[tuple[str, str], float] = {}
    for one in standings:
        earlier = before.get((one.pool, one.number))
        if one.rating is not None and earlier is not None:
            found[one.pool, one.number] = round(one.rating - earlier, 5)
    return found


def _row(
    one: official.Standing,
    changes: Mapping[tuple[str, str], float],
    floor: Floor | None,
    day: date,
    options: Options,
) -> Row:
    provisional = one.games is not None and not one.established(options)
    known = floor if one.rating is not None else None
    return Row(
        *(one.pool, one.number, one.name, one.state, one.title, one.rating),
        games=one.games if provisional else None,
        class_name=groups.class_name(one.pool, one.rating),
        active=one.active(day, options),
        change=changes.get((one.pool, one.number)),
        floor=known.rating if known else None,
        floor_reason=known.reason if known else None,
    )


def _top_row(key: tuple[str, str], place: groups.Place) -> Top:
    one = place.standing
    rating = one.rating or 0.0  # only ratings that are shown have a place
    return Top(*key, place.place, one.number, one.name, one.state, one.title, rating, place.change)
