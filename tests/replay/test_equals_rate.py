"""The kernel equals `rate`: on all vectors, on random events in both profiles, and with the JIT disabled.

RANDOM_EVENTS says how many (`make sim` sets 20000); a run without it takes 2,400.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from crosstable.formats import event_json
from crosstable.model import Rating
from crosstable.replay import kernel, us_chess
from crosstable.rulebook import AS_PRACTISED, AS_WRITTEN, PROFILES
from tests.replay.comparison import compare, random_events
from tests.replay.small import small_history
from tests.systems.us_chess.builders import event, games, player, section

CHUNK = int(os.environ.get("RANDOM_EVENTS", "2400")) // 8


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("profile", PROFILES)
def test_on_random_events(profile: str, part: int) -> None:
    assert compare(list(random_events(part, CHUNK, profile)), profile) > CHUNK


@pytest.mark.shared
def test_on_all_vectors(shared: Path) -> None:
    vectors = json.loads((shared / "vectors" / "uschess-events.json").read_text())
    events = [event_json.read(json.dumps(vector["event"]).encode()).event for vector in vectors]
    assert compare([one for one in events if one], AS_WRITTEN) == 3904


def test_on_a_dual_rated_match_that_counts_in_one_pool() -> None:
    """Readings 39: K above 2200 follows the time control, also where one player is not established in Quick."""
    field = [player(number, ratings={"OTBR": Rating(2300.0, 100), "OTBQ": Rating(2300.0, 10)}) for number in (1, 2)]
    part = section(field, games((1, 2, "1-0"), (1, 2, "1/2-1/2")), kind="match", time_control="G/45;d5")
    assert compare([event(part)], AS_WRITTEN) == 2


@pytest.mark.parametrize("profile", PROFILES)
def test_with_the_plain_kernel(profile: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same source, not compiled, where coverage sees it."""
    monkeypatch.setattr(us_chess, "program", lambda: kernel)
    assert compare(list(random_events(99, 250, profile)), profile) > 250


def test_compiled_or_not_it_is_the_same_to_the_last_bit() -> None:
    """An office rates a few games with the kernel as it is written, and many with the compiled one: one ledger."""
    history = small_history(sections=120)
    compiled, plain = us_chess.replay(history, keep_states=True), us_chess.replay_few(history)
    assert compiled.row_states is not None
    assert plain.row_states is not None
    for one, other in (
        (compiled.rows, plain.rows),
        (compiled.row_states, plain.row_states),
        (compiled.states.ratings, plain.states.ratings),
        (compiled.states.matches, plain.states.matches),
    ):
        assert {name: one[name].tobytes() for name in one.dtype.names} == {
            name: other[name].tobytes() for name in other.dtype.names
        }


def test_with_the_jit_disabled() -> None:
    """In a process of its own, as a person would switch it off."""
    program = (
        "from tests.replay.comparison import compare, random_events\n"
        f"print(compare(list(random_events(5, 100, {AS_PRACTISED!r})), {AS_PRACTISED!r}) > 100)"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, env=environment, cwd=root, capture_output=True, text=True
    )
    assert done.stdout.strip() == "True", done.stderr
