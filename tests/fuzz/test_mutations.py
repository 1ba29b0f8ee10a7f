"""Spoilt files of every format: a document or findings, never a traceback. `make fuzz` runs 200,000 of each."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.mutations import try_event, try_list
from tests.fuzz.seeds import EVENT_SEEDS, LIST_SEEDS

EXAMPLES = int(os.environ.get("CROSSTABLE_FUZZ", "150"))
MANY = settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
SEEDS = st.integers(0, 2**48)


@pytest.mark.parametrize("name", EVENT_SEEDS)
@MANY
@given(seed=SEEDS)
def test_events(name: str, seed: int) -> None:
    try_event(name, seed)


@pytest.mark.parametrize("name", LIST_SEEDS)
@MANY
@given(seed=SEEDS)
def test_lists(name: str, seed: int) -> None:
    try_list(name, seed)
