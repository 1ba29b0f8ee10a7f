"""A player's titles and norms for people: what is held, since when and until when, and what the next title still
takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from crosstable.errors import OfficeError
from crosstable.office import titles
from crosstable.office.ledger.players import find, main_record
from crosstable.titles.records import Need, Norm, TitleStanding


@dataclass(frozen=True, slots=True)
class PlayerTitles:
    """The titles earned, highest last, and the standing towards those that are not."""

    id: str
    name: str
    earned: tuple[TitleStanding, ...]
    open: tuple[TitleStanding, ...]  # titles with norms, lowest first, and the next one in any case

    @property
    def title(self) -> str:
        """The highest title earned, or nothing."""
        return self.earned[-1].title if self.earned else ""

    def lines(self) -> Iterator[str]:
        """One sentence for each title, and one for each norm held."""
        for title in self.earned:
            yield f"{title.title} since {title.earned}"
        for title in self.open:
            yield f"{title.title}: {norm_count(title.norms)}; {missing(title.need)}"
            for norm in title.held:
                yield f"  {norm_words(norm)}"

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "name": self.name,
            "title": self.title or None,
            "earned": [{"level": one.level, "title": one.title, "date": str(one.earned)} for one in self.earned],
            "open": [_as_json(one) for one in self.open],
        }


def standing_of(player: str, on: date) -> PlayerTitles:
    """Return the titles that a player holds on a day, and what is missing."""
    row = main_record(find(player))
    found = titles.standing_of(row.id, on)
    if found is None:
        raise OfficeError("this office keeps no titles: `office init --titles 2010` chooses them")
    in_order = sorted(found.titles.values(), key=lambda title: title.level)
    earned = tuple(title for title in in_order if title.earned)
    waiting = [title for title in in_order if not title.earned]
    return PlayerTitles(row.number, row.name, earned, tuple(t for t in waiting if t.held or t is waiting[0]))


def missing(need: Need | None) -> str:
    """Return what the next event must bring."""
    if need is None:
        return "nothing is missing"
    parts = [norm_count(need.norms)] if need.norms else []
    parts += [f"of these {need.supernorms} from supernorm events"] if need.supernorms else []
    parts += [f"a rating of {need.rating:g}"] if need.rating is not None else []
    return f"missing: {', '.join(parts)}" if parts else "nothing is missing"


def norm_count(count: int) -> str:
    return f"{count} norm" if count == 1 else f"{count} norms"


def norm_words(norm: Norm) -> str:
    words = f"{norm_count(norm.count)} from {norm.event}, {norm.date}"
    words += ", a supernorm event" if norm.supernorm else ""
    return f"{words}, until {norm.expires}" if norm.expires else words


def _as_json(title: TitleStanding) -> dict[str, Any]:
    def norms(held: tuple[Norm, ...]) -> list[dict[str, Any]]:
        return [{**asdict(one), "date": str(one.date), "expires": one.expires and str(one.expires)} for one in held]

    return {
        "level": title.level,
        "title": title.title,
        "norms": title.norms,
        "held": norms(title.held),
        "expired": norms(title.expired),
        "need": None if title.need is None else asdict(title.need),
    }
