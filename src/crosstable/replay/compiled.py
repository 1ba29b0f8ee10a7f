"""Loads formula modules a second time, compiled by Numba. There is no second copy of a formula (see systems.formula).

Numba's cache does not notice a change in an imported file, so the cache folder is named after a hash of all sources;
where no folder can be written, we compile without a cache. Numba itself is imported by the first to compile: pages that
rate nothing start half a second sooner without it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from crosstable.systems import formula as marker

#: Functions up to so many bytes of bytecode are compiled into their callers: about a third faster
INLINE = 600

_loading = threading.RLock()
_loaded: dict[tuple[tuple[str, ...], bool], list[ModuleType]] = {}


def load(names: Sequence[str], *, allocates: bool = True) -> list[ModuleType]:
    """Load the named modules, compiled; a later one may import an earlier one and gets its compiled functions.

    `allocates=False` promises that no function makes an array, so that none needs its references counted. Threads that
    ask at the same time get the same modules: a second load would take a module away while Numba reads its cache.
    """
    asked = (tuple(names), allocates)
    with _loading:
        if asked not in _loaded:
            _loaded[asked] = _load(names, allocates)
        return _loaded[asked]


def _load(names: Sequence[str], allocates: bool) -> list[ModuleType]:
    paths = [_source(name) for name in names]
    mark = jit(paths, allocates=allocates)
    originals = {name: sys.modules.get(name) for name in names}
    modules: list[ModuleType] = []
    try:
        marker._mark = mark
        for name, path in zip(names, paths, strict=True):
            spec = importlib.util.spec_from_file_location(
                "crosstable._compiled." + name.removeprefix("crosstable."), path
            )
            if spec is None or spec.loader is None:
                raise ImportError(f"cannot load {path}")
            module = importlib.util.module_from_spec(spec)
            sys.modules[spec.name] = module  # Numba's cache finds a function's module by this name
            sys.modules[name] = module  # for the modules that import this one
            spec.loader.exec_module(module)
            modules.append(module)
    finally:
        marker._mark = None
        for name, original in originals.items():
            if original is None:
                del sys.modules[name]
            else:
                sys.modules[name] = original
    return modules


def jit(sources: Sequence[Path], *, allocates: bool = True) -> Callable[[Any], Any]:
    """Numba's decorator with a cache that belongs to these sources, or without one where nothing can be written."""
    import numba

    folder = _cache_folder(sources, numba.__version__)
    if folder is not None:
        numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]  # numba tells no types of its settings

    def mark(function: Any) -> Any:
        options: dict[str, Any] = {"forceinline": len(function.__code__.co_code) <= INLINE}
        options["no_cfunc_wrapper"] = True  # nothing calls from C; without it we compile a tenth sooner
        if not allocates:
            options["_nrt"] = False
        return numba.njit(cache=folder is not None, nogil=True, error_model="numpy", **options)(function)

    return mark


def _source(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise ImportError(f"no module {name}")
    return Path(spec.origin)


def _cache_folder(sources: Sequence[Path], version: str) -> Path | None:
    digest = hashlib.sha256()
    for path in (Path(__file__), *sources):
        digest.update(path.read_bytes())
    digest.update(version.encode())
    base = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(base) / "crosstable" / "numba" / digest.hexdigest()[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None
