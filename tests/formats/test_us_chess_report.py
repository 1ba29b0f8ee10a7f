"""The US Chess report: cells as formats.md describes them, the 1991 layout, double games, and its oddities."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from crosstable import formats
from crosstable.formats import dbf, us_chess_report, us_chess_report_writing
from crosstable.formats.base import Reading
from crosstable.formats.dbf import DbfField
from crosstable.model import Event, Game, Player, Rating, Section

HEADER = {
    "H_FORMAT": "2C",
    "H_NAME": "Riverside Open",
    "H_TOT_SECT": "1",
    "H_BEG_DATE": "20250802",
    "H_END_DATE": "20250803",
    "H_AFF_ID": "A6012345",
    "H_CITY": "Dayton",
    "H_STATE": "OH",
    "H_COUNTRY": "USA",
    "H_CTD_ID": "12345678",
}
SECTION = {
    "S_SEC_NUM": "1",
    "S_SEC_NAME": "Open",
    "S_TIMECTL": "G/60;d5",
    "S_TRN_TYPE": "S",
    "S_TOT_RNDS": "2",
    "S_LST_PAIR": "3",
}


def player(number: str, *cells: str, **more: str) -> dict[str, str]:
    rounds = {f"D_RND{n:02}": cell for n, cell in enumerate(cells, start=1)}
    return {
        "D_SEC_NUM": "1",
        "D_PAIR_NUM": number,
        "D_MEM_ID": f"1000000{number}",
        "D_RATING": "1500",
        **rounds,
        **more,
    }


def table(rows: list[dict[str, str]], width: int = 40) -> bytes:
    names = list(dict.fromkeys(name for row in rows for name in row))
    return dbf.write([DbfField(name, width) for name in names], rows)


def report(players: list[dict[str, str]], **section: str) -> Reading:
    files = {"a.dbf": table([HEADER]), "b.dbf": table([{**SECTION, **section}]), "c.dbf": table(players)}
    return us_chess_report.read(files)


def games(reading: Reading) -> list[tuple[int, int, int, str]]:
    assert reading.draft is not None
    return [(g.round, g.white, g.black, g.result) for g in reading.draft.sections[0].games]


def test_cells_with_results_opponents_and_colours() -> None:
    reading = report([player("1", "W2W", "D3B"), player("2", "L1B", "B0"), player("3", "H0", "D1W")])
    assert reading.ok
    assert games(reading) == [(1, 1, 2, "1-0"), (2, 3, 1, "1/2-1/2")]
    assert reading.draft is not None
    assert (reading.draft.start, reading.draft.affiliate, reading.draft.state) == (date(2025, 8, 2), "A6012345", "OH")
    section = reading.draft.sections[0]
    assert section.start == date(2025, 8, 2)  # readings 10: sections without dates take the event's
    assert [p.notes.get("byes") for p in section.players] == [None, {"2": "full"}, {"1": "half"}]
    assert section.players[0].ratings == {"OTBR": Rating(1500.0)}  # no game counts in a report


def test_unrated_is_zero() -> None:
    reading = report(
        [player("1", "W2W", D_RATING="0"), player("2", "L1B", D_RATING="")], S_LST_PAIR="2", S_TOT_RNDS="1"
    )
    assert reading.draft is not None
    assert all(not p.ratings for p in reading.draft.sections[0].players)


def test_forfeits_without_opponents_are_kept_and_said() -> None:
    reading = report([player("1", "X0", "W2W"), player("2", "F0", "L1B")], S_LST_PAIR="2")
    assert [f.code for f in reading.findings] == ["unpaired-forfeit"]
    assert reading.draft is not None
    assert [p.notes["byes"] for p in reading.draft.sections[0].players] == [{"1": "forfeit-win"}, {"1": "forfeit-loss"}]


def test_shorter_sections_keep_their_own_rounds() -> None:
    reading = report([player("1", "W2W", "U0", "U0"), player("2", "L1B", "U0", "U0")], S_LST_PAIR="2", S_TOT_RNDS="1")
    assert reading.ok
    assert not reading.findings
    assert reading.draft is not None
    assert reading.draft.sections[0].notes["rounds"] == 1


@pytest.mark.parametrize(
    ("section", "code"),
    [({"S_LST_PAIR": "5"}, "last-number"), ({"S_TOT_RNDS": "9"}, "round-count"), ({"S_TOT_RNDS": "1"}, "round-count")],
)
def test_announced_counts(section: dict[str, str], code: str) -> None:
    reading = report([player("1", "U0", "W2W"), player("2", "U0", "L1B"), player("3", "U0", "B0")], **section)
    assert code in [f.code for f in reading.findings]


def test_double_game_cells_are_two_rounds() -> None:
    """formats.md: $=WW, #=WD, W=WL, %=DD, D=DL, L=LL; mirrors $↔L, #↔D, W↔W, %↔%."""
    rows = [
        player("1", "$2W", "#3B", "W4W"),
        player("2", "L1B", "%4W"),
        player("3", "%4W", "D1W"),
        player("4", "%3B", "%2B", "W1B"),
    ]
    reading = report(rows, S_TRN_TYPE="2", S_TOT_RNDS="3", S_LST_PAIR="4")
    assert reading.draft is not None
    score = {1: 0.0, 2: 0.0, 3: 0.0, 4: 0.0}
    for g in reading.draft.sections[0].games:
        points = {"1-0": (1, 0), "0-1": (0, 1), "1/2-1/2": (0.5, 0.5)}[g.result]
        score[g.white] += points[0]
        score[g.black] += points[1]
    # 1: WW WD WL = 2 + 1.5 + 1; 2: LL DD = 1; 3: DD LD = 1.5; 4: DD DD LW = 3
    assert score == {1: 4.5, 2: 1.0, 3: 1.5, 4: 3.0}
    assert len(reading.draft.sections[0].games) == 10


def test_round_robin_columns_are_opponents() -> None:
    """A quad sent by columns: the diagonal is unplayed."""
    rows = [player("1", "U0", "W2W", "D3B"), player("2", "L1B", "U0", "W3W"), player("3", "D1W", "L2B", "U0")]
    reading = report(rows, S_TRN_TYPE="R", S_TOT_RNDS="3")
    assert reading.ok
    assert sorted((a, b, r) for _, a, b, r in games(reading)) == [(1, 2, "1-0"), (2, 3, "1-0"), (3, 1, "1/2-1/2")]


def test_quads_may_be_sent_chronologically() -> None:
    rows = [player("1", "W2W", "D3B"), player("2", "L1B", "B0"), player("3", "B0", "D1W")]
    assert report(rows, S_TRN_TYPE="R").ok


def test_the_1991_layout() -> None:
    head = {
        "H_EVENT_ID": "1",
        "H_NAME": "Old Open",
        "H_TOT_SECT": "1",
        "H_BEG_DATE": "19950101",
        "H_END_DATE": "19950102",
    }
    section = {
        "S_SEC_NUM": "1",
        "S_SEC_NAME": "OPEN",
        "S_K_FACTOR": "H",
        "S_R_SYSTEM": "R",
        "S_TRN_TYPE": "S",
        "S_TOT_RNDS": "11",
    }
    first = [f"D_RND{n:02}" for n in range(1, 11)]
    rows = [
        {
            "D_SEC_NUM": "1",
            "D_PAIR_NUM": "1",
            "D_REC_SEQ": "1",
            "D_MEM_ID": "10000001",
            **dict.fromkeys(first, "U   0"),
            "D_RND01": "W   2",
        },
        {
            "D_SEC_NUM": "1",
            "D_PAIR_NUM": "2",
            "D_REC_SEQ": "1",
            "D_MEM_ID": "10000002",
            **dict.fromkeys(first, "U   0"),
            "D_RND01": "L   1",
        },
        {
            "D_SEC_NUM": "1",
            "D_PAIR_NUM": "1",
            "D_REC_SEQ": "2",
            "D_MEM_ID": "10000001",
            **dict.fromkeys(first, ""),
            "D_RND01": "D   2",
        },
        {
            "D_SEC_NUM": "1",
            "D_PAIR_NUM": "2",
            "D_REC_SEQ": "2",
            "D_MEM_ID": "10000002",
            **dict.fromkeys(first, ""),
            "D_RND01": "D   1",
        },
    ]
    reading = us_chess_report.read({"h": table([head]), "s": table([section]), "d": table(rows)})
    assert reading.ok, reading.findings
    assert games(reading) == [(1, 1, 2, "1-0"), (11, 1, 2, "1/2-1/2")]
    assert reading.draft is not None
    assert reading.draft.sections[0].weight == "half"
    assert reading.draft.sections[0].colors is False


def test_asymmetric_results_are_not_guessed() -> None:
    reading = report([player("1", "N2W"), player("2", "S1B")], S_LST_PAIR="2", S_TOT_RNDS="1")
    assert {f.code for f in reading.findings} == {"asymmetric-result"}
    assert not reading.ok


def test_files_seen_have_these_record_lengths() -> None:
    """formats.md: 414 with H_OTHER_TD of 254, 131, and 63 + 7 × rounds."""
    section = Section(
        1, "Open", None, None, (Player(1, "1"), Player(2, "2")), (Game(1, 1, 2, "1-0"), Game(2, 2, 1, "1-0"))
    )
    files, _ = us_chess_report_writing.write_files(Event("E", None, None, (section,)))
    lengths = {name: int.from_bytes(data[10:12], "little") for name, data in files.items()}
    assert lengths == {"THEXPORT.DBF": 414, "TSEXPORT.DBF": 131, "TDEXPORT.DBF": 63 + 7 * 2}


def test_folder_zip_and_single_table(tmp_path: Path) -> None:
    section = Section(1, "Open", None, None, (Player(1, "10000001"), Player(2, "10000002")), (Game(1, 1, 2, "1-0"),))
    event = Event("E", date(2025, 8, 2), date(2025, 8, 2), (section,))
    files, _ = us_chess_report_writing.write_files(event)
    for name, data in files.items():
        (tmp_path / name.lower()).write_bytes(data)
    packed = tmp_path / "report.bin"  # the name decides nothing
    packed.write_bytes(formats.write(event, "us-chess-report").data)
    readings = [formats.read_path(path) for path in (tmp_path, tmp_path / "tdexport.dbf", packed)]
    assert all(reading.ok for reading in readings)
    assert readings[0].event == readings[1].event == readings[2].event
    (tmp_path / "tdexport.dbf").unlink()
    assert [f.code for f in formats.read_path(tmp_path).findings] == ["missing-file"]


def test_a_time_control_too_long_is_left_out_not_cut() -> None:
    control = "Round 1: G/45;d5, Round 2: G/45;d5, Round 3: G/60;d5"
    section = Section(1, "Open", None, None, (), (), time_control=control)
    written = us_chess_report_writing.write(Event("E", None, None, (section,)))
    assert "section.time_control" in written.losses
