"""Spoilt files of every format: a document or findings, never a traceback. `make fuzz` runs 200,000 of each."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crosstable import formats
from crosstable.formats import registry
from tests.fuzz.mutations import try_event, try_list
from tests.fuzz.seeds import EVENT_SEEDS, LIST_SEEDS

EXAMPLES = int(os.environ.get("CROSSTABLE_FUZZ", "150"))
MANY = settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
SEEDS = st.integers(0, 2**48)


def test_every_format_has_a_seed_that_is_read_as_it() -> None:
    seeds = {name: EVENT_SEEDS[name] for name in registry.by_name()}
    found = {name: {formats.read(seed).format for seed in some} for name, some in seeds.items()}
    assert found == {name: {name} for name in seeds}


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
