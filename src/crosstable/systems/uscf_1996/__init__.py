"""The USCF Ratings Committee's reform of August 1996: `system` rates; floors, prison, conversion serve an office."""

from crosstable.systems.uscf_1996.conversion import convert
from crosstable.systems.uscf_1996.first_rating import EventPerformance
from crosstable.systems.uscf_1996.floors import floor_of, scheduled
from crosstable.systems.uscf_1996.kfactor import k_factor
from crosstable.systems.uscf_1996.prison import may_appear_on_top_lists, released
from crosstable.systems.uscf_1996.system import Uscf1996

SYSTEM = Uscf1996()

__all__ = [
    "SYSTEM",
    "EventPerformance",
    "Uscf1996",
    "convert",
    "floor_of",
    "k_factor",
    "may_appear_on_top_lists",
    "released",
    "scheduled",
]
