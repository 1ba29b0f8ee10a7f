"""When an event was rated; and the words of events' names, for search."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from django.db import migrations, models
from django.utils.dateparse import parse_datetime

from crosstable.office.storage.migration_tables import char, table


def fill_words(apps: Any, _: Any) -> None:
    """Fill in the names that are there already."""
    from crosstable.office.ledger.names import without_accents

    event, word, name = (apps.get_model("ledger", one) for one in ("Event", "EventWord", "EventHasWord"))
    found = event.objects.filter(status="accepted").exclude(name="").values_list("id", "name")
    words = {row: dict.fromkeys(without_accents(text).split()) for row, text in found.iterator(5000)}
    every = sorted({one for own in words.values() for one in own})
    word.objects.bulk_create((word(word=one) for one in every), batch_size=5000)
    rows = dict(word.objects.values_list("word", "id"))
    named = (name(event_id=event_row, word_id=rows[one]) for event_row, own in words.items() for one in own)
    name.objects.bulk_create(named, batch_size=5000)


def fill_dates(apps: Any, _: Any) -> None:
    """Fill in when each event was accepted first, from the log."""
    first: dict[str, str] = {}
    entries = apps.get_model("audit", "AuditEntry").objects.filter(action="event.accept").order_by("seq")
    for subject, details, at in entries.values_list("subject", "details", "at"):
        many = json.loads(details).get("events") if subject.startswith("events:") else None
        for number in [one["event"] for one in many] if many else [subject.removeprefix("event:")]:
            first.setdefault(number, at)
    event = apps.get_model("ledger", "Event")
    for number, at in first.items():
        event.objects.filter(number=number).update(rated_at=parse_datetime(at))


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0013_where_ratings_began"), ("audit", "0001_audit_log")]
    operations: ClassVar = [
        migrations.AddField("event", "rated_at", models.DateTimeField(blank=True, null=True)),
        table("EventWord", word=char(200, unique=True)),
        table(
            "EventHasWord",
            event=models.ForeignKey("ledger.event", models.CASCADE, related_name="name_words"),
            word=models.ForeignKey("ledger.eventword", models.PROTECT, related_name="+"),
        ),
        migrations.RunPython(fill_words, migrations.RunPython.noop),
        migrations.RunPython(fill_dates, migrations.RunPython.noop),
    ]
