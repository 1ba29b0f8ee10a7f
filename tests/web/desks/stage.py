"""Things for officers to decide, played into a copy of the example: a lost match, an event abroad, twins, CFC
ratings.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from crosstable.office import players
from crosstable.office.jobs import running
from crosstable.office.jobs.models import Job
from crosstable.office.ledger.models import ExternalRating
from crosstable.office.people import users
from crosstable.office.reports import accepting, drafts, fixing, sending, submissions
from crosstable.office.reports.fide_events import import_fide_batch
from crosstable.office.requests import floors
from tests.desk_files import crosstable

ADA, BEN, CAY, DOUBLE, TWIN, IVY = (f"4000000{number}" for number in range(1, 7))
NAMES = {
    ADA: "Ada Strong",
    BEN: "Ben Weaver",
    CAY: "Cay North",
    DOUBLE: "Cay North",
    TWIN: "Carol North",
    IVY: "Ivy Stone",
}
MATCH = date(2025, 6, 14)  # before the first list of the office: a player need not be on one (readings 42)
FIDE_LIST = date(2025, 7, 1)
SECTIONS = {"Open": "open", "Reserve": "reserve", "Booster": "booster"}

Games = Sequence[tuple[int, int, int, str]]


def work() -> dict[str, Any]:
    """Be the worker: the job that was asked for last is done; what came of it."""
    job = Job.objects.latest("id")
    assert running.run(job.id) == "done", Job.objects.get(id=job.id).error
    result: dict[str, Any] = Job.objects.get(id=job.id).result
    return result


def rated(rating: float, **more: Any) -> dict[str, Any]:
    return {"ratings": {"OTBR": {"rating": rating, "games": 60, **more}}}


def report(name: str, day: date, people: Sequence[str], games: Games, kind: str, facts: dict[str, Any]) -> bytes:
    entries = [
        {"number": place, "id": one, "name": NAMES.get(one, one), **facts.get(one, {})}
        for place, one in enumerate(people, 1)
    ]
    played = [{"round": number, "white": w, "black": b, "result": result} for number, w, b, result in games]
    section = {
        "number": 1,
        "name": "Open",
        "kind": kind,
        "time_control": "G/120;d5",
        "players": entries,
        "games": played,
    }
    span = {"start": day.isoformat(), "end": day.isoformat()}
    return json.dumps({"format": "crosstable-event/1", "name": name, **span, "sections": [section]}).encode()


def draft_crosstables(name: str, day: str, sections: Mapping[str, str], slip: str = "") -> int:
    """Let dora bring crosstables as one report, a section each; return the draft's number.

    The crosstables have no dates and no time controls, so dora adds them. In the section `slip` the two sides of a game
    disagree.
    """
    dora, text = users.acting_as("dora"), ""
    for number, (title, file) in enumerate(sections.items(), 1):
        table = crosstable(file)
        text += f"Section {number} - {title}\n{table.replace('|W ', '|D ', 1) if title == slip else table}\n"
    draft = drafts.start(dora, text.encode(), "report.txt").id
    fixing.mend(dora, draft, "dates", {"start": day, "end": day})
    fixing.mend(dora, draft, "facts", {"name": name})
    for number in range(1, len(sections) + 1):
        fixing.mend(dora, draft, "time-control", {"section": str(number), "time_control": "G/60;d5"})
    return draft


def send_crosstables(name: str, day: str, sections: Mapping[str, str], slip: str = "") -> str:
    """Send the same to the office; return the event's number."""
    return sending.send(users.acting_as("dora"), draft_crosstables(name, day, sections, slip)).event


def old_event() -> str:
    """Rate an event of two years ago, six players and five rounds; return its number."""
    number = send_crosstables("Autumn Open", "2023-11-18", {"Open": "open"})
    accepting.accept(users.acting_as("olive"), number)
    return number


def lost_match() -> int:
    """Ben, whose floor is 1400 by a peak of 1650, loses a match from 1410 and writes why: the request's number."""
    olive = users.acting_as("olive")
    facts = {ADA: rated(1500), BEN: rated(1410, peak=1650.0)}
    content = report("Weaver – Strong", MATCH, [ADA, BEN], [(n, 1, 2, "1-0") for n in range(1, 11)], "match", facts)
    number = submissions.submit(users.acting_as("dora"), content, "match.json").event
    accepting.accept(olive, number)
    return floors.request(olive, BEN, number, 1, "Ben was ill that week and asks by letter").id


def games_abroad() -> None:
    """Ivy has opted in, Cay has not; both beat a foreigner with FIDE 2300."""
    them = {one: {"fide": {"rating": 2300, "date": "2025-06-01"}} for one in ("F1", "F2")}
    facts = {IVY: rated(2200), CAY: rated(2100), **them}
    content = report(
        "Reykjavik Open", date(2025, 6, 7), [IVY, CAY, "F1", "F2"], [(1, 1, 3, "1-0"), (1, 2, 4, "1-0")], "fide", facts
    )
    olive = users.acting_as("olive")
    import_fide_batch(olive, FIDE_LIST, [("abroad.json", content)])
    for player in (IVY, CAY):
        players.join(olive, player, "regular", date(2020, 1, 1))
    players.change(olive, IVY, "a letter", since=date(2024, 12, 1), fide_opt_in=True)


def twins() -> None:
    """Two records of one person, and a third with a slip in the name."""
    olive, born = users.acting_as("olive"), date(1990, 5, 1)
    for number in (DOUBLE, TWIN):
        players.add(olive, number, name=NAMES[number], birth_date=born)


def from_canada() -> str:
    """A resident with CFC 1500 and no US Chess rating: 1.28 x 1500 - 650 = 1270 (2025 §2.2)."""
    players.add(users.acting_as("olive"), "40000010", name="Maple Leaf", canadian_resident=True)
    ExternalRating.objects.create(player=players.find("40000010"), kind="cfc", rating=1500, date=date(2025, 6, 1))
    return "40000010"
