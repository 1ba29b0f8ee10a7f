"""A rating run: everything from a position on is computed anew, compared with the ledger, and only differences are
written.

The states before the position come from the ledger's own rows, so a run from the middle gives bit for bit what a run
from the beginning gives. It happens inside the caller's transaction: all of it becomes visible at once, or none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import polars as pl

from crosstable.model import Finding
from crosstable.office.ledger.models import Office
from crosstable.office.ledger.office_settings import all_systems, office
from crosstable.office.rating import one_by_one, rows, signature, timeline, us_chess
from crosstable.office.rating.before import Before
from crosstable.office.rating.section_results import Computed
from crosstable.office.rating.signature import Signature
from crosstable.office.rating.timeline import Placed
from crosstable.office.storage import bulk

BEGINNING = 0

Progress = Callable[[int, int], None]

#: Runs through a compiled replay, by the `kernel` of a system; the other systems rate section after section
KERNELS = {"us_chess": us_chess.rate}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run found: the rows that must come and go, and why each section was rated again."""

    position: int
    sections: dict[int, Placed]
    added: pl.DataFrame  # new rows, and rows with new numbers
    removed: pl.DataFrame  # with their ids: rows that are gone, and rows with old numbers
    signatures: dict[int, str]  # section → its new signature, where it differs
    reasons: dict[int, str]  # section → why it had to be rated again
    refused: dict[int, tuple[Finding, ...]]  # section → why it could no longer be rated

    @property
    def nothing(self) -> bool:
        return not len(self.added) and not len(self.removed)


@dataclass(frozen=True, slots=True)
class RatedSections:
    """Sections as a run rates them, held against the signatures that they had."""

    sections: dict[int, Placed]
    rows: Callable[[set[int] | None], pl.DataFrame]  # of the sections asked for (nothing: of all)
    signatures: dict[int, str]  # section → its new signature, where it differs
    reasons: dict[int, str]
    refused: dict[int, tuple[Finding, ...]]


def compute(position: int, progress: Progress | None = None, *, gone: Iterable[int] | None = None) -> Outcome:
    """Rate everything from a position on, and compare. Nothing is written.

    With `gone`, the sections that lost their place, only the rows of sections with another signature are compared;
    without it every row is read and held against the new one.
    """
    found = rated(timeline.sections_from(position), Before(position), progress)
    if gone is None:
        wanted, stored = None, rows.stored_from(position)
    else:
        wanted = set(found.signatures)
        stored = rows.stored_in({*wanted, *gone})
    added, removed = differences(found.rows(wanted), stored)
    return Outcome(
        position=position,
        sections=found.sections,
        added=added,
        removed=removed,
        signatures=found.signatures,
        reasons=found.reasons,
        refused=found.refused,
    )


def rated(
    sections: Sequence[Placed], start: Before, progress: Progress | None = None, chosen: Office | None = None
) -> RatedSections:
    """Return these sections in their order, in every system of the office."""
    chosen = chosen or office()
    by_id = {section.id: section for section in sections}
    found: list[Computed] = []
    signatures: dict[int, dict[str, Signature]] = {section: {} for section in by_id}
    for system in all_systems(chosen):
        if system.kernel in KERNELS:
            done = KERNELS[system.kernel](sections, start, chosen.profile, progress)
        else:
            done = one_by_one.rate(system, sections, start, chosen.profile)
        found.append(done)
        for section, own in done.signatures.items():
            signatures[section][system.name] = own
    reasons, changed = _compared(by_id, signatures)

    def new(wanted: set[int] | None) -> pl.DataFrame:
        return pl.concat([one.rows(wanted) for one in found]) if found else rows.empty()

    return RatedSections(by_id, new, changed, reasons, _refused(found))


def differences(
    new: pl.DataFrame, stored: pl.DataFrame, columns: Sequence[str] = tuple(rows.COLUMNS)
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """(rows to add, rows to remove)."""
    added = new.join(stored.select(columns), on=columns, how="anti", nulls_equal=True, maintain_order="left")
    return added, stored.join(new, on=columns, how="anti", nulls_equal=True, maintain_order="left")


def _refused(found: Iterable[Computed]) -> dict[int, tuple[Finding, ...]]:
    """By section, whatever system it was."""
    refused: dict[int, tuple[Finding, ...]] = {}
    for one in found:
        for section, findings in one.refused.items():
            refused[section] = (*refused.get(section, ()), *findings)
    return refused


def _compared(
    sections: dict[int, Placed], signatures: dict[int, dict[str, Signature]]
) -> tuple[dict[int, str], dict[int, str]]:
    reasons, changed = {}, {}
    for section, own in signatures.items():
        text = signature.joined(own.items())
        if text == sections[section].signature:
            continue
        before = signature.parse(sections[section].signature)
        words = (one.differs_in(before.get(name)) for name, one in own.items())
        reasons[section] = next((word for word in words if word), "it has another place in the order, or other systems")
        changed[section] = text
    return reasons, changed


def write(outcome: Outcome) -> None:
    """Write the differences into the ledger."""
    bulk.delete(rows.TABLE, outcome.removed["id"].to_list())
    bulk.insert(rows.TABLE, outcome.added)
    bulk.update("ledger_section", "signature", outcome.signatures)


def fingerprint() -> str:
    """One hash over every rating of the ledger, in order: two ledgers with the same hash have the same ratings."""
    names = [name for name in rows.COLUMNS if name not in ("section_id", "player_id", "position")]
    columns = ", ".join(f'CAST(r."{name}" AS INTEGER)' if name in rows.FLAGS else f'r."{name}"' for name in names)
    sql = (
        f"SELECT e.number, s.number, p.number, {columns} FROM "  # noqa: S608  our own names and numbers
        f"{rows.TABLE} AS r "
        "JOIN ledger_section AS s ON s.id = r.section_id JOIN ledger_event AS e ON e.id = s.event_id "
        "JOIN ledger_player AS p ON p.id = r.player_id ORDER BY r.position, r.pool, r.number"
    )
    schema = {
        "event": pl.String,
        "section": pl.Int32,
        "player": pl.String,
        **{name: rows.COLUMNS[name] for name in names},
    }
    table = bulk.frame(sql, schema)
    digest = hashlib.sha256()
    for part in table.iter_slices(bulk.CHUNK):
        digest.update(part.write_csv(include_header=False).encode())
    return digest.hexdigest()
