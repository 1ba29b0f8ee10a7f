"""One source, two speeds: `@formula` marks a plain function over numbers and sequences.

By itself it does nothing. `crosstable.replay.compiled` loads the same source files a second time with the mark switched
to Numba, so the array kernel runs the very functions that `rate` calls. A formula therefore uses only `math`, other
formulas, scalars, indexable sequences (lists here, arrays there) and records with named fields.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

_mark: Callable[[Any], Any] | None = None


def formula(function: F) -> F:
    marked: F = function if _mark is None else _mark(function)
    return marked
