"""The title system that US Chess deployed in 2010, under the same interface as the proposal of 1996."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

from crosstable.rulebook import AS_WRITTEN, Rules, rulebook
from crosstable.titles.norms import TOLERANCE, TitleRules
from crosstable.titles.records import EventRecord

#: The year in which US Chess began to award them, for results since 1991
DEPLOYED = date(2010, 1, 1)


@cache
def _rules(profile: str) -> Rules:
    return rulebook("titles_2010").on(DEPLOYED, profile)


@cache
def _steps(profile: str) -> tuple[float, float, float, float]:
    """Return the numbers of C: an office asks for it a hundred thousand times in a run."""
    rule = _rules(profile)["expected"]
    return rule["below"], rule["flat"], rule["steep"], rule["above"]


@dataclass(frozen=True, slots=True)
class Titles2010(TitleRules):
    """Seven titles, five norms, one norm an event, no expiry; from 2000 on the rating must be reached once.

    `profile`: the text of 2016 as written, or as the published norms of 2001 to 2013 show it practised.
    """

    profile: str = AS_WRITTEN

    @property
    def rules(self) -> Rules:
        return _rules(self.profile)

    @property
    def codes(self) -> Mapping[int, str]:
        """Level → the code in a published crosstable."""
        return {row["level"]: row["code"] for row in self.rules["titles"]["levels"]}

    def supernorms_for(self, level: int) -> int:  # noqa: ARG002  as every title system is called
        return 0

    def rating_for(self, level: int) -> float | None:
        rows = self.rules["titles"]["levels"]
        return next((float(level) for row in rows if row["level"] == level and row["rating_needed"]), None)

    def barred(self, record: EventRecord) -> str | None:
        rule = self.rules["norms"]
        if record.rounds < rule["fewest_rounds"]:
            return f"{record.rounds} rounds: norms need at least {rule['fewest_rounds']}"
        if record.system not in rule["systems"] or record.online:
            return "norms are earned in regular chess over the board only"
        if record.weight not in rule["weights"]:
            return f"no norms in {record.weight}-K events"
        if len(record.opponents) < rule["fewest_games"]:
            return f"{len(record.opponents)} games: norms need at least {rule['fewest_games']}"
        if record.rounds - len(record.opponents) > rule["rounds_missed"]:
            return f"{record.rounds - len(record.opponents)} rounds not played: at most {rule['rounds_missed']}"
        if max(Counter(met.id for met in record.opponents if met.id).values(), default=0) > rule["meetings"]:
            return f"an opponent met more than {rule['meetings']} times"
        if any(met.post is None for met in record.opponents):
            return "an opponent without a post-event rating"
        return None

    def norms(self, record: EventRecord, level: int) -> int:
        rule = self.rules["norms"]
        margin = record.score - self.expected(level, [met.post for met in record.opponents if met.post is not None])
        missed = record.rounds > len(record.opponents)
        wanted = rule["margin_missed"] if missed else rule["margin"]
        return int(margin > wanted + TOLERANCE)

    def expected(self, level: int, opponents: Sequence[float]) -> float:
        """Return the sum of C over the opponents' post-event ratings, by d = level - opponent."""
        below, flat, steep, above = _steps(self.profile)
        return sum(_worth(level - opponent, below, flat, steep, above) for opponent in opponents)

    def expires(self, day: date) -> date | None:  # noqa: ARG002  as every title system is called
        return None

    def highest_norm(self, record: EventRecord) -> int | None:
        """Return the level of the highest norm that the event earns, as crosstables show it."""
        if self.barred(record):
            return None
        return max((level for level in self.levels if self.norms(record, level)), default=None)


def _worth(d: float, below: float, flat: float, steep: float, above: float) -> float:
    """C: what a game against an opponent d points below the level is worth."""
    if d <= -below:
        return 0.0
    if d <= 0:
        return float(0.5 + d / flat)
    return float(0.5 + d / steep) if d <= above else 1.0
