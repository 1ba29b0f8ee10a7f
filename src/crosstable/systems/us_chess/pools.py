"""The pools: the ratings that US Chess keeps apart. This list is the only one; everything else is derived from it.

A new pool is a line here, and in the rulebook the day on which it begins (`pools.toml`) and its time controls
(`time_controls.toml`). Pools have numbers in arrays, by their place in the list: add new ones at the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

OTB, ONLINE = "otb", "online"  # modes of the event document


@dataclass(frozen=True, slots=True)
class Pool:
    """One kind of rating, with every name under which files know it."""

    key: str  # in an event document's `ratings`
    mode: str  # OTB or ONLINE
    speed: str  # as in the rulebook's time controls
    letter: str  # in reports and on published pages
    fields: tuple[str, ...]  # columns of rating lists; we write the first
    headings: tuple[str, ...]  # columns of crosstables, beside `fields`

    @property
    def title(self) -> str:
        """The name that players use: Regular, Online Quick."""
        return f"Online {self.speed.title()}" if self.mode == ONLINE else self.speed.title()

    @property
    def word(self) -> str:
        """What people type: regular, online-quick."""
        return self.title.lower().replace(" ", "-")


POOLS = (
    Pool(
        "OTBR",
        OTB,
        "regular",
        "R",
        ("R_LPB_RAT", "R_RATING1", "REGULAR", "REG_RATING"),
        ("regular rating", "reg", "reg."),
    ),
    Pool("OTBQ", OTB, "quick", "Q", ("Q_LPB_RAT", "R_RATING2", "QUICK", "QUICK_RATING"), ()),
    Pool("OTBB", OTB, "blitz", "B", ("B_LPB_RAT", "BLITZ", "BLITZ_RATING"), ()),
    Pool("OLR", ONLINE, "regular", "OR", ("ONL_R_RTG",), ("online regular",)),
    Pool("OLQ", ONLINE, "quick", "OQ", ("ONL_Q_RTG",), ("online quick",)),
    Pool("OLB", ONLINE, "blitz", "OB", ("ONL_B_RTG",), ("online blitz",)),
)
KEYS = tuple(pool.key for pool in POOLS)
COUNT = len(POOLS)
#: The fields of a record in any of them, in an event document
RECORD = (
    "rating",
    "games",
    "date",
    "wins",
    "draws",
    "losses",
    "assigned_games",
    "three_game_events",
    "peak",
    "prize_floor",
    "life_master",
    "ceiling",
    "games_above_2200",
    "match_changes",
    "lowered_floor",
    "lowered_from",
)
BY_KEY: Mapping[str, Pool] = {pool.key: pool for pool in POOLS}

#: What a report declares: a pool's letter, or D for a dual-rated section (regular and quick over the board)
BY_LETTER: Mapping[str, tuple[str, ...]] = {
    **{pool.letter: (pool.key,) for pool in POOLS},
    "D": tuple(pool.key for pool in POOLS if pool.mode == OTB and pool.speed in ("regular", "quick")),
}

#: The pool of foreign FIDE events (2025 §6), and of everything that names no pool
MAIN = KEYS[0]


def pool_of(mode: str, speed: str) -> str | None:
    """Return the pool of a mode and a speed, or None."""
    return next((pool.key for pool in POOLS if (pool.mode, pool.speed) == (mode, speed)), None)


def counterpart(key: str) -> str | None:
    """Return the over-the-board pool of the same speed as an online one."""
    pool = BY_KEY[key]
    return pool_of(OTB, pool.speed) if pool.mode == ONLINE else None


def key_of(text: str) -> str | None:
    """Return the pool that a person means by a code or a word, in any case: OTBQ, quick, online blitz.

    None: no pool of ours.
    """
    typed = "-".join(text.replace("_", " ").replace("-", " ").split()).lower()
    return next((pool.key for pool in POOLS if typed in (pool.key.lower(), pool.word)), None)
