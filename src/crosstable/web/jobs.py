"""Runs longer than a request: the office's jobs (office.jobs) through django-tasks and its database queue.

`crosstable serve` starts a worker beside the pages; under another server `crosstable worker` is started by itself.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from typing import Any

from django_tasks import task

from crosstable.office.jobs import running
from crosstable.office.jobs.models import Job
from crosstable.office.people.rights import Actor
from crosstable.office.storage.database import writing

#: So many seconds between two looks into the queue
INTERVAL = 0.5


@task()
def run_job(number: int) -> str:
    """Run a job in the worker."""
    return running.run(number)


def begin(actor: Actor, kind: str, title: str, arguments: Mapping[str, Any]) -> Job:
    """Ask for a run; a worker takes it up within a second."""
    with writing():
        job = running.start(actor, kind, title, arguments)
        run_job.enqueue(job.id)
    return job


def begin_again(actor: Actor, number: int) -> Job:
    with writing():
        job = running.again(actor, number)
        run_job.enqueue(job.id)
    return job


def work(*, with_parent: bool = False) -> None:
    """Be the worker, until told to stop. `with_parent`: end with the process that started this one."""
    from django.utils.crypto import get_random_string
    from django_tasks_db.management.commands.db_worker import Worker

    worker = Worker(
        queue_names=["default"],
        interval=INTERVAL,
        batch=False,
        backend_name="default",
        startup_delay=False,
        max_tasks=None,
        worker_id=get_random_string(32),
        excluded_queue_names=[],
    )
    worker.configure_signals()
    if with_parent:
        threading.Thread(target=_end_with_parent, args=[worker], daemon=True).start()
    worker.run()


def _end_with_parent(worker: Any) -> None:
    """End with the parent, which holds the other end of our input: when that closes, finish the job at hand and go."""
    while os.read(0, 1):  # past `sys.stdin`, whose lock Python cannot take back from a thread when it ends
        pass
    worker.running = False
    while worker.running_task:
        time.sleep(INTERVAL)
    os._exit(0)
