"""Every fix that leaves no choice, carried out until there is none left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from crosstable.fixes.base import Fixed, FixRefused, apply
from crosstable.fixes.settling import settled
from crosstable.fixes.suggestions import with_fixes
from crosstable.formats.base import Reading
from crosstable.model import Event, Finding, Fix

#: A fix can bring a finding to light that has a fix itself; no file needs more rounds than these
_ROUNDS = 10


def suggested_fix(finding: Finding) -> Fix | None:
    """Return the fix of a finding that leaves no choice; none where it would change nothing."""
    return next((one for one in finding.fixes if one.suggested and not one.inputs and one.kind != "keep"), None)


def fix_suggested(reading: Reading, find: Callable[[Reading], Sequence[Finding]]) -> tuple[Reading, list[Fixed]]:
    """Return the reading with the suggested fixes carried out, and what each changed. `find`: what is found in it."""
    done: list[Fixed] = []
    tried: set[tuple[str, tuple[tuple[str, str], ...]]] = set()
    for _ in range(_ROUNDS):
        event = reading.draft
        if event is None:
            break
        before = len(done)
        for finding in with_fixes(event, find(reading)):
            fix = suggested_fix(finding)
            if fix is None or (key := (fix.kind, tuple(sorted(fix.values.items())))) in tried:
                continue
            tried.add(key)
            reading, fixed = _carried_out(reading, fix, finding)
            done += [] if fixed is None else [fixed]
        if len(done) == before:
            break
    return reading, done


def _carried_out(reading: Reading, fix: Fix, finding: Finding) -> tuple[Reading, Fixed | None]:
    """Return the reading after a fix; as it was where the fix no longer fits."""
    event: Event | None = reading.draft
    if event is None:
        return reading, None
    try:
        fixed = apply(event, fix.kind, fix.values)
    except FixRefused:
        return reading, None
    left = settled(event, reading.findings, fix.kind, fix.values, finding)
    return replace(reading, draft=fixed.event, findings=tuple(left)), fixed
