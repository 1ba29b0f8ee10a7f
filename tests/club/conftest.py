"""A club in a file of its own for each test."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from django.db import connections

from crosstable import office
from crosstable.club import attendance, boards, children, clubs, evening, results
from crosstable.club.models import Board, Night
from crosstable.office.ledger.models import Player

MONDAY = date(2026, 9, 7)


@pytest.fixture
def database(migrated: Path, tmp_path: Path) -> Iterator[str]:
    path = tmp_path / "club.db"
    shutil.copyfile(migrated, path)
    url = f"sqlite:///{path}"
    office.setup(url)
    yield url
    connections.close_all()


class Helper:
    """A club night by names."""

    def __init__(self) -> None:
        self.actor = clubs.volunteer("Anna")

    def join(self, *names: str) -> list[Player]:
        return [children.join(self.actor, name) for name in names]

    def night(self, day: date, *names: str) -> Night:
        night = evening.tonight(day)
        attendance.here(self.actor, night, [children.find(name) for name in names])
        return night

    def board(self, night: Night, one: str, other: str) -> Board:
        """A board for these two, as the teacher wishes."""
        children.put_together(children.find(one), children.find(other), night.id)
        out = [id for id in evening.load(night).free if id not in {children.find(name).id for name in (one, other)}]
        for id in out:
            attendance.set_state(self.actor, night, Player.objects.get(id=id), "out")
        made = boards.pair_free(self.actor, night)
        for id in out:
            attendance.set_state(self.actor, night, Player.objects.get(id=id), "here")
        return made[0]

    def play(self, night: Night, winner: str, loser: str, *, drawn: bool = False) -> Board:
        board = self.board(night, winner, loser)
        won = "1-0" if board.white.name == winner else "0-1"
        assert results.enter(self.actor, board.id, "1/2-1/2" if drawn else won).outcome == results.TAKEN
        return board

    def ratings(self) -> dict[str, float]:
        members = children.members()
        found = evening.ratings([player.id for player in members])
        return {player.name: found[player.id].rating for player in members}


@pytest.fixture
def club(database: str) -> Helper:
    clubs.create("St. Charles", pin="1234", day=MONDAY)
    return Helper()
