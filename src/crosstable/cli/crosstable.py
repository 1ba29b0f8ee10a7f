"""An event as players know it: pairing number, name, rounds, total, pre → post."""

from __future__ import annotations

from collections.abc import Sequence

from crosstable.cli.output import plain
from crosstable.cli.tables import terminal_width
from crosstable.formats.crosstable import scores
from crosstable.formats.text_crosstable import published
from crosstable.model import PLAYED_RESULTS, Answer, Event, Game, Rated, Section
from crosstable.systems.us_chess.coefficients import provisional_games

LETTERS = {2: "W", 1: "D", 0: "L"}
UNPLAYED = {"+/-": ("X", "F"), "-/+": ("F", "X"), "-/-": ("F", "F")}


def crosstables(event: Event, rated: Rated) -> str:
    """All sections, one table each."""
    return "\n\n".join(_section(event, section, rated.answers) for section in event.sections)


def _section(event: Event, section: Section, answers: Sequence[Answer]) -> str:
    own = {(answer.pool, answer.number): answer for answer in answers if answer.section == section.number}
    pools = list(dict.fromkeys(pool for pool, _ in own))
    pages = [name for name in pools if any(name in published(player) for player in section.players)]
    rounds = sorted({game.round for game in section.games})
    header = [
        "No",
        "Name",
        *(f"Rd {number}" for number in rounds),
        "Total",
        *(f"{name} pre → post" for name in pools),
        *(f"{name} on the page" for name in pages),
    ]
    totals = scores(section)  # byes and forfeit wins included, though no rating counts them
    rows = [header]
    for player in sorted(section.players, key=lambda player: player.number):
        cells = [cell_text(section.games, number, player.number) for number in rounds]
        ratings = [_change(own[name, player.number]) if (name, player.number) in own else "" for name in pools]
        shown = published(player)
        page = [str(shown[name]["rating"]) if name in shown else "" for name in pages]
        total = f"{totals[player.number] / 2:.1f}"
        rows.append([str(player.number), plain(player.name or player.id), *cells, total, *ratings, *page])
    dates = f"{section.start}" if section.start == section.end else f"{section.start} to {section.end}"
    place = ", ".join(part for part in (event.city, event.state) if part)
    title = " · ".join(
        part
        for part in (event.name, section.name or f"Section {section.number}", place, dates, section.time_control)
        if part
    )
    return f"{plain(title)}\n{_fitting(rows, len(rounds))}"


def _fitting(rows: list[list[str]], rounds: int) -> str:
    """The table; on a terminal that is too narrow for it without the rounds, which the last line says."""
    table, room = _table(rows), terminal_width()
    if room is None or max(map(len, table.splitlines())) <= room:
        return table
    short = [row[:2] + row[2 + rounds :] for row in rows]
    return f"{_table(short)}\n(the rounds are left out to fit; a wider window, --text or --html shows them)"


def _table(rows: list[list[str]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        " | ".join(
            _justified(cell, width, column) for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    rule = "-+-".join("-" * width for width in widths)
    return "\n".join([lines[0], rule, *lines[1:]]).replace(" \n", "\n")


def _justified(cell: str, width: int, column: int) -> str:
    return cell.rjust(width) if column == 0 else cell.ljust(width)


def cell_text(games: Sequence[Game], number: int, player: int) -> str:
    """`W 5`: a win against number 5; X and F: a game that was not played."""
    found = []
    for game in games:
        if game.round == number and player in (game.white, game.black):
            side = int(player == game.black)
            opponent = game.white if side else game.black
            letter = LETTERS[PLAYED_RESULTS[game.result][side]] if game.played else UNPLAYED[game.result][side]
            found.append(f"{letter} {opponent}")
    return ", ".join(found)


def _change(answer: Answer) -> str:
    """`1641P17 → 1657P24`; systems with an interval print it."""
    values = answer.values
    if values.get("initialized") or answer.prior is None:
        before = "unrated"
    else:
        before = _shown(answer.prior) + _provisional(values.get("prior_games"))
    after = (
        "not shown" if answer.published is None else _shown(answer.published) + _provisional(values.get("post_games"))
    )
    interval = values.get("interval")
    spread = f" ({_shown(interval[0])} to {_shown(interval[1])})" if interval else ""
    return f"{before} → {after}{spread}"


def _shown(rating: float) -> str:
    return f"{rating:.2f}" if abs(rating) < 60 else f"{int(rating + 0.5)}"


def _provisional(games: int | None) -> str:
    return f"P{games}" if games is not None and games <= provisional_games() else ""
