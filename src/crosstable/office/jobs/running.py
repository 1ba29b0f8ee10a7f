"""Asking for a job, running it, and looking at it.

A job's whole work is one transaction, and the row's "done" is part of it: a job that is killed has done nothing and is
shown as stopped; it can be started again.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from crosstable.errors import CrosstableError, OfficeError
from crosstable.office.audit.log import record
from crosstable.office.jobs import heartbeat
from crosstable.office.jobs.models import Job
from crosstable.office.ledger import free_text
from crosstable.office.people.rights import Actor, require
from crosstable.office.people.users import acting_as
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing
from crosstable.office.storage.row import first_or
from crosstable.office.storage.watching import watched
from crosstable.words.places import place_text

STOPPED = "stopped"
_log = logging.getLogger("crosstable.office.jobs")


@dataclass(frozen=True, slots=True)
class Shown:
    """A job as its page shows it."""

    number: int
    kind: str
    title: str
    by: str
    at: datetime
    state: str  # waiting, running, done, failed, stopped
    started: datetime | None
    finished: datetime | None
    done: int
    total: int
    result: Mapping[str, Any]
    error: str
    unit: str  # what its progress counts

    @property
    def open(self) -> bool:
        """Whether something will still happen by itself."""
        return self.state in (Job.WAITING, Job.RUNNING)

    @property
    def again(self) -> bool:
        """Whether it can be started again."""
        return self.state in (Job.FAILED, STOPPED)

    def as_json(self) -> dict[str, Any]:
        days = {name: day and day.isoformat() for name, day in (("at", self.at), ("finished", self.finished))}
        names = ("number", "kind", "title", "by", "state", "done", "total", "unit", "result", "error")
        return {name: getattr(self, name) for name in names} | days


def start(actor: Actor, kind: str, title: str, arguments: Mapping[str, Any]) -> Job:
    """Ask for a run. Anyone who calls this tells a worker too (see web.jobs), or runs it."""
    require(actor, _kind(kind).right)
    if actor.user_id is None:
        raise OfficeError("a job needs a user: say who you are with --as USER")
    for text in (arguments.get("reason", ""), arguments.get("message", "")):
        free_text.refuse(text, "the reason")
    with writing():
        job = Job.objects.create(kind=kind, title=title[:200], arguments=dict(arguments), author=actor.name)
        record(actor.name, "job.start", f"job:{job.id}", "", {"kind": kind, "title": job.title})
    return job


def again(actor: Actor, number: int) -> Job:
    """Start a job again that failed or was stopped."""
    with writing():
        job = _find(number)
        require(actor, _kind(job.kind).right)
        if not _shown([job])[0].again:
            raise OfficeError(f"job {number} is {job.state}: there is nothing to start again")
        Job.objects.filter(id=number).update(
            state=Job.WAITING, started=None, finished=None, error="", done=0, total=0, author=actor.name
        )
        record(actor.name, "job.again", f"job:{number}", "", {"kind": job.kind})
    return _find(number)


def run(number: int) -> str:
    """Do a job that waits; how it ended. What goes wrong stands in its row."""
    with heartbeat.alive(number) as progress:
        job = _find(number)
        if job.state != Job.WAITING:
            return job.state
        _begin(number)
        try:
            with watched(progress):
                _do(job)
        except CrosstableError as wrong:
            return _failed(number, _words(wrong))
        except Exception:
            _log.exception("job %d", number)
            return _failed(
                number,
                "A fault in the program stopped this job; the server's log has the details. Nothing was changed.",
            )
        return Job.DONE


def _begin(number: int) -> None:
    with writing():
        Job.objects.filter(id=number).update(state=Job.RUNNING, started=clock.now())


def _do(job: Job) -> None:
    """Do the work and its end in one transaction; what only reads lets writers go on, and has its end by itself."""
    actor, kind = acting_as(job.author), _kind(job.kind)
    require(actor, kind.right)  # the rights of today, not those of when it was asked for
    if kind.only_reads:
        result = kind.run(actor, job.arguments)
        with writing():
            _end(job.id, Job.DONE, result=result)
        return
    with writing():
        _end(job.id, Job.DONE, result=kind.run(actor, job.arguments))


def jobs(actor: Actor, count: int = 50) -> list[Shown]:
    """Return the jobs, newest first."""
    require(actor, "job.read")
    return _shown(list(Job.objects.order_by("-id")[:count]))


def job(actor: Actor, number: int) -> Shown:
    require(actor, "job.read")
    return _shown([_find(number)])[0]


def last(actor: Actor, kind: str) -> Shown | None:
    """Return the newest job of a kind."""
    require(actor, "job.read")
    found = _shown(list(Job.objects.filter(kind=kind).order_by("-id")[:1]))
    return found[0] if found else None


def current(actor: Actor) -> list[Shown]:
    """For the queue: what waits, runs or was stopped, oldest first."""
    require(actor, "job.read")
    return _shown(list(Job.objects.filter(state__in=(Job.WAITING, Job.RUNNING)).order_by("id")))


def _failed(number: int, words: str) -> str:
    with writing():
        _end(number, Job.FAILED, error=words)
    return Job.FAILED


def _end(number: int, state: str, **columns: Any) -> None:
    Job.objects.filter(id=number).update(state=state, finished=clock.now(), **columns)


def _words(wrong: CrosstableError) -> str:
    found = getattr(wrong, "findings", None)
    return "\n".join(f"{place_text(one.place)}: {one.message} {one.advice}" for one in found) if found else str(wrong)


def _find(number: int) -> Job:
    return first_or(Job.objects.filter(id=number), OfficeError(f"there is no job {number}"))


def _kind(name: str) -> Any:
    from crosstable.office.jobs.kinds import KINDS  # heavy: it knows how everything is done

    if name not in KINDS:
        raise OfficeError(f"{name!r} is not a kind of job: choose one of {', '.join(KINDS)}")
    return KINDS[name]


def _shown(rows: list[Job]) -> list[Shown]:
    at_it = heartbeat.running({row.id for row in rows if row.state == Job.RUNNING})
    found = []
    for row in rows:
        state = STOPPED if row.state == Job.RUNNING and row.id not in at_it else row.state
        done, total = at_it.get(row.id) or (row.done, row.total)
        found.append(
            Shown(
                number=row.id,
                kind=row.kind,
                title=row.title,
                by=row.author,
                at=row.at,
                state=state,
                started=row.started,
                finished=row.finished,
                done=done,
                total=total,
                result=row.result,
                error=row.error,
                unit=_kind(row.kind).unit,
            )
        )
    return found
