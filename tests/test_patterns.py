"""No text makes a regular expression of the package take longer than its length: the office reads what strangers
write.
"""

from __future__ import annotations

import re
import time

import pytest

from crosstable import formats
from crosstable.formats import table_cells
from crosstable.formats.game_lines import Named, Names, game_of, seems_a_game
from crosstable.office.ledger import free_text
from tests import pattern_attacks as patterns

#: Functions that build a pattern from parts, each with where it is tried
BUILT = {
    "formats/game_heads.py:_beside_side": "called as the module is loaded: they are in its table",
    "federations/__init__.py:matches": "an ID's pattern, from a profile that an administrator chose",
    "federations/__init__.py:_wrong_words": "the same, tried when the profile is read",
}


def test_every_pattern_takes_as_long_as_its_text() -> None:
    found = patterns.everything()
    assert len(found) > 250  # or the search for them is broken
    slow = [words for one in found if (words := patterns.slow(one))]
    assert not slow, "\n".join(slow)


@pytest.mark.parametrize("bad", [r"(a+)+b", r"\s+$", r"\s*[/.:]?\s*(\d)", r"(.+?)[\s:-]+bye", r"(?:\w|\d)+!"])
def test_a_bad_pattern_is_found(bad: str) -> None:
    assert patterns.slow(patterns.Used("here", re.compile(bad), "search"))


def test_patterns_that_are_built_at_run_time_are_known() -> None:
    """Their parts come from elsewhere, so nothing here can try them."""
    assert set(patterns.built()) == set(BUILT)


def seconds(act: object, *given: object) -> float:
    start = time.process_time()
    act(*given)  # type: ignore[operator]  # any function
    return time.process_time() - start


def test_the_texts_that_stopped_a_server() -> None:
    """They took 7 s, 10 to 19 s and 2.8 s."""
    assert seconds(free_text.holds_birth_date, "jan" * 15_000) < 0.5
    dashes = "a" + "-" * 1000 + "!"
    for act in (game_of, seems_a_game, table_cells.bye_of):
        assert seconds(act, dashes) < 0.5
    for text in (f"{dashes}\n", f"White,Black,{dashes}\nAnn,Bo,1-0\n", f"{dashes[:300]},{dashes[:300]}\n" * 2):
        assert seconds(formats.read, text.encode(), "pasted.txt") < 1


def test_names_are_found_however_many_there_are() -> None:
    """Each line was compared with every name: 2,000 of them with 2,000 lines took a minute."""
    names = Names(Named(f"Ann{'x' * (one % 50)} Ames{one}", "", "") for one in range(2000))
    line = "Annxxx Ames3 and Ames4, Annxxxx and ann ames0, Annxxx Ames33"
    assert [one.name for one in names.found_in(line)] == ["Annxxx Ames3", "Annxxxx Ames4", "Ann Ames0"]
    assert seconds(lambda: [names.found_in(line) for _ in range(2000)]) < 2
