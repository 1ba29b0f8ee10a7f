"""Where work runs: threads of this machine, or the workers of a Dask cluster. Both are one kind of Executor."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any, ParamSpec, TypeVar

from crosstable.errors import CrosstableError

P = ParamSpec("P")
T = TypeVar("T")

#: Seconds to wait for a scheduler
PATIENCE = 10


class Threads(Executor):
    """Threads that the process does not wait for: a compiled loop cannot be stopped, and Ctrl-C would wait for
    its end.
    """

    def __init__(self, count: int | None = None) -> None:
        self._waiting: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._count = count or os.cpu_count() or 1
        for _ in range(self._count):
            threading.Thread(target=self._work, daemon=True).start()

    def _work(self) -> None:
        while (task := self._waiting.get()) is not None:
            task()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()

        def run() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(fn(*args, **kwargs))
            except BaseException as error:  # raised again where the result is asked for
                future.set_exception(error)

        self._waiting.put(run)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002 - an Executor's own
        """Let the threads end after what they do now; what has not begun is dropped."""
        while not self._waiting.empty():
            self._waiting.get()
        for _ in range(self._count):
            self._waiting.put(None)


@contextmanager
def executor(cluster: str | None = None, threads: int | None = None) -> Iterator[Executor]:
    """Threads, or a cluster by its scheduler's address. The compiled loops let threads run side by side."""
    if cluster is None:
        with Threads(threads) as pool:
            yield pool
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
    """Return the two commands that start a scheduler and, on every machine, a worker."""
    port = address.rsplit(":", 1)[-1]
    return (
        f"dask scheduler --port {port}",
        f"dask worker {address} --nworkers auto --nthreads 1 --memory-limit {memory}",
    )
