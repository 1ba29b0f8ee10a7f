"""Run commands in processes of their own, forked from one that has loaded what is not ours.

    python forked_commands.py   then a JSON line {"argv": [...], "input": "..."} for each command; a line comes back

A fresh interpreter spends most of a command's time on numpy, numba and Django's own modules. The process forked here
has these, and nothing else: no module of crosstable, no settings, no database, and no polars, whose threads do not
survive a fork.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
import tempfile
import traceback
from typing import TextIO

import argon2  # noqa: F401  loaded once, before the forks
import django.core.management
import django.db.backends.sqlite3.base
import django.db.models  # noqa: F401  loaded once, before the forks
import numba  # noqa: F401  loaded once, before the forks
import numpy as np  # noqa: F401  loaded once, before the forks
import scipy.special  # noqa: F401  loaded once, before the forks


def _run(argv: list[str], given: TextIO, said: TextIO) -> int:
    """Be the command, in the forked process: its exit status."""
    for number, file in ((0, given), (1, said), (2, said)):
        os.dup2(file.fileno(), number)
    sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
    sys.argv = ["crosstable", *argv]
    try:
        runpy.run_module("crosstable", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


def main() -> None:
    assert not any(name.partition(".")[0] == "crosstable" for name in sys.modules)
    for line in sys.stdin:
        asked = json.loads(line)
        with tempfile.TemporaryFile("w+") as given, tempfile.TemporaryFile("w+") as said:
            given.write(asked["input"])
            given.seek(0)
            child = os.fork()
            if child == 0:
                os._exit(_run(asked["argv"], given, said))
            _, status = os.waitpid(child, 0)
            said.seek(0)
            answer = {"status": os.waitstatus_to_exitcode(status), "said": said.read()}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
