"""What an office chooses about its lists; the choices are frozen with each list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import date, timedelta
from typing import Any

from crosstable.errors import CrosstableError
from crosstable.systems.us_chess.coefficients import provisional_games

#: No group with fewer members is published: a small group tells more about its members than a list should
SMALLEST_GROUP = 20


class ListError(CrosstableError):
    """A list that cannot be published, found or written as asked."""


@dataclass(frozen=True, slots=True)
class Options:
    """`smallest_group` can only be raised. `prison_off_top_lists`: the motion of 1996."""

    top: int = 100
    active_days: int = 365
    established_games: int = field(default_factory=lambda: provisional_games() + 1)
    improved_days: int = 365
    smallest_group: int = SMALLEST_GROUP
    prison_off_top_lists: bool = False

    def __post_init__(self) -> None:
        if self.smallest_group < SMALLEST_GROUP:
            raise ListError(f"groups of fewer than {SMALLEST_GROUP} are never published; {self.smallest_group} is less")
        if self.top < 1 or self.active_days < 1 or self.improved_days < 1:
            raise ListError("the length of top lists and the spans of days must be 1 or more")

    def active_since(self, day: date) -> date:
        return day - timedelta(days=self.active_days)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def from_mapping(values: Mapping[str, Any]) -> Options:
    unknown = set(values) - {one.name for one in fields(Options)}
    if unknown:
        raise ListError(f"no such option of a list: {', '.join(sorted(unknown))}")
    return Options(**values)
