"""Replay equality at full size: 300 random corrections, withdrawals, merges and granted floors in an office of 5,000
events.

    python bench/office_equality.py [--events N] [--changes N] [--seed N] [--database sqlite|postgresql] [--json]

On both databases the ratings after all changes are compared with a replay from scratch, with those of a new office that
gets the final content and decisions, and with each other: one hash. What the new office does not accept (a match
between players whom corrections moved apart) is withdrawn before that. Exit status 1 if hashes differ.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

HASHES = ("incremental", "from_scratch", "new_office")
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "tests" / "office"))


def measure(kind: str, events: int, changes: int, seed: int) -> dict[str, Any]:
    """Fill an office of one kind of database, change it, replay it, and enter its content in a new one."""
    from crosstable import office
    from office import database

    with database(kind) as url, database(kind) as new:
        office.setup(new)
        office.migrate()
        office.setup(url)
        office.migrate()
        from django.db import connections
        from new_office import Content
        from simulated import OFFICER, Federation
        from test_replay_equality import from_scratch

        from crosstable.office.ledger import office_settings
        from crosstable.office.rating import run
        from crosstable.office.reports import accepting

        office_settings.create(titles="")  # titles follow ratings; this is about ratings
        federation = Federation(seed, size=max(40, events // 8))
        begin = time.process_time()
        federation.fill(events)
        filled = time.process_time()
        acts = Counter(federation.change().split(":")[0] for _ in range(changes))
        changed = time.process_time()
        content = Content.of_this_office()
        office.setup(new)
        refused = content.enter()
        again = run.fingerprint()
        entered = time.process_time()
        office.setup(url)
        for number in refused:
            accepting.withdraw(OFFICER, number, "a new office does not accept it")
        found, scratch = run.fingerprint(), from_scratch()
        connections.close_all()
    return {
        "database": kind,
        "events": len(federation.made),
        "acts": dict(acts),
        "incremental": found,
        "from_scratch": scratch,
        "new_office": again,
        "granted": len(content.granted),
        "not_accepted": len(refused),
        "fill_seconds": round(filled - begin, 1),
        "change_seconds": round(changed - filled, 1),
        "new_office_seconds": round(entered - changed, 1),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=5000)
    parser.add_argument("--changes", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", choices=("sqlite", "postgresql"))
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if args.database:
        print(json.dumps(measure(args.database, args.events, args.changes, args.seed)))
        return 0
    found = []
    for kind in ("sqlite", "postgresql"):
        sizes = ["--events", str(args.events), "--changes", str(args.changes), "--seed", str(args.seed)]
        command = [sys.executable, __file__, "--database", kind, *sizes]
        answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        found.append(json.loads(answer.stdout.splitlines()[-1]))
    hashes = {one[name] for one in found for name in HASHES}
    if args.json:
        print(json.dumps({"equal": len(hashes) == 1, "runs": found}))
    else:
        for one in found:
            hashes_of_one = " ".join(one[name][:16] for name in HASHES)
            print(f"{one['database']}: {one['events']} events, {one['acts']}: {hashes_of_one}")
        print("one hash" if len(hashes) == 1 else "DIFFERENT")
    return 0 if len(hashes) == 1 else 1


if __name__ == "__main__":
    raise SystemExit(main())
