"""`make sim` for the desks: eight people at work at once through the pages, 200 rounds, on both databases.

`python bench/desks_sim.py [--rounds N] [--kind sqlite|postgresql]`. Prints one JSON line for each database.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

RUNNER = Path(__file__).resolve().parent.parent / "tests" / "web" / "desks" / "crowd_runner.py"
KINDS = ("sqlite", "postgresql")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--kind", choices=KINDS)
    args = parser.parse_args()
    kinds = [args.kind] if args.kind else KINDS
    commands = [[sys.executable, str(RUNNER), kind, str(args.rounds)] for kind in kinds]
    return max(subprocess.run(command, check=False).returncode for command in commands)


if __name__ == "__main__":
    sys.exit(main())
