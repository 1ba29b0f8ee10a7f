"""The officer's review page: each crosstable with the ratings that accepting would give, findings beside their rows."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from crosstable.office.ledger.models import Section
from crosstable.office.people.users import acting_as
from crosstable.office.queries import review_ratings
from crosstable.office.queries.crosstable import crosstable
from crosstable.office.reports import accepting, submissions
from tests.web.desks import stage
from tests.web.desks.stage import ADA, BEN, CAY, TWIN

Desk = Callable[[str], Client]
GAMES = [(1, 1, 2, "1-0"), (1, 3, 4, "1-0"), (2, 1, 3, "1-0"), (2, 2, 4, "1/2-1/2")]


def sent(games: list[tuple[int, int, int, str]] = GAMES) -> str:
    facts = {ADA: stage.rated(1500), BEN: stage.rated(1410), CAY: stage.rated(1300), TWIN: stage.rated(1200)}
    data = stage.report("Row Open", stage.MATCH, [ADA, BEN, CAY, TWIN], games, "swiss", facts)
    return submissions.submit(acting_as("dora"), data, "rows.json", "ROWS1").event


def rows_of(text: str) -> dict[int, str]:
    """Return pairing number → the text of its row on the page."""
    found = re.findall(r'<tr role="row" id="s1p(\d+)">(.*?)</tr>', text, re.DOTALL)
    return {int(number): " ".join(re.sub(r"<[^>]+>", " ", row).split()) for number, row in found}


def test_a_row_has_the_ratings_that_accepting_then_gives(desk: Desk) -> None:
    number = sent()
    rows = rows_of(desk("officer").get(f"/desk/review/{number}/").content.decode())
    accepting.accept(acting_as("olive"), number)
    given = {one.number: one.numbers[0] for one in crosstable(number, 1).rows}
    assert len(rows) == len(given) == 4
    assert given[1].after is not None
    for place, one in given.items():
        assert re.search(rf"{one.before or 'new':.0f}.*→.*{one.after:.0f}", rows[place]), rows[place]


def test_nothing_is_written_by_looking(desk: Desk) -> None:
    number = sent()
    desk("officer").get(f"/desk/review/{number}/")
    assert not Section.objects.filter(event__number=number).exists()


def test_a_large_report_is_shown_without_ratings(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    number, olive = sent(), desk("officer")
    monkeypatch.setattr(review_ratings, "MOST_GAMES", 3)
    text = olive.get(f"/desk/review/{number}/").content.decode()
    assert len(rows_of(text)) == 4
    assert "→" not in "".join(rows_of(text).values())
    assert "with so many games the page would be slow" in text
    assert "?look=1#moves" in text


def test_a_finding_stands_below_its_row_with_a_question_to_the_director(desk: Desk) -> None:
    number = sent([*GAMES, (2, 1, 99, "1-0")])
    text = desk("officer").get(f"/desk/review/{number}/").content.decode()
    below = text.split('id="s1p1"')[1].split('id="s1p2"')[0]
    assert 'class="msg"' in below
    assert "Needs fixing." in below
    assert 'name="row" value="1-1"' in below
    assert '<details class="work"><summary>The whole crosstable' not in text  # it is open
