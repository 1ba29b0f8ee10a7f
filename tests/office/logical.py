"""What an office says, whatever numbers its rows have and whenever it happened: two offices with one state say the
same.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any


def state() -> dict[str, Any]:
    """By parts, so that a difference shows where it is."""
    from crosstable.office.audit.models import AuditEntry
    from crosstable.office.ledger import models
    from crosstable.office.lists.models import PublishedList, Title, TitleNorm
    from crosstable.office.rating import run
    from crosstable.office.requests.models import Proposal

    numbers = dict(models.Player.objects.values_list("id", "number"))
    sections = {
        section: f"{event}/{number}"
        for section, event, number in models.Section.objects.values_list("id", "event__number", "number")
    }
    norms = TitleNorm.objects.values_list("player_id", "section_id", "counts")
    titles = Title.objects.values_list("player_id", "level", "earned")
    requests = models.FloorRequest.objects.values_list("player__number", "event_number", "pool", "state")
    log = AuditEntry.objects.order_by("seq").values_list("actor", "action", "reason", "subject")
    parts: dict[str, list[Any]] = {
        "ratings": [run.fingerprint()],
        "players": sorted(models.Player.objects.values_list("number", "name", "merged_into__number")),
        "events": sorted(models.Event.objects.values_list("number", "status", "content_hash")),
        "revisions": sorted(models.Revision.objects.values_list("event__number", "number", "kind", "content_hash")),
        "submissions": sorted(models.Submission.objects.values_list("sha256", "outcome", "event__number"), key=str),
        "sections": sorted(models.Section.objects.values_list("event__number", "number", "position", "signature")),
        "decisions": sorted(models.Adjustment.objects.values_list("player__number", "pool", "kind", "date"), key=str),
        "requests": sorted(requests),
        "titles": sorted((numbers.get(player), level, str(day)) for player, level, day in titles),
        "norms": sorted((numbers.get(player), sections.get(section), counts) for player, section, counts in norms),
        "lists": sorted((str(day), rows) for day, rows in PublishedList.objects.values_list("date", "rows_hash")),
        "proposals": sorted(Proposal.objects.values_list("subject", "state", "reason")),
        "log": [(*rest, re.sub(r"^proposal:.*", "proposal", subject)) for *rest, subject in log],
    }
    return {
        name: hashlib.sha256(json.dumps(rows, default=str).encode()).hexdigest()[:16] for name, rows in parts.items()
    }


def problems() -> list[str]:
    """Everything the office itself can find wrong: the log, the lists, and ratings that do not follow from results."""
    from crosstable.office.backup.proof import verify_all
    from crosstable.office.rating import run

    found = list(verify_all().problems)
    if not run.compute(run.BEGINNING).nothing:
        found.append("a replay from scratch gives other ratings")
    return found
