"""What a line of a page is about, as a fact: the kind of a thing, and what identifies it. `web` makes its address."""

from __future__ import annotations

from typing import NamedTuple


class Subject(NamedTuple):
    """A thing with a page: `Subject("revision", "202506010012", "3")`."""

    kind: str  # event, list, player, proposal, revision, rule
    id: str
    part: str = ""  # of it: the number of a revision, the pool of a list
