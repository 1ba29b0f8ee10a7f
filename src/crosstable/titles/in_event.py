"""The norms that the players of one event earned, by the title rules of its day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from crosstable.model import Event, Rated
from crosstable.rulebook import AS_WRITTEN
from crosstable.systems import system
from crosstable.systems.us_chess.pools import MAIN
from crosstable.titles.from_event import TitleResult, results
from crosstable.titles.norms import Titles1996
from crosstable.titles.records import TitleRules
from crosstable.titles.since_2010 import DEPLOYED, Titles2010

#: The title rules by the year of their document
RULES = ("1996", "2010")


@dataclass(frozen=True, slots=True, kw_only=True)
class Earned:
    """What one player earned: the number of norms by title level, or why none can be earned."""

    result: TitleResult
    norms: Mapping[int, int]
    barred: str | None


def rules_on(event: Event) -> str:
    """Return the rules of an event's day: since 2010 those of that year, before it the proposal of 1996."""
    return "2010" if event.end is not None and event.end >= DEPLOYED else "1996"


def title_rules(name: str, profile: str = AS_WRITTEN) -> TitleRules:
    """Return title rules by their name, one of RULES."""
    return Titles1996() if name == "1996" else Titles2010(profile)


def earned(event: Event, rules: str, profile: str = AS_WRITTEN, rated: Rated | None = None) -> list[Earned]:
    """Return what each player earned. `rated`: the rated event, where it is known already."""
    posts = post_ratings(rated or system("us_chess").rate(event)) if rules == "2010" else {}
    titles = title_rules(rules, profile)
    found = []
    for item in results(event, posts):
        barred = titles.barred(item.record)
        counts = {level: 0 if barred else titles.norms(item.record, level) for level in titles.levels}
        norms = {level: number for level, number in counts.items() if number}
        found.append(Earned(result=item, norms=norms, barred=barred))
    return found


def post_ratings(rated: Rated) -> dict[tuple[int, int], float]:
    """Return the regular ratings after the event, which the titles since 2010 look at."""
    regular = [one for one in rated.answers if one.pool == MAIN]
    return {(one.section, one.number): float(one.post if one.published is None else one.published) for one in regular}
