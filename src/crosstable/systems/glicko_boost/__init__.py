"""Glicko-Boost, Glickman's entry of the 2011 contest: White's advantage, a boosted deviation, opponents as they are
now.
"""

from crosstable.systems.glicko_boost.system import GlickoBoost

SYSTEM = GlickoBoost()

__all__ = ["SYSTEM", "GlickoBoost"]
