"""Norms and titles, and the chance to earn one. An office calls `standing(history)`."""

from crosstable.titles.chance import chance_of_a_norm, delta_schedule, title_chance
from crosstable.titles.norms import Titles1996, is_supernorm_event, norms_in_event
from crosstable.titles.records import EventRecord, Met, Need, Norm, Standing, TitleRules, TitleStanding
from crosstable.titles.since_2010 import Titles2010
from crosstable.titles.standing import standing

__all__ = [
    "EventRecord",
    "Met",
    "Need",
    "Norm",
    "Standing",
    "TitleRules",
    "TitleStanding",
    "Titles1996",
    "Titles2010",
    "chance_of_a_norm",
    "delta_schedule",
    "is_supernorm_event",
    "norms_in_event",
    "standing",
    "title_chance",
]
