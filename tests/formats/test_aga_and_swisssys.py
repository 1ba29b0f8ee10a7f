"""The AGA results report and SwissSys files, as far as their layouts are known."""

from __future__ import annotations

from datetime import date

from crosstable import formats
from crosstable.model import Game
from tests.fuzz.seeds import SWISSSYS

AGA = """TOURNEY Cotsen Open, Los Angeles, Oct 2025
\tstart=10/25/2025
\tfinish=10/26/2025
\trules=AGA
# a comment
PLAYERS
12345 Example, Ada 3d
12346 Muller, Bo 2 k
12347 Zed, Cy -2.5
GAMES
12345 12346 w 2 0.5
12346 12347 B 0 7.5
12345 12347 ? 0 7
12345 99999 w 0 7
"""


def test_aga_report() -> None:
    reading = formats.read(AGA.encode())
    assert reading.format == "aga-report"
    assert reading.event is not None
    (section,) = reading.event.sections
    assert (reading.event.name, reading.event.city) == ("Cotsen Open", "Los Angeles")
    assert (section.start, section.end) == (date(2025, 10, 25), date(2025, 10, 26))
    assert [(p.id, p.name, p.rank) for p in section.players] == [
        ("12345", "Example, Ada", "3d"), ("12346", "Muller, Bo", "2k"), ("12347", "Zed, Cy", "-2.5"),
    ]  # fmt: skip
    assert section.games == (Game(1, 1, 2, "1-0", handicap=2, komi=0.5), Game(2, 2, 3, "0-1", komi=7.5))
    assert [(f.code, f.where) for f in reading.findings] == [("no-result", "line 13"), ("invalid-line", "line 14")]


def test_swisssys() -> None:
    reading = formats.read(SWISSSYS)
    assert (reading.format, reading.ok) == ("swisssys", True)
    assert reading.event is not None
    assert (reading.event.name, reading.event.start) == ("Riverside Open", date(2025, 8, 2))
    (section,) = reading.event.sections
    assert section.games == (Game(1, 1, 2, "1-0"),)
    assert [p.notes["byes"] for p in section.players] == [{"2": "half"}, {"2": "full"}]


def test_swisssys_web_report() -> None:
    web = b"""{"sections": [{"name": "Open", "players": [
      {"name": "Ada", "id1": "12345678", "rating": "1500", "results": ["W", "~"], "colors": ["W", ""], "ops": [2, 0]},
      {"name": "Bo", "id1": "12345679", "rating": "unr", "results": ["L", "H"], "colors": ["B", ""], "ops": [1, 0]}]}]}"""
    reading = formats.read(web)
    assert (reading.format, reading.ok) == ("swisssys", True)
    assert reading.event is not None
    assert reading.event.sections[0].games == (Game(1, 1, 2, "1-0"),)
