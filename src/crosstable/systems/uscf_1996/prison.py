"""The two motions on prison memberships: no place on a top list, and a rating on one game after release.

Membership kinds belong to the office's records; these rules are functions that it calls.
"""

from __future__ import annotations

from dataclasses import replace

from crosstable.model import Rating
from crosstable.rulebook import Rules

PRISON = "prison"


def may_appear_on_top_lists(rules: Rules, membership: str) -> bool:
    """Whether a member of that kind may stand on a Top-50 list."""
    return membership != PRISON or bool(rules["prison"]["top_lists"])


def released(rules: Rules, state: Rating) -> Rating:
    """Return the state of a player who becomes a regular member: the rating stays, provisional on one game.

    Peak and results of the prison pool are dropped with the games: a floor from them would undo the motion.
    """
    games = rules["prison"]["games_on_release"]
    return replace(state, games=games, peak=None, wins=None, draws=None, losses=None, pending=())
