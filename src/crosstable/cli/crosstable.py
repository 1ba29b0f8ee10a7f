"""An event as players know it: pairing number, name, rounds, total, pre → post."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crosstable.cli.output import plain
from crosstable.cli.tables import column_widths, table_lines, terminal_width, total_width
from crosstable.formats.crosstable import scores
from crosstable.formats.text_crosstable import published
from crosstable.model import Answer, Event, Rated, Section
from crosstable.words.rated_page import before_and_after, cell_text, shown_rounds, span


def crosstables(event: Event, rated: Rated) -> str:
    """All sections, one table each."""
    return "\n\n".join(_section(event, section, rated.answers) for section in event.sections)


def _section(event: Event, section: Section, answers: Sequence[Answer]) -> str:
    own = {(answer.pool, answer.number): answer for answer in answers if answer.section == section.number}
    pools = list(dict.fromkeys(pool for pool, _ in own))
    pages = [name for name in pools if any(name in published(player) for player in section.players)]
    rounds = shown_rounds(section)
    head = [
        "No",
        "Name",
        *(f"Rd {number}" for number in rounds),
        "Total",
        *(f"{name} pre → post" for name in pools),
        *(f"{name} on the page" for name in pages),
    ]
    totals = scores(section)  # byes and forfeit wins included, though no rating counts them
    rows: list[list[Any]] = []
    for player in sorted(section.players, key=lambda player: player.number):
        cells = [cell_text(section.games, number, player) for number in rounds]
        ratings = [
            " → ".join(before_and_after(own[name, player.number])) if (name, player.number) in own else ""
            for name in pools
        ]
        shown = published(player)
        page = [str(shown[name]["rating"]) if name in shown else "" for name in pages]
        total = f"{totals[player.number] / 2:.1f}"
        rows.append([player.number, plain(player.name or player.id), *cells, total, *ratings, *page])
    dates = span(section)
    place = ", ".join(part for part in (event.city, event.state) if part)
    title = " · ".join(
        part
        for part in (event.name, section.name or f"Section {section.number}", place, dates, section.time_control)
        if part
    )
    return "\n".join([plain(title), *_fitting(head, rows, len(rounds))])


def _fitting(head: list[str], rows: list[list[Any]], rounds: int) -> list[str]:
    """Return the table; on a terminal that is too narrow for it without the rounds, which the last line says."""
    room = terminal_width()
    if room is None or total_width(column_widths(head, rows)) <= room:
        return table_lines(head, rows)
    short = [row[:2] + row[2 + rounds :] for row in (head, *rows)]
    left_out = "(the rounds are left out to fit; a wider window, --text or --html shows them)"
    return [*table_lines(short[0], short[1:]), left_out]
