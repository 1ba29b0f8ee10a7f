"""An officer publishes a report; everybody reads it; nothing in it can run."""

from __future__ import annotations

import json
from collections.abc import Callable

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

HOSTILE = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
TABLE = {"columns": ["system"], "numeric": [False], "rows": [["<script>alert(2)</script>"]], "left_out": 3}
CONTENT = {
    "format": "crosstable-lab-report/1",
    "title": "Which predicts best?",
    "lead": "Glicko does.",
    "facts": {"Seed": "1"},
    "parts": [{"title": "Scores", "words": "Smaller is better.", "charts": [HOSTILE], "table": TABLE}],
}


def published(officer: Client) -> None:
    file = SimpleUploadedFile("report.json", json.dumps(CONTENT).encode(), "application/json")
    answer = officer.post("/desk/reports/", {"report": file}, follow=True)
    assert "anyone can read it at /reports/1/" in answer.content.decode()


def test_a_report_is_published_read_and_withdrawn(desk: Callable[[str], Client]) -> None:
    officer, visitor = desk("officer"), Client(headers={"host": "localhost"})
    published(officer)
    assert "Which predicts best?" in visitor.get("/reports/").content.decode()
    page = visitor.get("/reports/1/").content.decode()
    assert "Glicko does." in page
    assert "3 more rows" in page
    assert "<script>alert" not in page
    officer.post("/desk/reports/1/withdraw/", {"reason": "a wrong window"})
    assert visitor.get("/reports/1/").status_code == 404


def test_a_chart_is_a_picture_in_which_nothing_runs(desk: Callable[[str], Client]) -> None:
    published(desk("officer"))
    answer = Client(headers={"host": "localhost"}).get("/reports/1/chart/0/")
    assert answer["Content-Type"] == "image/svg+xml"
    policy = answer["Content-Security-Policy"]
    assert "script-src 'none'" in policy
    assert "sandbox" in policy
    assert answer["X-Content-Type-Options"] == "nosniff"


def test_a_page_is_not_taken_for_a_report(desk: Callable[[str], Client]) -> None:
    file = SimpleUploadedFile("report.html", b"<html><script>alert(1)</script>", "text/html")
    answer = desk("officer").post("/desk/reports/", {"report": file})
    assert answer.status_code == 200
    assert "not a report of the lab" in answer.content.decode()
