"""How long the largest files take that the limits let through, and how much memory. `python bench/formats.py`"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def one(name: str) -> None:
    """In a process of its own, so that the peak is this format's."""
    from tests.formats.largest import LARGEST

    from crosstable import checks, formats

    data = LARGEST[name]()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.process_time()
    reading = formats.read(data)
    took = time.process_time() - started
    if reading.draft:
        checks.check(reading.draft)
    checked = time.process_time() - started - took
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    outcome = "read" if reading.draft else reading.findings[0].code
    print(
        f"{name:16} {len(data) / 2**20:5.2f} MB  {outcome:16} {took:5.2f} s (check {checked:5.2f} s)  {before // 1024}"
        f" → {peak // 1024} MB"
    )


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    if len(sys.argv) > 1:
        one(sys.argv[1])
    else:
        from tests.formats.largest import LARGEST

        for name in LARGEST:
            subprocess.run([sys.executable, __file__, name], check=True)
