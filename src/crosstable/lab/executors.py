"""Where trials run: threads of this machine, or the workers of a Dask cluster. Both are one kind of Executor."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from crosstable.errors import CrosstableError

#: Seconds to wait for a scheduler
PATIENCE = 10


@contextmanager
def executor(cluster: str | None = None, threads: int | None = None) -> Iterator[Executor]:
    """Threads, or a cluster by its scheduler's address. The compiled loops let threads run side by side."""
    if cluster is None:
        pool = ThreadPoolExecutor(max_workers=threads or os.cpu_count())
        try:
            yield pool
        finally:
            pool.shutdown(cancel_futures=True)  # whoever stops a study waits for no more than what runs
        return
    from distributed import Client, KilledWorker

    try:
        client: Any = Client(cluster, timeout=PATIENCE)  # type: ignore[no-untyped-call]  # Dask has no types
    except (OSError, ValueError, TimeoutError) as error:
        raise CrosstableError(f"no Dask scheduler answers at {cluster}: start one as `lab cluster` says") from error
    with client:
        try:
            yield client.get_executor(pure=False)
        except KilledWorker as error:
            raise CrosstableError(f"{error}: give the workers more memory, as `lab cluster` says") from error


def cluster_commands(address: str = "tcp://SCHEDULER:8786", memory: str = "4GiB") -> tuple[str, str]:
    """The two commands that start a scheduler and, on every machine, a worker."""
    port = address.rsplit(":", 1)[-1]
    return (
        f"dask scheduler --port {port}",
        f"dask worker {address} --nworkers auto --nthreads 1 --memory-limit {memory}",
    )
