"""Reports of the lab in the office: what is taken, what is left out, and who may."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from simulated import ADMIN, OFFICER

from crosstable.cli import main
from crosstable.lab.report.page import FORMAT, LabReport, ReportSection, write
from crosstable.office.lab_reports import publishing as reports
from crosstable.office.ledger import office_settings
from crosstable.office.people.rights import NotAllowedError

SVG = '<svg xmlns="http://www.w3.org/2000/svg"><text>deviance</text></svg>'


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A report as the lab writes it: scores for everybody, and who would gain most for the committee."""
    scores = pl.DataFrame({"system": ["elo", "glicko"], "deviance": [0.26, 0.25]})
    movers = pl.DataFrame({"player": ["30000001"], "change": [31.0]})
    parts = (
        ReportSection("Scores", "Smaller is better.", (SVG,), scores),
        ReportSection("Who moves most", "", (), movers),
    )
    report = LabReport(
        "No bonus", "Nothing much changes.", parts, {"Command": "crosstable lab reform /home/x", "Seed": "1"}
    )
    write(report, tmp_path / "report.html")
    return tmp_path / "report.json"


def test_the_office_takes_what_the_lab_writes(office: str, written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    office_settings.create()
    assert main(["office", "--db", office, "reports", "--publish", str(written)]) == 0
    assert capsys.readouterr().out == "published as report 1: No bonus\n"
    shown = reports.show(1)
    assert (shown.row.title, shown.lead, dict(shown.facts)) == ("No bonus", "Nothing much changes.", {"Seed": "1"})
    first, second = shown.parts
    assert first.table is not None
    assert first.table.head == (("system", False), ("deviance", True))
    assert first.table.rows[1] == (("glicko", False), ("0.25", True))
    assert reports.chart(1, first.charts[0]) == SVG
    assert second.table is None  # it names a player
    assert "30000001" not in json.dumps([part.words for part in shown.parts])


def test_one_that_was_withdrawn_is_shown_to_nobody_and_may_come_back(office: str, written: Path) -> None:
    office_settings.create()
    data = written.read_bytes()
    number = reports.publish(OFFICER, data).id
    with pytest.raises(reports.ReportRefused, match="published already"):
        reports.publish(OFFICER, data)
    reports.withdraw(OFFICER, number, "a wrong window")
    assert reports.published() == []
    with pytest.raises(reports.ReportRefused, match="there is no report"):
        reports.show(number)
    assert reports.publish(OFFICER, data).id == number


def test_administrators_do_not_publish(office: str, written: Path) -> None:
    with pytest.raises(NotAllowedError):
        reports.publish(ADMIN, written.read_bytes())


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<html>",
        b"[]",
        b"{}",
        b'{"format": "other"}',
        b"\xff\xfe",
        b"[" * 100_000,
        b" " * (reports.LARGEST + 1),
        json.dumps({"format": FORMAT, "title": "x"}).encode(),
    ],
)
def test_what_is_no_report_is_refused_in_words(office: str, data: bytes) -> None:
    with pytest.raises(reports.ReportRefused, match="report"):
        reports.publish(OFFICER, data)


def test_a_table_whose_rows_have_other_lengths_is_refused(office: str, written: Path) -> None:
    content: dict[str, Any] = json.loads(written.read_text())
    content["parts"][0]["table"]["rows"][0].append("more")
    with pytest.raises(reports.ReportRefused, match="not a report"):
        reports.publish(OFFICER, json.dumps(content).encode())
