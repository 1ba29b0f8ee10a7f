"""Rooms that are Django apps: their modules are imported when they are asked for, because they need Django's tables."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType


def lazy_modules(package: str, *names: str) -> Callable[[str], ModuleType]:
    """A package's `__getattr__` that imports these modules of it."""

    def get(name: str) -> ModuleType:
        if name not in names:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return import_module(f"{package}.{name}")

    return get
