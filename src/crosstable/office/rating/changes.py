"""What a run does to people: who changes, by how much, largest first, on which lists, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

import polars as pl

from crosstable.office.ledger import order
from crosstable.office.ledger.merges import with_duplicates
from crosstable.office.rating import rows, timeline
from crosstable.office.rating.run import Outcome
from crosstable.office.storage import bulk

#: More people than this are read all together
FEW = 20_000


@dataclass(frozen=True, slots=True)
class Change:
    """One player's live rating in one system, before and after."""

    player: str
    name: str
    system: str
    before: float | None
    after: float | None
    rows: int  # how many of the player's rows change
    since: str  # the first event in which something changes
    reason: str
    lists: tuple[str, ...] = ()  # published lists that would have shown another rating

    @property
    def difference(self) -> float:
        return (self.after or 0.0) - (self.before or 0.0)

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "difference": self.difference, "lists": list(self.lists)}


def changes(outcome: Outcome) -> list[Change]:
    """Everybody whose rows change, the largest difference of the live rating first."""
    touched = _touched(outcome)
    if not len(touched):
        return []
    before, after = _live(outcome, touched)
    people = _people(touched["player_id"].unique().to_list())
    events = _events(outcome, touched["section_id"].unique().to_list())
    published = _published()
    found = []
    for player, system, section, position, count in touched.iter_rows():
        number, name = people[player]
        first = order.date_of(position)
        change = Change(
            player=number,
            name=name,
            system=system,
            before=before.get((player, system)),
            after=after.get((player, system)),
            rows=count,
            since=events.get(section, "an event that is withdrawn"),
            reason=outcome.reasons.get(section, "its results changed"),
            lists=tuple(title for day, title in published if day > first),
        )
        found.append(change)
    return sorted(found, key=lambda one: (-abs(one.difference), one.player, one.system))


def _touched(outcome: Outcome) -> pl.DataFrame:
    """(player, system, section, position, how many rows) where each player's first row changes."""
    columns = ["player_id", "system", "section_id", "position"]
    both = pl.concat([outcome.added.select(columns), outcome.removed.select(columns)])
    first = both.sort("position", maintain_order=True).unique(["player_id", "system"], keep="first")
    counts = both.unique().group_by("player_id", "system").len()
    return first.join(counts, on=["player_id", "system"])


def _live(outcome: Outcome, touched: pl.DataFrame) -> tuple[dict[Any, float], dict[Any, float]]:
    """The last rating of each touched player, as the ledger has it and as the run leaves it."""
    players = touched["player_id"].unique().to_list()
    columns = ["id", "section_id", "player_id", "system", "position", "post"]
    only = f"WHERE player_id IN ({bulk.numbers(players)})" if len(players) <= FEW else ""
    names = ", ".join(columns)
    stored = bulk.frame(
        f"SELECT {names} FROM {rows.TABLE} {only}",  # noqa: S608
        {"id": pl.Int64, **{name: rows.COLUMNS[name] for name in columns[1:]}},
    ).join(touched.select("player_id", "system").unique(), on=["player_id", "system"], how="semi")
    opened = _opened(players) if len(players) <= FEW else {}
    kept = stored.join(outcome.removed.select("id"), on="id", how="anti").drop("id")
    new = pl.concat([kept, outcome.added.select(kept.columns)])
    return opened | _last(stored), opened | _last(new)


def _opened(players: Sequence[int]) -> dict[Any, float]:
    """The rating with which a record was opened: what somebody has who has no row yet."""
    return {
        (decision.player, decision.system): float(decision.fields["rating"])
        for decision in timeline.decisions(players=with_duplicates(players))
        if "rating" in decision.fields
    }


def _last(table: pl.DataFrame) -> dict[Any, float]:
    last = table.sort("position").unique(["player_id", "system"], keep="last")
    return {(player, system): post for player, system, post in last.select("player_id", "system", "post").iter_rows()}


def _people(players: Sequence[int]) -> dict[int, tuple[str, str]]:
    found = {}
    for start in range(0, len(players), FEW):
        part = bulk.numbers(players[start : start + FEW])
        for player, number, name in bulk.rows(f"SELECT id, number, name FROM ledger_player WHERE id IN ({part})"):  # noqa: S608
            found[player] = (number, name)
    return found


def _events(outcome: Outcome, sections: Sequence[int]) -> dict[int, str]:
    """Section → "Riverside Open (E17), section 1"."""
    wanted = {outcome.sections[section].event for section in sections if section in outcome.sections}
    events: dict[int, str] = {}
    for start in range(0, len(wanted), FEW):
        part = bulk.numbers(sorted(wanted)[start : start + FEW])
        for event, number, name in bulk.rows(f"SELECT id, number, name FROM ledger_event WHERE id IN ({part})"):  # noqa: S608
            events[event] = f"{name} ({number})" if name else number
    return {
        section: f"{events[placed.event]}, section {placed.number}"
        for section, placed in outcome.sections.items()
        if placed.event in events
    }


def _published() -> list[tuple[date, str]]:
    """The lists that the office has published: each froze what had ended before its date."""
    days = [bulk.as_date(day) for (day,) in bulk.rows("SELECT date FROM lists_publishedlist ORDER BY date")]
    return [(day, str(day)) for day in days]
