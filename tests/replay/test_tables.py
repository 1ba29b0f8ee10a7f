"""Published tables as a history: re-entries merged, sections in their own order, what has no rule left out and
counted.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from crosstable.replay.history import HistoryError
from crosstable.replay.tables import from_tables, read_tables
from crosstable.replay.us_chess import replay
from crosstable.rulebook import AS_PRACTISED


def tables() -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Two sections; in the first, player 70 enters twice (numbers 1 and 3) and once is paired with himself."""
    sections = pl.DataFrame(
        {
            "section": [11, 12, 13],
            "start": [date(2007, 3, 2), date(2007, 3, 3), date(2007, 3, 3)],
            "end": [date(2007, 3, 3), date(2007, 3, 3), date(2007, 3, 3)],
            "event_end": [date(2007, 3, 4)] * 3,
            "system": ["D", "Q", "R"],
            "type": ["S", "M", "S"],
            "k": ["F", "F", "Q"],
        }
    )
    entries = pl.DataFrame(
        {
            "section": [11, 11, 11, 11, 12, 12, 13, 13],
            "number": [1, 2, 3, 4, 1, 2, 1, 2],
            "player": [70, 50, 70, 90, 50, 70, 50, 70],
        }
    )
    games = pl.DataFrame(
        {
            "section": [11, 11, 11, 12, 13],
            "round": [1, 2, 3, 1, 1],
            "number": [1, 2, 1, 1, 1],
            "opponent": [2, 3, 3, 2, 2],
            "half_points": [2, 1, 2, 0, 2],
        },
        schema_overrides={"half_points": pl.Int8},
    )
    return sections, entries, games


def test_reentries_are_one_entry_and_idle_entries_none() -> None:
    found = from_tables(*tables())
    history = found.history
    assert found.section_numbers.tolist() == [11, 12]
    assert found.left_out == {"no formula for quarter-K events is known": 1}
    assert list(history.ids) == [50, 70]
    assert history.entry_start.tolist() == [0, 2, 4]
    assert history.entry_player.tolist() == [1, 0, 0, 1]  # 70 under number 1, then 50; in the match 50, then 70
    assert history.game_start.tolist() == [0, 2, 4, 5, 6]
    assert history.opponent.tolist() == [1, 1, 0, 0, 1, 0]
    assert history.half_points.tolist() == [2, 1, 0, 1, 0, 2]  # 70 beat 50 and drew with him; in the match 70 won
    assert history.sections["second"].tolist() == [1, -1]
    assert history.sections["start_day"].tolist() == [date(2007, 3, 2).toordinal(), date(2007, 3, 3).toordinal()]


def test_a_missing_or_broken_table_is_named(tmp_path: Path) -> None:
    (tmp_path / "sections.parquet").write_bytes(b"PAR1 not really")
    with pytest.raises(HistoryError, match=r"sections\.parquet"):
        read_tables(tmp_path)


@pytest.mark.shared
def test_the_published_record_replays_whole(shared: Path) -> None:
    found = read_tables(shared / "data")
    history = found.history
    assert len(history.sections) + sum(found.left_out.values()) == 90_614
    assert 2_700_000 < history.games < 2_824_933
    done = replay(history, profile=AS_PRACTISED)
    assert not np.isnan(done.rows["post"]).any()
    assert done.rows["post"].min() >= 100.0
