"""`make sim` for the office: kill -9 at every write of every operation, and eight writers for 500 rounds, on both
databases.

`python bench/office_sim.py [crashes|writers] [--rounds N] [--writers N] [--every N]`. Prints one JSON line for each
part.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "tests" / "office"
KINDS = ("sqlite", "postgresql")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="?", choices=("crashes", "writers"))
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--every", type=int, default=1)
    args = parser.parse_args()
    commands = []
    for kind in KINDS:
        if args.part != "writers":
            commands.append([str(TESTS / "crash_runner.py"), kind, str(args.every)])
        if args.part != "crashes":
            commands.append([str(TESTS / "writers_runner.py"), kind, str(args.writers), str(args.rounds)])
    return max(subprocess.run([sys.executable, *command], check=False).returncode for command in commands)


if __name__ == "__main__":
    sys.exit(main())
