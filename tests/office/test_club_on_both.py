"""A club night on both databases, and phones that write at the same moment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest
from django.db import connections

from crosstable.club import attendance, boards, children, clubs, evening, ladder, results, seasons
from crosstable.club.models import Act
from crosstable.office.audit.verify import verify
from crosstable.office.ledger.models import Revision

pytestmark = pytest.mark.both_databases

CLUB = clubs.volunteer("Anna")
NAMES = ["Ade", "Ben", "Cem", "Dora", "Eva", "Finn", "Gia", "Hal"]


def test_eight_phones_enter_four_boards_at_once(office: str) -> None:
    clubs.create("Riverside", pin="1234", day=date(2026, 1, 1))
    people = [children.join(CLUB, name) for name in NAMES]
    night = evening.tonight()
    attendance.here(CLUB, night, people)
    made = boards.pair_free(CLUB, night)

    def tap(phone: int) -> str:
        try:
            board = made[phone % 4]
            return results.enter(clubs.volunteer(f"phone{phone}"), board.id, "1-0", seen="", key=f"key-{phone}").outcome
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as phones:
        outcomes = list(phones.map(tap, range(8)))
        again = list(phones.map(tap, range(8)))
    assert sorted(outcomes) == ["same"] * 4 + ["taken"] * 4
    assert again == ["again"] * 8
    assert Revision.objects.count() == 4
    assert sorted(rung.rating for rung in ladder.ladder()) == [379] * 4 + [421] * 4
    results.undo(CLUB, night)
    assert sorted(rung.rating for rung in ladder.ladder()) == [379] * 3 + [400] * 2 + [421] * 3
    assert Act.objects.filter(kind=Act.RESULT).count() == 8
    assert verify().ok
    assert seasons.all_seasons()[0].name == "2025/26"
