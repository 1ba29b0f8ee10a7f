"""The published text crosstable, by its bars; cells and ratings as formats.md and the pages spell them."""

from __future__ import annotations

from datetime import date

from crosstable import formats
from crosstable.model import Rating
from crosstable.words.places import place_text

PAGE = """Event Summary
EVENT RIVERSIDE OPEN (201308041234)
Location DAYTON, OH 45402
Event Date(s) 2013-08-03 thru 2013-08-04
Sponsoring Affiliate DAYTON CHESS CLUB (A6012345)
Chief TD JANE DOE (12345678)
Section 2 - RESERVE
Section Date(s) 2013-08-04
Stats 2 Rounds, 3 Players; K Factor: F  Rating Sys: D  Tnmt Type: S
Time Control: G/45;d5
-----------------------------------------------------
 Pair | Player Name                     |Total|Round|Round|
 Num  | USCF ID / Rtg (Pre->Post)       | Pts |  1  |  2  |
-----------------------------------------------------
    1 | ADA EXAMPLE                     |1.5  |W   2|H    |
   OH | 15445895 / R: 1641P17->1657P18  |N:2  |W    |     |
      |            Q: 1500   ->1510     |     |     |     |
-----------------------------------------------------
    2 | BO MULLER                       |1.0  |L   1|X   3|
   KY | 15445896 / R: Unrated-> 651P1   |     |B    |     |
      |            Q: [Error-unknown]   |     |     |     |
-----------------------------------------------------
    3 | CY ZED                          |1.0  |B   0|F   2|
   OH | 15445897 / R:  740   -> 740     |     |     |     |
-----------------------------------------------------
"""


def test_a_page_with_its_head() -> None:
    reading = formats.read(PAGE.encode())
    assert [f.code for f in reading.findings if f.level == "error"] == ["unreadable-rating"]  # Q: [Error-unknown]
    assert reading.draft is not None
    event = reading.draft
    assert (event.name, event.city, event.state) == ("RIVERSIDE OPEN", "DAYTON", "OH")
    assert (event.start, event.end) == (date(2013, 8, 3), date(2013, 8, 4))
    assert (event.affiliate, event.chief_td) == ("A6012345", "12345678")
    (section,) = event.sections
    assert (section.number, section.name, section.time_control) == (2, "RESERVE", "G/45;d5")
    assert section.start == section.end == date(2013, 8, 4)


def test_ratings_and_evidence() -> None:
    reading = formats.read(PAGE.encode())
    assert reading.draft is not None
    ada, bo, cy = reading.draft.sections[0].players
    assert ada.ratings == {"OTBR": Rating(1641.0, games=17), "OTBQ": Rating(1500.0)}
    assert ada.notes["published"] == {"OTBR": {"rating": 1657, "games": 18}, "OTBQ": {"rating": 1510}}
    assert (ada.notes["norm"], ada.notes["state"], ada.notes["total"]) == ("2", "OH", 1.5)
    assert bo.ratings == {}
    assert cy.ratings == {"OTBR": Rating(740.0)}
    assert [f.code for f in reading.findings] == ["unreadable-rating", "missing-rating"]
    assert reading.draft.sections[0].notes["pools"] == ["OTBR", "OTBQ"]


def test_games_forfeits_and_byes() -> None:
    reading = formats.read(PAGE.encode())
    assert reading.draft is not None
    section = reading.draft.sections[0]
    assert [(g.round, g.white, g.black, g.result) for g in section.games] == [(1, 1, 2, "1-0"), (2, 2, 3, "+/-")]
    assert section.players[0].notes["byes"] == {"2": "half"}
    assert section.players[2].notes["byes"] == {"1": "full"}


def test_a_paste_without_the_head_of_the_table() -> None:
    rows = PAGE[PAGE.index("    1 | ADA") :]
    whole, paste = formats.read(PAGE.encode()).draft, formats.read(rows.encode()).draft
    assert whole is not None
    assert paste is not None
    assert paste.sections[0].games == whole.sections[0].games
    assert paste.sections[0].players == whole.sections[0].players


def test_a_quoted_page_is_the_page() -> None:
    quoted = "".join(f"> {line}\n" for line in PAGE.splitlines())
    assert formats.read(quoted.encode()) == formats.read(PAGE.encode())


def test_lines_that_a_mail_program_broke() -> None:
    """Rounds that moved to the next line belong to the line before."""
    broken = "".join(f"{line[:50]}\n{line[50:]}\n" if "|" in line else f"{line}\n" for line in PAGE.splitlines())
    assert formats.read(broken.encode()) == formats.read(PAGE.encode())


def test_a_round_not_yet_played() -> None:
    page = PAGE.replace("|X   3|", "|?   3|").replace("|F   2|", "|?   2|")
    findings = [f for f in formats.read(page.encode()).findings if place_text(f.place).endswith("round 2")]
    assert [(f.code, place_text(f.place)) for f in findings if f.code != "uneven-rounds"] == [
        ("no-result", "section 2, player 2, round 2"),
        ("no-result", "section 2, player 3, round 2"),
    ]


def test_a_page_saved_as_html() -> None:
    head, table = PAGE.split("-" * 53, 1)
    rows = "".join(f"<tr><td>{line.replace('&', '&amp;')}</td></tr>" for line in head.splitlines())
    linked = table.replace("    1 | ADA EXAMPLE", "    <a href=page?1>1</a> | <A HREF='page?2'>ADA EXAMPLE</A>")
    page = f"<!DOCTYPE html><html><body><table>{rows}</table><pre><b>---{linked}</b></pre></body></html>"
    assert formats.read(page.replace("->", "-&gt;").encode()) == formats.read(PAGE.encode())


def test_a_page_copied_with_non_breaking_blanks() -> None:
    assert formats.read(PAGE.replace(" ", "\xa0").encode()) == formats.read(PAGE.encode())


def test_bars_without_rounds_are_no_table() -> None:
    assert formats.detect(b"No. | Name | W   2|\n1 | Ada | W   2|\n") == "unknown"


def test_a_rating_marked_provisional_without_a_count() -> None:
    event = formats.read(PAGE.replace("1641P17", "1641P  ").encode()).draft
    assert event is not None
    assert event.sections[0].players[0].ratings["OTBR"] == Rating(1641.0)
