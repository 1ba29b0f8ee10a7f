"""A rated event to look at: some lines of text, a table for a notebook, and one page with the work behind each number."""

from __future__ import annotations

from html import escape
from math import isnan
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crosstable.model import Answer, Rated

STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse}th,td{padding:.2rem .7rem;text-align:left;border-bottom:1px solid #ccc}"
    "td.number{text-align:right;font-variant-numeric:tabular-nums}details{margin:.5rem 0}.rule{color:#666}"
)
HEAD = ("Section", "No", "Player", "Pool", "Before", "After", "Change")
LINES = 20  # of a rated event that is printed


def short_text(rated: Rated) -> str:
    """A line per answer, the first twenty: `section 1 OTBR Ann: 1500 → 1521`."""
    count = len(rated.answers)
    lines = [f"{rated.event} · {rated.system}: {count:,} new rating{'' if count == 1 else 's'}"]
    for answer in rated.answers[:LINES]:
        after = "not shown" if answer.published is None else f"{answer.published:g}"
        lines.append(f"  section {answer.section} {answer.pool} {_called(answer)}: {_number(answer.prior)} → {after}")
    if count > LINES:
        lines.append(f"  … {count - LINES:,} more")
    return "\n".join(lines)


def html_table(rated: Rated) -> str:
    """The new ratings, a row per player, section and pool."""
    head = "".join(f"<th>{name}</th>" for name in HEAD)
    rows = "".join(f"<tr>{_row(answer)}</tr>" for answer in rated.answers)
    caption = escape(f"{rated.event} · {rated.system}")
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def html_page(rated: Rated) -> str:
    """The table, what was noticed, and each derivation behind a line to open."""
    title = escape(rated.event or "Rated event")
    noticed = "".join(f"<li>{escape(str(finding))}</li>" for finding in rated.findings)
    derivations = "".join(_derivation(answer) for answer in rated.answers if answer.trace)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{STYLE}</style></head>'
        f"<body><h1>{title}</h1>{html_table(rated)}"
        f"{f'<h2>Noticed</h2><ul>{noticed}</ul>' if noticed else ''}"
        f"{f'<h2>The work behind each rating</h2>{derivations}' if derivations else ''}</body></html>\n"
    )


def _row(answer: Answer) -> str:
    change = "" if answer.prior is None or isnan(answer.post) else f"{answer.post - answer.prior:+.1f}"
    after = "" if answer.published is None else f"{answer.published:g}"
    texts = (str(answer.section), str(answer.number), _called(answer), answer.pool)
    numbers = (_number(answer.prior), after, change)
    return "".join(f"<td>{escape(text)}</td>" for text in texts) + "".join(
        f'<td class="number">{text}</td>' for text in numbers
    )


def _derivation(answer: Answer) -> str:
    steps = "".join(
        f"<li><b>{escape(step.title)}</b> {escape(step.text)} <span class='rule'>{escape(step.source)}</span></li>"
        for step in answer.trace
    )
    head = f"{_called(answer)}, {answer.pool}: {_number(answer.prior)} → {_number(answer.published)}"
    return f"<details><summary>{escape(head)}</summary><ol>{steps}</ol></details>"


def _called(answer: Answer) -> str:
    return str(answer.values.get("name") or answer.id or f"no. {answer.number}")


def _number(value: float | None) -> str:
    return "unrated" if value is None else f"{value:.1f}".removesuffix(".0")
