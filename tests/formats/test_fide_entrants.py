"""Who played in a FIDE report: FIDE id, federation, rating and games, as a TRF gives them."""

from __future__ import annotations

from crosstable import formats
from crosstable.formats.fide_entrants import FideEntrant, entrants, foreign_event


def row(number: int, name: str, rating: str, federation: str, fide_id: str, cells: str) -> str:
    """A line of a player, by the columns of the format: title at 11, name at 15, rating at 49, federation at 54, id at
    58.
    """
    return f"001 {number:>4} m  g {name:<33} {rating:>4} {federation:<3} {fide_id:>11} 1987/01/02  1.0    1  {cells}"


REPORT = "\n".join(
    [
        "012 Autumn Open",
        "042 2025/09/06",
        "052 2025/09/07",
        row(1, "Ames, Ann", "2210", "usa", "2000001", "   2 w 1     3 b 0  "),
        row(2, "Berg, Bo", "2305", "NOR", "1500001", "   1 b 0     0 - F  "),
        row(3, "Cole, Cy", "", "", "", "   4 w +     1 w 1  "),
        row(4, "Dahl, Di", "1990", "SWE", "1700001", "   3 b -     0 - U  "),
    ]
)


def test_what_a_report_says_about_each_player() -> None:
    """Ann's second game was against Cy, who has no FIDE rating; Cy's first and Di's only game were not played."""
    ann, bo, cy, di = entrants(formats.read(REPORT.encode()))
    assert ann == FideEntrant(
        section=1,
        number=1,
        fide_id="2000001",
        name="Ames, Ann",
        federation="USA",
        title="g",
        rating=2210.0,
        games=2,
        rated_games=1,
    )
    assert (bo.federation, bo.rating, bo.games, bo.rated_games) == ("NOR", 2305.0, 1, 1)
    assert (cy.fide_id, cy.federation, cy.rating, cy.games, cy.rated_games) == ("", "", None, 1, 1)
    assert (di.games, di.rated_games) == (0, 0)


def test_no_birth_date_is_handed_on() -> None:
    assert "1987" not in repr(entrants(formats.read(REPORT.encode())))


def test_only_members_keep_an_id_of_ours() -> None:
    """FIDE's 15000010 could be a member's id too: a foreigner's says whose it is."""
    event = foreign_event(formats.read(REPORT.encode()).event, {(1, 1): "12345678"})
    (section,) = event.sections
    assert section.kind == "fide"
    assert [player.id for player in section.players] == ["12345678", "fide:1500001", "fide:3", "fide:1700001"]
    assert section.players[0].notes["fide_id"] == "2000001"


def test_ids_of_other_formats_are_not_fide_ids() -> None:
    table = "Date: 2025-09-06\nNo.,Name,ID,Rnd 1\n1,Ann,12345678,W2\n2,Bo,12345679,L1\n"
    assert [one.fide_id for one in entrants(formats.read(table.encode()))] == ["", ""]
