"""Several replays of one history at once: profiles, reforms, scenarios. One thread and one serial chain each.

The kernel releases the interpreter and shares nothing but what it reads, so any number of threads gives the same bits.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from crosstable.replay.history import History
from crosstable.replay.rules import RulesByDay, RuleTable
from crosstable.replay.state import States
from crosstable.replay.us_chess import Replayed, program, replay
from crosstable.rulebook import AS_WRITTEN


@dataclass(frozen=True, slots=True)
class Scenario:
    """One way to replay a history: under which rules, and from which ratings."""

    name: str
    profile: str = AS_WRITTEN
    rules: RulesByDay | RuleTable | None = None
    states: States | None = None
    first: int = 0
    checkpoints: tuple[int, ...] = ()
    keep_states: bool = False

    def replay(self, history: History) -> Replayed:
        return replay(
            history,
            self.states,
            profile=self.profile,
            rules=self.rules,
            first=self.first,
            checkpoints=self.checkpoints,
            keep_states=self.keep_states,
        )


def replay_all(history: History, scenarios: Sequence[Scenario], threads: int | None = None) -> dict[str, Replayed]:
    """Every scenario's replay by its name; as many at a time as there are processors, unless told otherwise."""
    program()  # compiled once, before anybody waits for it
    with ThreadPoolExecutor(max_workers=threads or os.cpu_count()) as pool:
        done = pool.map(lambda scenario: scenario.replay(history), scenarios)
        return {scenario.name: replayed for scenario, replayed in zip(scenarios, done, strict=True)}
