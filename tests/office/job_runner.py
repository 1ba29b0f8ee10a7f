"""Runs one job of an office and stops in the middle of it: `python job_runner.py URL NUMBER`. Its parent kills it
there.
"""

from __future__ import annotations

import sys
import time

from crosstable import office

office.setup(sys.argv[1])

from crosstable.office.jobs import heartbeat, kinds, running  # noqa: E402  Django's tables come after setup
from crosstable.office.storage import watching  # noqa: E402  likewise


def slow(actor, given):
    """The whole work, and then a pause before the transaction ends."""
    done = accept.run(actor, given)
    time.sleep(heartbeat.STEP)  # how far it is, is said so often and not more
    watching.tell(31, 53)
    print("in the middle", flush=True)
    time.sleep(600)
    return done


accept = kinds.KINDS["accept"]
kinds.KINDS["accept"] = kinds.Kind(accept.right, slow)
running.run(int(sys.argv[2]))
