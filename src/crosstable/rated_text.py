"""A rated event in some lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crosstable.model import Answer, Rated

LINES = 20  # of a rated event that is printed


def short_text(rated: Rated) -> str:
    """Return a line per answer, the first twenty: `section 1 OTBR Ann: 1500 → 1521`."""
    count = len(rated.answers)
    lines = [f"{rated.event} · {rated.system}: {count:,} new rating{'' if count == 1 else 's'}"]
    for answer in rated.answers[:LINES]:
        before = "new" if answer.values.get("initialized") else _number(answer.prior)
        after = "not shown" if answer.published is None else f"{answer.published:g}"
        lines.append(f"  section {answer.section} {answer.pool} {_called(answer)}: {before} → {after}")
    if count > LINES:
        lines.append(f"  … {count - LINES:,} more")
    return "\n".join(lines)


def _called(answer: Answer) -> str:
    return str(answer.values.get("name") or answer.id or f"no. {answer.number}")


def _number(value: float | None) -> str:
    return "unrated" if value is None else f"{value:.1f}".removesuffix(".0")
