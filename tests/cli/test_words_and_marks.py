"""Plain words beside codes, marks that are not lost, colours only where there is a terminal."""

from __future__ import annotations

import io
import json
from datetime import date
from pathlib import Path

import pytest

import crosstable as ct
from crosstable.checks.catalogue import check_codes, declared_codes, format_codes
from crosstable.cli import main
from crosstable.cli.convert import _loss_words
from crosstable.cli.given import _born
from crosstable.cli.output import OPTIONS, finding_line, pool_name
from crosstable.cli.tables import styled
from crosstable.formats.base import Loss
from crosstable.model import Finding, Level, Place
from crosstable.systems.us_chess.pools import POOLS
from crosstable.words.findings import grouped
from crosstable.words.places import place_text

SHEET = """No,Name,ID,Rating,Rd 1,Rd 2,Rd 3
1,"Example, Ada",12345678,1500P12,W2,D3,
2,"Muller, Bo",12345679,1400,L1,,W3
3,"Zed, Cy",12345670,,,D1,L2
"""
GIVEN = ["--date", "2025-08-02", "--time-control", "G/90;d5"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("1=2012-05-31", [("1", date(2012, 5, 31))]),
        ("1=2012-05-31,2=8/2/2010", [("1", date(2012, 5, 31)), ("2", date(2010, 8, 2))]),
        (
            "Zed, Cy=May 31, 2012,Muller, Bo=2010-08-02",
            [("Zed, Cy", date(2012, 5, 31)), ("Muller, Bo", date(2010, 8, 2))],
        ),
    ],
)
def test_several_birth_dates_in_one_option(text: str, people: list[tuple[str, date]]) -> None:
    assert _born(text) == people


@pytest.mark.parametrize("text", ["12345678", "=2012-05-31", "1=2012-05-31,2", "1=soon"])
def test_what_is_no_birth_date_is_a_wrong_command(text: str, sheet: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["rate", sheet, "--born", text])
    assert stopped.value.code == 2


@pytest.mark.parametrize("pool", POOLS, ids=lambda pool: pool.key)
def test_pools_are_called_by_code_or_by_name(pool) -> None:
    for text in (pool.key, pool.key.lower(), pool.title, pool.word, pool.title.upper().replace(" ", "_")):
        assert pool_name(text) == pool.key


@pytest.mark.parametrize(("word", "control", "pool"), [("quick", "G/20;d5", "OTBQ"), ("Regular", "G/90;d5", "OTBR")])
def test_the_ratings_of_a_file_by_name(sheet: str, word: str, control: str, pool: str, capsys) -> None:
    assert main(["rate", sheet, "--date", "2025-08-02", "--time-control", control, "--ratings", word, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["ratings"]
    assert [(row["pool"], row["prior"]) for row in rows if row["number"] == 1] == [(pool, 1500)]


def test_online_is_the_online_pool_of_the_time_control(sheet: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", sheet, *GIVEN, "--mode", "online", "--ratings", "online", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["ratings"]
    assert [(row["pool"], row["prior"]) for row in rows if row["number"] == 1] == [("OLR", 1500)]


def test_a_code_is_said_in_words(sheet: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", sheet, *GIVEN]) == 0
    assert "rated in OTBR (Regular)" in capsys.readouterr().err


def test_findings_speak_to_everybody_and_the_command_adds_its_option(sheet: str, capsys) -> None:
    codes = [*format_codes(), *check_codes(), *(code for code, _ in declared_codes())]
    assert [code.name for code in codes if "--" in code.advice + code.says] == []
    assert set(OPTIONS) <= {code.name for code in codes}
    assert main(["rate", sheet]) == 1
    assert "(--date YYYY-MM-DD) [missing-date]" in capsys.readouterr().err
    with pytest.raises(ct.EventRejected) as refused:
        ct.rate(sheet)
    assert "--" not in str(refused.value)


def test_the_library_takes_what_a_file_does_not_say(sheet: str) -> None:
    reading = ct.read(
        sheet,
        start="2025-08-02",
        time_control="G/20;d5",
        ratings="quick",
        adults=["zed"],
        born={"Bo Muller": "1990-05-01"},
    )
    ada, bo, cy = reading.event.sections[0].players
    assert (list(ada.ratings), bo.birth_date, cy.adult) == (["OTBQ"], date(1990, 5, 1), True)
    with pytest.raises(ct.WrongValue, match="mode: expected one of otb, online"):
        ct.read(sheet, mode="chess.com")


def test_the_provisional_mark_is_on_the_page(sheet: str, tmp_path: Path) -> None:
    """12 games and two more: 1500P12 before, P14 after; the command's page is the library's, with
    what the command has noticed in the file below it."""
    page = tmp_path / "out.html"
    assert main(["rate", sheet, *GIVEN, "--html", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "<td>1500P12</td>" in text
    assert "P14</td>" in text
    rated = ct.rate(ct.read(sheet, start="2025-08-02", end="2025-08-02", time_control="G/90;d5"))
    own, _, noticed = text.partition("<h2>Noticed</h2>")
    assert rated.to_html() == f"{own}</body></html>\n"
    assert "[taken-as-established]" in noticed
    assert "<td>1500P12</td>" in rated._repr_html_()
    assert "<td>W 2</td>" in rated._repr_html_()


def test_a_public_result_holds_no_age(sheet: str) -> None:
    reading = ct.read(sheet, start="2025-08-02", time_control="G/90;d5", born={"Zed, Cy": "2012-05-31"})
    public = ct.public(reading)
    assert public.source is not None
    assert all(p.birth_date is None and not p.ratings for s in public.source.sections for p in s.players)
    assert "<td>W 2</td>" in public.to_html()


@pytest.mark.parametrize("name", ["out.zip", "out.trf"])
def test_a_format_without_the_mark_says_whose_it_was(sheet: str, tmp_path: Path, name: str, capsys) -> None:
    assert main(["convert", sheet, str(tmp_path / name), *GIVEN]) == 0
    assert "does not say that 1 provisional rating is so: Example, Ada" in capsys.readouterr().err


def test_a_section_to_choose_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "two.csv"
    path.write_text(f"Section,1\n{SHEET}\nSection,2\n{SHEET}")
    assert main(["convert", str(path), str(tmp_path / "out.trf"), *GIVEN]) == 1
    assert "there are 1, 2. Choose one. (--section N) [one-section]" in capsys.readouterr().err
    assert main(["convert", str(path), str(tmp_path / "out.trf"), "--section", "2", *GIVEN]) == 0
    event = ct.read(str(path), start="2025-08-02").event
    assert ct.write(event, "trf", section=2).data == ct.write(event, "trf", section=1).data


def test_names_with_commas_stay_apart() -> None:
    event = ct.Event.of("x", [(f"p{n}", f"q{n}", 1) for n in range(4)], on="2025-08-02")
    (section,) = event.sections
    named = [ct.Player(player.number, player.id, f"Last{player.number}, First") for player in section.players]
    event = ct.Event("x", event.start, event.end, (ct.Section(1, "", event.start, event.end, tuple(named), ()),))
    many = [Finding(Level.NOTICE, "x", Place(section=1, players=(n,)), "odd.") for n in range(1, 6)]
    (line,) = grouped(many, event)
    assert line.text == "5 times: odd. First Last1 (no. 1); First Last2 (no. 2); First Last3 (no. 3); and 2 more."


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_colour_is_for_terminals_that_want_it(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    error = Finding(Level.ERROR, "x", Place(), "odd.")
    assert finding_line(error, Terminal()) == "\x1b[31merror\x1b[0m: odd. [x]"
    assert styled("Name", "bold", Terminal()) == "\x1b[1mName\x1b[0m"
    assert finding_line(error, io.StringIO()) == "error: odd. [x]"
    monkeypatch.setenv(name, value)
    assert finding_line(error, Terminal()) == "error: odd. [x]"


def test_one_table_style(sheet: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", sheet, *GIVEN]) == 0
    _, head, rule, *_ = capsys.readouterr().out.splitlines()
    assert head.startswith("No  Name")
    assert set(rule) == {"─", " "}


@pytest.mark.parametrize(
    ("loss", "words"),
    [
        (Loss("player.ratings.OTBR.games", 3), "games of 3 players' OTBR ratings"),
        (Loss("player.ratings.OTBQ"), "OTBQ rating of 1 player"),
        (Loss("player.birth_date", 12), "birth date of 12 players"),
        (Loss("event.affiliate"), "affiliate of the event"),
        (Loss("game", 2), "2 games"),
    ],
)
def test_what_is_lost_is_said_in_words(loss: Loss, words: str) -> None:
    assert _loss_words(loss) == words


def test_help_is_a_verb(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["help", "rate"])
    assert stopped.value.code == 0
    assert "usage: crosstable rate" in capsys.readouterr().out


def test_a_missing_date_is_said_once(sheet: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", sheet]) == 1
    assert capsys.readouterr().err.count("[missing-date]") == 1


def test_a_missing_date_of_several_sections_is_one_finding_that_names_them(tmp_path: Path) -> None:
    """In the library and in `office submit` too: both say what the rating system says."""
    path = tmp_path / "two.csv"
    path.write_text(
        "Section,No,Name,Rating,Rd 1\nOpen,1,Ann,1500,W2\nOpen,2,Bo,1400,L1\nU900,1,Cy,800,W2\nU900,2,Di,700,L1\n"
    )
    with pytest.raises(ct.EventRejected) as refused:
        ct.rate(ct.read(path))
    (said,) = [one for one in refused.value.findings if one.code == "missing-date"]
    assert (place_text(said.place), said.message) == ("event", "start or end date is missing (sections: Open; U900).")


def test_findings_name_players_and_what_the_file_itself_needs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two say that they won one game: no option mends that."""
    path = tmp_path / "clash.csv"
    path.write_text("No,Name,Rating,Rd 1\n1,Ann Ames,1500,W2\n2,Bo Beck,1400,W1\n")
    assert main(["rate", str(path)]) == 1
    said = capsys.readouterr().err
    assert "Ann Ames (no. 1) and Bo Beck (no. 2) report different results of one game: W and W" in said
    assert said.splitlines()[-1] == "  fix the file, then try again with --date YYYY-MM-DD --time-control 'G/60;d5'"
    assert main(["check", str(path)]) == 1
    assert "these players have no id: Ann Ames; Bo Beck." in capsys.readouterr().out


def test_a_player_unrated_in_two_pools_is_one_notice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = (
        " Pair | Player Name         |Total|Round|",
        "    1 | ADA                 |1.0  |W   2|",
        "   OH | 12345671 / R: Unrated |     |W    |",
        "      |            Q: Unrated |     |     |",
        "    2 | BO                  |0.0  |L   1|",
        "   OH | 12345672 / R: 1500   |     |B    |",
        "      |            Q: 1480   |     |     |",
    )
    path = tmp_path / "page.txt"
    path.write_text("\n".join(rows))
    main(["rate", str(path)])
    said = [line for line in capsys.readouterr().err.splitlines() if "[missing-rating]" in line]
    assert len(said) == 1
    assert "unrated in OTBR and OTBQ before the event" in said[0]


def test_many_who_are_new_are_players_and_not_times() -> None:
    new = [Finding(Level.NOTICE, "new-player", Place(id=str(n)), "not in the register yet.", "") for n in range(4)]
    (line,) = grouped(new)
    assert line.text == "4 players are not in the register yet. player 0; player 1; player 2; and 1 more."
