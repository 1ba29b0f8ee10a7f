"""Fixes of an event document, and which of them a finding asks for.

A fix takes the event document and a few values, and gives the changed document with what it was and what it is. Fixes
are pure: a file and the list of its fixes give the report. The director's desk, `crosstable check --fix` and the API
carry out the same functions.

base, cells, events, games, players   the kinds of fixes
suggestions                           finding → the fixes that could put it right
settling                              which findings of the reader a fix answers
suggested                             every fix that leaves no choice, carried out
"""

from __future__ import annotations

from crosstable.fixes import cells, events, games, players
from crosstable.fixes.base import KINDS, Fixed, FixRefused, apply
from crosstable.fixes.settling import settled
from crosstable.fixes.suggested import fix_suggested
from crosstable.fixes.suggestions import Candidate, suggestions, with_fixes

__all__ = [
    "KINDS",
    "Candidate",
    "FixRefused",
    "Fixed",
    "apply",
    "cells",
    "events",
    "fix_suggested",
    "games",
    "players",
    "settled",
    "suggestions",
    "with_fixes",
]
