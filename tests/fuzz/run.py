"""`python -m tests.fuzz.run --each 200000`: spoilt files per format, with counts and the slowest. The first traceback
is shown, and the status 1.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from multiprocessing import Pool

from tests.fuzz.mutations import spoilt_file, try_event, try_list
from tests.fuzz.seeds import EVENT_SEEDS, LIST_SEEDS

BATCH = 2000


def batch(job: tuple[str, int, int]) -> tuple[str, int, int, float, str]:
    """Name, files, documents, the slowest in seconds, and the first traceback."""
    name, first, count = job
    documents, slowest, trouble = 0, 0.0, ""
    for seed in range(first, first + count):
        started = time.perf_counter()
        try:
            documents += bool(try_list(name, seed) if name in LIST_SEEDS else try_event(name, seed).draft)
        except Exception:
            trouble = trouble or f"seed {seed}: {traceback.format_exc()}\n{spoilt_file(name, seed)[:300]!r}"
        slowest = max(slowest, time.perf_counter() - started)
    return name, count, documents, slowest, trouble


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=200_000, help="files per format")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", nargs="*", default=[*EVENT_SEEDS, *LIST_SEEDS])
    args = parser.parse_args()
    status = 0
    with Pool(args.jobs) as pool:
        for name in args.only:
            jobs = [(name, args.first + n, min(BATCH, args.each - n)) for n in range(0, args.each, BATCH)]
            started, files, documents, slowest = time.perf_counter(), 0, 0, 0.0
            for _, count, read, slow, trouble in pool.imap_unordered(batch, jobs):
                files, documents, slowest = files + count, documents + read, max(slowest, slow)
                if trouble and not status:
                    print(f"{name}: {trouble}", flush=True)
                status = 1 if trouble else status
            took = time.perf_counter() - started
            print(
                f"{name:16} {files:8,} files, {documents:8,} documents, slowest {slowest:.3f} s, {took:.0f} s",
                flush=True,
            )
    return status


if __name__ == "__main__":
    sys.exit(main())
