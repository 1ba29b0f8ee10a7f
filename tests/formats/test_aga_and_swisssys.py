"""The AGA results report and SwissSys files, as far as their layouts are known."""

from __future__ import annotations

from datetime import date

from crosstable import formats
from crosstable.model import Game
from crosstable.words.places import place_text
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
    assert reading.draft is not None
    (section,) = reading.draft.sections
    assert (reading.draft.name, reading.draft.city) == ("Cotsen Open", "Los Angeles")
    assert (section.start, section.end) == (date(2025, 10, 25), date(2025, 10, 26))
    assert [(p.id, p.name, p.rank) for p in section.players] == [
        ("12345", "Example, Ada", "3d"),
        ("12346", "Muller, Bo", "2k"),
        ("12347", "Zed, Cy", "-2.5"),
    ]
    assert section.games == (Game(1, 1, 2, "1-0", handicap=2, komi=0.5), Game(2, 2, 3, "0-1", komi=7.5))
    assert [(f.code, place_text(f.place)) for f in reading.findings] == [
        ("no-result", "line 13"),
        ("invalid-line", "line 14"),
    ]


def test_swisssys() -> None:
    reading = formats.read(SWISSSYS)
    assert (reading.format, reading.ok) == ("swisssys", True)
    assert reading.draft is not None
    assert (reading.draft.name, reading.draft.start) == ("Riverside Open", date(2025, 8, 2))
    (section,) = reading.draft.sections
    assert section.games == (Game(1, 1, 2, "1-0"),)
    assert [p.notes["byes"] for p in section.players] == [{"2": "half"}, {"2": "full"}]


def test_swisssys_web_report() -> None:
    web = b"""{"sections": [{"name": "Open", "players": [
      {"name": "Ada", "id1": "12345678", "rating": "1500", "results": ["W", "~"], "colors": ["W", ""], "ops": [2, 0]},
      {"name": "Bo", "id1": "12345679", "rating": "unr", "results": ["L", "H"],
       "colors": ["B", ""], "ops": [1, 0]}]}]}"""
    reading = formats.read(web)
    assert (reading.format, reading.ok) == ("swisssys", True)
    assert reading.draft is not None
    assert reading.draft.sections[0].games == (Game(1, 1, 2, "1-0"),)


def test_aga_report_with_counts_headings_and_an_end() -> None:
    """Clubs' programs count what follows, head the columns, comment with slashes and say where the file ends."""
    text = """TOURNAMENT
Winter Go, Portland
start=1/9/2025
location=Salem, OR
PLAYERS (3)
101 Example, Ada 3 dan
102 Muller, Bo 12 Kyu
103 Zed, Cy 1p
GAMES 1
WHITE BLACK WINNER HANDICAP KOMI
101 102 W 9 0 // as it was played
GAMES 2
101 103 b 0 7
END
"""
    reading = formats.read(text.encode())
    assert (reading.format, reading.findings) == ("aga-report", ())
    assert reading.draft is not None
    assert (reading.draft.name, reading.draft.city, reading.draft.start) == ("Winter Go", "Salem", date(2025, 1, 9))
    (section,) = reading.draft.sections
    assert [p.rank for p in section.players] == ["3d", "12k", "1p"]
    assert section.games == (Game(1, 1, 2, "1-0", handicap=9), Game(2, 1, 3, "0-1", komi=7))


#: The names of SwissSys 11 itself, and ½ as the machine's code page writes it.
SWISSSYS_11 = """{"Overview": {"Program": "SwissSys", "Version": 11.58, "Tournament title": "Winter Open",
 "Tournament time controls": "G/60;d5", "Starting date": "12/05/25", "Ending date": "12/07/25", "Event city": "Salem",
 "Event state": "OR", "Event country": "USA", "Event format": "Online"},
 "Sections": [{"Section name": "Under_1000", "Type": 3, "Section title": "Under 1000", "Players": [
  {"Pair number": 1, "Name": "Example, Ada", "ID": "12345678", "Rating": 951, "Provisional": true, "ID2": "2000001",
   "Rating2": 1402, "State": "OR", "Birth date": "2012", "Player title": "", "Sex": "F", "Current result": "½",
   "Results": ["+;2;W;1;0;0;0", "U;-1;-;0;-1;-1;0", "\x00;3;B;1;0;0;0"]},
  {"Pair number": 2, "Name": "Muller, Bo", "ID": "12345679", "Rating": 0, "Rating2": 0,
   "Results": ["-;1;B;1;0;0;0", "=;3;W;1;0;0;0", "H;-1;-;0;0;0;0"]},
  {"Pair number": 3, "Name": "Zed, Cy", "ID": "", "Rating": 800,
   "Results": ["B;-1;-;0;0;0;0", "=;2;B;1;0;0;0", "~;1;W;1;0;0;0"]}]}]}"""


def test_swisssys_11_names() -> None:
    reading = formats.read(SWISSSYS_11.encode("cp1252"))
    assert reading.format == "swisssys"
    assert reading.draft is not None
    event = reading.draft
    assert (event.start, event.end) == (date(2025, 12, 5), date(2025, 12, 7))
    assert (event.city, event.state, event.country) == ("Salem", "OR", "USA")
    (section,) = event.sections
    assert (section.name, section.kind, section.mode) == ("Under 1000", "round-robin", "online")
    assert section.time_control == "G/60;d5"
    assert section.games == (Game(1, 1, 2, "1-0"), Game(2, 2, 3, "1/2-1/2"))
    ada, bo, cy = section.players
    assert dict(ada.notes) == {
        "state": "OR",
        "sex": "F",
        "id2": "2000001",
        "rating2": "1402",
        "birth_year": 2012,
        "provisional": True,
    }
    assert (list(ada.ratings), bo.ratings, bo.notes["byes"], cy.notes["byes"]) == (
        ["OLR"],
        {},
        {"3": "half"},
        {"1": "full"},
    )
    assert [(f.code, place_text(f.place)) for f in reading.findings if f.code == "no-result"] == [
        ("no-result", "section 1, player 1, round 3"),
        ("no-result", "section 1, player 3, round 3"),
    ]
