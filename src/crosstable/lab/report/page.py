"""A report: one HTML file that needs nothing else; beside it every table as CSV and Parquet, and the whole as JSON.

The JSON is what an office publishes (`office reports --publish`).
"""

from __future__ import annotations

import json
import math
import platform
import re
import shlex
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import Any

import polars as pl

from crosstable.errors import CrosstableError
from crosstable.lab.cautions import Caution
from crosstable.lab.places import make_room

#: Marks the JSON file; an office takes no other
FORMAT = "crosstable-lab-report/1"
PACKAGES = ("crosstable", "numpy", "numba", "polars", "altair", "vl-convert-python", "optuna")


#: A page with more rows than this of one table is slow to open; the file beside it has them all
MOST_ROWS = 2000
#: Longer tables are folded: the charts say it first
FOLDED = 12
#: A longer text in a cell is a sentence, and is broken into lines
SENTENCE = 40
#: What every report measures with, for readers who have not met it
DEVIANCE = (
    "Deviance says how far predictions miss: a coin has 0.30103, a perfect forecast almost 0. Among rating systems"
    " 0.001 is little and 0.01 is much."
)


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A section: a heading, paragraphs (one a line), charts (SVG) and a table. `rows`: how many of the table the page
    shows.
    """

    title: str
    words: str = ""
    charts: tuple[str, ...] = ()
    table: pl.DataFrame | None = None
    rows: int = MOST_ROWS


@dataclass(frozen=True, slots=True)
class LabReport:
    """The whole: a title, the result in one sentence, sections, and what is needed to repeat it."""

    title: str
    lead: str
    parts: tuple[ReportSection, ...]
    facts: Mapping[str, str] = field(default_factory=dict)


def please_check(cautions: Sequence[Caution]) -> tuple[ReportSection, ...]:
    """Return what to know before trusting the figures, if there is anything."""
    return (ReportSection("Please check", " ".join(one.text for one in cautions)),) if cautions else ()


def repeatable(command: Sequence[str], data: str, seed: int | None = None, **more: str) -> dict[str, str]:
    """Return what it takes to write the same report again: command, data, seed and versions."""
    found = {"Command": f"crosstable {shlex.join(command)}", "Data": f"SHA-256 {data}"}
    if seed is not None:
        found["Seed"] = str(seed)
    return found | more | {"Versions": _versions()}


def _versions() -> str:
    found = [f"Python {platform.python_version()}"]
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)


def make_room_for_page(path: Path) -> None:
    make_room(path, (".html", ".htm"), "is not a page: end it in .html")


def write(report: LabReport, path: Path) -> list[Path]:
    """Write the page, and each table beside it; return what was written."""
    make_room_for_page(path)
    written = [path]
    try:
        path.write_text(page(report), encoding="utf-8")
        written.append(path.with_suffix(".json"))
        written[-1].write_text(json.dumps(document(report), ensure_ascii=False), encoding="utf-8")
        for part in report.parts:
            if part.table is not None:
                stem = f"{path.stem}-{re.sub(r'[^a-z0-9]+', '-', part.title.lower()).strip('-')}"
                part.table.write_csv(path.with_name(f"{stem}.csv"))
                part.table.write_parquet(path.with_name(f"{stem}.parquet"))
                written += [path.with_name(f"{stem}.csv"), path.with_name(f"{stem}.parquet")]
    except OSError as error:
        raise CrosstableError(f"cannot write {path}: {error.strerror or error}") from error
    return written


def document(report: LabReport) -> dict[str, Any]:
    """Return what the page shows, for other programs: words, charts as SVG,
    and the shown rows of each table as texts.
    """
    parts = [
        {"title": part.title, "words": part.words, "charts": list(part.charts), "table": _figures(part)}
        for part in report.parts
    ]
    return {
        "format": FORMAT,
        "title": report.title,
        "lead": report.lead,
        "parts": parts,
        "facts": dict(report.facts),
    }


def _figures(part: ReportSection) -> dict[str, Any] | None:
    if part.table is None:
        return None
    return {
        "columns": [name.replace("_", " ") for name in part.table.columns],
        "numeric": [kind.is_numeric() for kind in part.table.dtypes],
        "rows": _texts(part.table.head(part.rows)),
        "left_out": max(len(part.table) - part.rows, 0),
    }


def page(report: LabReport) -> str:
    style = _font_face() + (files("crosstable.lab.report") / "report.css").read_text(encoding="utf-8")
    parts = "\n".join(_part(part) for part in report.parts)
    facts = "\n".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in report.facts.items())
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(report.title)}</title>
<style>
{style}</style>
</head>
<body>
<header><p class="brand">Crosstable · the lab</p></header>
<main>
<h1>{escape(report.title)}</h1>
<p class="lead">{escape(report.lead)}</p>
{parts}
<section><h2>To repeat it</h2>
<dl>
{facts}
</dl></section>
</main>
</body>
</html>
"""


def _font_face() -> str:
    """Our font inside the page: a chart's labels were measured with it."""
    data = b64encode((files("crosstable.lab.report") / "fonts" / "inter.ttf").read_bytes()).decode()
    return f"@font-face {{ font-family: Inter; font-weight: 100 900; src: url(data:font/ttf;base64,{data}) }}\n"


def _part(part: ReportSection) -> str:
    words = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in part.words.splitlines())
    charts = "".join(f"<figure>{chart}</figure>" for chart in part.charts)
    table = "" if part.table is None else _table(part.table, part.title, part.rows)
    return f"<section><h2>{escape(part.title)}</h2>\n{words}\n{charts}\n{table}</section>"


def _table(frame: pl.DataFrame, caption: str, most: int) -> str:
    numeric = {name: kind.is_numeric() for name, kind in frame.schema.items()}
    head = "".join(
        f'<th scope="col"{_right(numeric[name])}>{escape(name.replace("_", " "))}</th>' for name in frame.columns
    )
    body = "\n".join("<tr>" + "".join(map(_cell, row, numeric.values())) + "</tr>" for row in _texts(frame.head(most)))
    more = (
        f"<p class=more>The first {most:,} of {len(frame):,} rows; the file beside this page has all of them.</p>"
        if len(frame) > most
        else ""
    )
    hidden = f"<caption>{escape(caption)}</caption>"
    table = (
        f'<div class="wide"><table>{hidden}<thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table></div>{more}'
    )
    if len(frame) <= FOLDED:
        return table
    count = f"All figures: {len(frame):,} rows" if len(frame) <= most else f"The first {most:,} of {len(frame):,} rows"
    return f"<details><summary>{count}</summary>{table}</details>"


def _right(numeric: bool) -> str:
    return ' class="n"' if numeric else ""


def _cell(text: str, numeric: bool) -> str:
    look = ' class="said"' if len(text) > SENTENCE else _right(numeric)
    return f"<td{look}>{escape(text)}</td>"


def _texts(frame: pl.DataFrame) -> list[list[str]]:
    """Return the cells as texts; the figures of a column have the same number of decimals."""
    digits = [_digits(column) for column in frame]
    return [[figure_text(cell, places) for cell, places in zip(row, digits, strict=True)] for row in frame.iter_rows()]


def _digits(column: pl.Series) -> int:
    """Return how many decimals a column needs: at most one for points, five for a deviance, fewer for rounded
    figures.
    """
    if not column.dtype.is_float():
        return 0
    sizes = [abs(value) for value in column if value is not None and math.isfinite(value)]
    most = 1 if max(sizes, default=0.0) >= 10 else 3 if max(sizes, default=0.0) >= 1 else 5
    return next((places for places in range(most) if all(size == round(size, places) for size in sizes)), most)


def figure_text(value: Any, places: int = 5) -> str:
    """Return a figure as a reader wants it."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.{places}f}".replace("-", "−") if math.isfinite(value) else "–"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10_000:
        return f"{value:,}"
    return str(value)
