"""Publishing a list."""

from __future__ import annotations


def register() -> None:
    """Tell the two-officer rule how a list is published."""
