"""All that an office can prove about itself from its own data: the log, the lists, the ledger, the files that came in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from crosstable.office.audit import ledger_against_log
from crosstable.office.audit.log import Head
from crosstable.office.audit.verify import Report, verify
from crosstable.office.lists import read


def verify_all(heads: Iterable[tuple[str, Head]] = ()) -> Report:
    """`heads`: (where it was printed, a head of the log), besides those on the published lists."""
    report = verify([*read.anchors(), *heads])
    return replace(report, problems=(*report.problems, *read.problems(), *ledger_against_log.problems()))
