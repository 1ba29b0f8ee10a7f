"""One look for every figure of the lab. Matplotlib is imported only when a picture is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from crosstable.errors import CrosstableError
from crosstable.lab.places import make_room

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Colour-blind safe, in the order of use
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#666666")

#: Fewer players or games than this in a year are no statistic
FEWEST = 100


def make_room_for_picture(path: Path) -> None:
    make_room(path, (".png", ".svg", ".pdf"), "is not a picture format that we write: end it in .png, .svg or .pdf")


@contextmanager
def figure(path: str | Path, title: str, across: str, up: str) -> Iterator[Axes]:
    """Axes to draw on; the file (PNG, SVG or PDF by its name) is written at the end."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    target = Path(path)
    make_room_for_picture(target)
    drawing = Figure(figsize=(8, 4.8), layout="constrained")
    axes = drawing.add_subplot()
    axes.set_title(title)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.grid(visible=True, alpha=0.3)
    yield axes
    if axes.get_legend_handles_labels()[0]:
        axes.legend(frameon=False)
    # text stays text, and the same picture is the same file
    undated = {"Date": None} if target.suffix.lower() == ".svg" else None
    try:
        with rc_context({"svg.fonttype": "none", "svg.hashsalt": "crosstable"}):
            drawing.savefig(target, dpi=120, metadata=undated)
    except OSError as error:
        raise CrosstableError(f"cannot write {target}: {error.strerror or error}") from error
