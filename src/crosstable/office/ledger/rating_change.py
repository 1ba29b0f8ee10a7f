"""The change of a rating, wherever something has one before and one after."""

from __future__ import annotations


class WithChange:
    """A record with `before` and `after`; what was unrated, or is, has not changed by any number."""

    __slots__ = ()
    before: float | None
    after: float | None

    @property
    def change(self) -> float | None:
        return None if self.before is None or self.after is None else self.after - self.before
