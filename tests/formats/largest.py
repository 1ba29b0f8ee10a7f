"""The largest files that the limits let through, and the worst shapes that strangers could send, by format."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

from crosstable import formats
from crosstable.formats import limits
from crosstable.formats.us_chess_report_writing import write
from crosstable.model import Event, Game, Player, Section

PLAYERS, ROUNDS = 9999, 14  # just below the limits of players and of cells


def trf() -> bytes:
    rows = "".join(
        f"001 {n:>4}      {'Player':<33} 1500 USA    12345678 2000/07/01  0.0 {n:>4}" + "  0000 - H" * ROUNDS + "\n"
        for n in range(1, PLAYERS + 1)
    )
    return f"012 Largest\n{rows}".encode()


def csv() -> bytes:
    head = "No.,Name," + ",".join(f"Rnd {n}" for n in range(1, ROUNDS + 1))
    rows = [f"{n},{'x' * 300}," + ",".join(["H"] * ROUNDS) for n in range(1, PLAYERS + 1)]
    return "\n".join([head, *rows]).encode()


def text_crosstable() -> bytes:
    row = (
        "{:5} | PLAYER |7.0  |"
        + "H    |" * ROUNDS
        + "\n   OH | 12345678 / R: 1500   ->1500 |     |"
        + "     |" * ROUNDS
        + "\n"
    )
    return (
        " Pair | Player Name |Total|" + "Round|" * ROUNDS + "\n" + "".join(row.format(n) for n in range(1, PLAYERS + 1))
    ).encode()


def big_event() -> Event:
    players = tuple(Player(n, str(10_000_000 + n), f"Player {n}") for n in range(1, PLAYERS))
    games = tuple(Game(r, n, n + 1, "1-0") for r in range(1, 8) for n in range(1, PLAYERS - 1, 2))
    return Event("Largest", None, None, (Section(1, "Open", None, None, players, games),))


def event_json() -> bytes:
    players = [{"number": n, "id": str(n)} for n in range(1, PLAYERS)]
    games = [
        {"round": r, "white": n, "black": n + 1, "result": "1-0"} for r in range(1, 8) for n in range(1, PLAYERS - 1, 2)
    ]
    section = {"number": 1, "players": players, "games": games}
    return json.dumps(
        {"format": "crosstable-event/1", "start": "2025-01-01", "end": "2025-01-01", "sections": [section]}
    ).encode()


def report() -> bytes:
    return write(big_event()).data


def xlsx() -> bytes:
    """As many cells as the limit of a workbook's sheets lets through."""
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.append(["No.", "Name", *(f"Rnd {n}" for n in range(1, 15))])
    for n in range(1, 4500):
        sheet.append([n, f"Player {n}", *["H"] * 14])
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def aga_report() -> bytes:
    players = "".join(f"{n} Player, Some 3d\n" for n in range(1, PLAYERS))
    games = "".join(f"{n} {n + 1} w 0 7.5\n" for n in range(1, PLAYERS - 1)) * 4
    return f"TOURNEY Largest, Here\nPLAYERS\n{players}GAMES\n{games}".encode()


def swisssys() -> bytes:
    players = [
        {"Pair number": n, "Name": "P", "ID": str(n), "Results": ["H;0;;0;0;0;0.5"] * ROUNDS} for n in range(1, PLAYERS)
    ]
    return json.dumps({"Overview": {}, "Sections": [{"Players": players}]}).encode()


LARGEST: dict[str, Callable[[], bytes]] = {
    "event-json": event_json,
    "us-chess-report": report,
    "trf": trf,
    "csv": csv,
    "xlsx": xlsx,
    "text-crosstable": text_crosstable,
    "aga-report": aga_report,
    "swisssys": swisssys,
}
assert set(LARGEST) <= set(formats.registry.by_name())
assert limits.PLAYERS > PLAYERS
