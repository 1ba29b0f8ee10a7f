"""A player who entered again is one player, wherever players are counted: 7 entries, 6 players."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
from simulated import OFFICER, data, document

from crosstable.cli import main
from crosstable.office.people.rights import Actor, Role
from crosstable.office.queries import event as pages
from crosstable.office.queries.officer_queue import queue
from crosstable.office.queries.review import review
from crosstable.office.reports import accepting, draft_page, drafts, review_queue, submissions

DORA = Actor("dora", Role.DIRECTOR)
#: Number 7 is number 1, who lost in the first round and came again
IDS = [*(f"3000000{number}" for number in range(1, 7)), "30000001"]
GAMES = [(1, 1, 2, "0-1"), (1, 3, 4, "1-0"), (1, 5, 6, "1-0"), (2, 7, 3, "1-0"), (2, 2, 5, "1-0"), (2, 4, 6, "0-1")]


def test_one_number_from_the_draft_to_the_rated_page(
    ready: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = data(document("Re-entry Open", date(2025, 8, 2), IDS, GAMES))
    (part,) = draft_page.look(drafts.load(DORA, drafts.start(DORA, content, "again.json").id)).parts
    assert (part.players, len(part.rows)) == (6, 7)
    submissions.submit(DORA, content, "again.json", "R")
    (waiting,) = review_queue.review(OFFICER)
    assert (waiting.players, [one.players for one in waiting.sections]) == (6, [6])
    assert review(OFFICER, "R").players == 6
    assert "6 players" in queue(OFFICER).lines[0].facts
    (tmp_path / "again.json").write_bytes(content)
    main(["check", str(tmp_path / "again.json")])
    assert re.search(r"1 section, 6 players, 6 games", capsys.readouterr().out)
    accepting.accept(OFFICER, "R")
    page = pages.event("R")
    assert (page.players, [one.players for one in page.sections]) == (6, [6])
