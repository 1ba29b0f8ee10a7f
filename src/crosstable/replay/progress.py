"""A progress bar for a replay: games, games per second and time left, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from crosstable.replay.us_chess import Progress

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Task
    from rich.text import Text


@contextmanager
def progress_bar(title: str = "Replaying", console: Console | None = None) -> Iterator[Progress | None]:
    """Yield what to pass to `replay(progress=...)`; None where no one watches."""
    if console is None and not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, ProgressColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar
    from rich.text import Text

    class Speed(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(speed(task.speed or task.finished_speed))

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), Speed(), TimeRemainingColumn())
    with Bar(*columns, console=console or Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)

        def report(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield report


def speed(games_per_second: float | None) -> str:
    if not games_per_second:
        return "… games/s"
    if games_per_second >= 1e6:
        return f"{games_per_second / 1e6:.1f} M games/s"
    return f"{games_per_second:,.0f} games/s"
