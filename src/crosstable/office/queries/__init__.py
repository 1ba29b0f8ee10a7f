"""What the office may say to everybody, as frozen records: pages, the API and the command line print these.

Nothing here writes. Each function asks the database a fixed number of times, however much it finds. No birth date, no
age and nothing that tells one ever enters a record.
"""

from __future__ import annotations
