"""The cache of compiled formulas: it belongs to its sources, and a machine where nothing can be written does
without.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from crosstable.replay import compiled
from crosstable.systems import formula

SOURCE = """
from crosstable.systems.formula import formula

@formula
def doubled(number):
    return 2.0 * number
"""


def test_the_cache_folder_changes_with_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    source = tmp_path / "formulas.py"
    source.write_text(SOURCE)
    first = compiled._cache_folder([source], "1")
    assert first is not None
    assert first.is_dir()
    source.write_text(SOURCE.replace("2.0", "3.0"))
    assert compiled._cache_folder([source], "1") != first


def test_without_a_folder_to_write_in_we_compile_without_a_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a file").write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "a file" / "below"))
    (tmp_path / "made_up_formulas.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    assert compiled._cache_folder([], "1") is None
    (module,) = compiled.load(["made_up_formulas"])
    assert module.doubled(21.0) == 42.0
    assert formula._mark is None  # the mark is off again: whoever imports formulas now gets plain functions


def test_a_module_that_is_not_there_is_named() -> None:
    with pytest.raises(ImportError, match=r"crosstable\.nowhere"):
        compiled.load(["crosstable.nowhere"])


def test_threads_that_ask_at_once_get_the_same_modules() -> None:
    """Each load makes new modules under the same name, so a second one would take them from under the first."""
    with ThreadPoolExecutor(4) as pool:
        first, *others = pool.map(lambda _: compiled.load(("crosstable.systems.elo.formulas",)), range(8))
    assert all(one[0] is first[0] for one in others)
