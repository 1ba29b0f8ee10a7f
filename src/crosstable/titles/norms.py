"""Norms of the 1996 report (section 5): how many one event earns towards the title of a level."""

from __future__ import annotations

import calendar
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import Any

from crosstable.errors import CrosstableError
from crosstable.rulebook import Rules, rulebook
from crosstable.systems.uscf_1996.kfactor import expected_score
from crosstable.titles.records import EventRecord

#: Margins are sums of decimals; a margin of exactly Delta must not fail on the last bit (readings 17).
TOLERANCE = 1e-9


class NormQuestionError(CrosstableError):
    """A question about norms that has no answer: an unknown level, too few rounds, a score that cannot be."""


@dataclass(frozen=True, slots=True)
class NormCount:
    """One event's norms towards one title, with the arithmetic."""

    level: int
    norms: int
    games: int
    score: float
    expected: float
    margin: float
    thresholds: tuple[float, ...]  # Delta for 1, 2, 3, 4 norms and the title


class TitleRules:
    """What every title system reads from its rulebook in one way."""

    __slots__ = ()

    @property
    def rules(self) -> Rules:
        raise NotImplementedError

    @property
    def levels(self) -> Mapping[int, str]:
        return {row["level"]: row["title"] for row in self.rules["titles"]["levels"]}

    @property
    def norms_for_title(self) -> int:
        return int(self.rules["norms"]["norms_for_title"])


@dataclass(frozen=True, slots=True)
class Titles1996(TitleRules):
    """Fourteen titles, five norms, two supernorms from 2200 on, three years."""

    rules: Rules = field(default_factory=lambda: rulebook("uscf_1996").on(date(1996, 8, 1)))

    def supernorms_for(self, level: int) -> int:
        return next(int(row["supernorms"]) for row in self.rules["titles"]["levels"] if row["level"] == level)

    def rating_for(self, level: int) -> float | None:  # noqa: ARG002  as every title system is called
        return None

    def barred(self, record: EventRecord) -> str | None:
        rule = self.rules["norms"]
        if record.rounds < rule["fewest_rounds"]:
            return f"{record.rounds} rounds: norms need at least {rule['fewest_rounds']}"
        if record.system not in rule["systems"]:
            return f"no norms in {record.system} chess"
        if record.weight not in rule["weights"]:
            return f"no norms in {record.weight}-K events"
        if any(met.pre is None for met in record.opponents):
            return "an opponent without a pre-event rating"
        return None if record.opponents else "no games"

    def norms(self, record: EventRecord, level: int) -> int:
        return self.count(level, record.score, [met.pre for met in record.opponents if met.pre is not None]).norms

    def expected(self, level: int, opponents: Sequence[float]) -> float:
        """Return the score that a player of that level expects against these opponents."""
        return expected_score(self.rules["expectancy"]["scale"], level, opponents)

    def count(self, level: int, score: float, opponents: Sequence[float]) -> NormCount:
        """Score minus the expected score of a player of that level, against Delta times the root of the games."""
        games = len(opponents)
        expected = self.expected(level, opponents)
        margin = score - expected
        thresholds = tuple(delta * math.sqrt(games) for delta in self.rules["delta"]["per_root_game"])
        norms = sum(margin >= threshold - TOLERANCE for threshold in thresholds)
        return NormCount(
            level=level, norms=norms, games=games, score=score, expected=expected, margin=margin, thresholds=thresholds
        )

    def score_needed(self, level: int, norms: int, opponents: Sequence[float]) -> float | None:
        """Return the smallest score that earns so many norms, or nothing if even winning every game does not."""
        halves = range(2 * len(opponents) + 1)
        return next((half / 2 for half in halves if self.count(level, half / 2, opponents).norms >= norms), None)

    def margin_needed(self, norms: int, games: int) -> float:
        """By how much the score must exceed the expected score of the level: Delta."""
        return float(self.rules["delta"]["per_root_game"][norms - 1] * math.sqrt(games))

    def expires(self, day: date) -> date | None:
        """Return the third anniversary; of a 29 February, the 28th."""
        year = day.year + self.rules["norms"]["years"]
        return date(year, day.month, min(day.day, calendar.monthrange(year, day.month)[1]))


def norms_in_event(
    level: int, score: float, opponents: Sequence[float], rules: Titles1996 | None = None, rounds: int | None = None
) -> NormCount:
    """How many norms (5 = the title) a score against these opponents earns; a clear error for a wrong question."""
    titles = rules or Titles1996()
    if level not in titles.levels:
        known = ", ".join(map(str, titles.levels))
        raise NormQuestionError(f"no title of level {level}: the levels are {known}")
    fewest = titles.rules["norms"]["fewest_rounds"]
    played = len(opponents) if rounds is None else rounds
    if played < fewest:
        raise NormQuestionError(f"{played} rounds are too few for a norm: it takes {fewest} or more")
    if not 0 <= score <= len(opponents) or score * 2 != int(score * 2):
        raise NormQuestionError(
            f"a score of {score:g} is impossible in {len(opponents)} game{'' if len(opponents) == 1 else 's'}"
        )
    if not all(math.isfinite(rating) for rating in opponents):
        raise NormQuestionError("every opponent needs a rating that is a number")
    return titles.count(level, score, opponents)


def is_supernorm_event(
    name: str, grand_prix_points: float = 0.0, rules: Titles1996 | None = None, *, mark: bool | None = None
) -> bool:
    """Return whether norms of this event are supernorms (5.3): enough Grand Prix points, or an event of a kind on the
    list.

    A whole name counts, not a part of one (readings 45). `mark`: what an officer says, which decides.

    >>> is_supernorm_event("1997 US Amateur Team East"), is_supernorm_event("World Open Warmup Quads")
    (True, False)
    """
    if mark is not None:
        return mark
    rule = (rules or Titles1996()).rules["supernorm_events"]
    if grand_prix_points >= rule["grand_prix_points"]:
        return True
    return _common_spelling(name) in _spellings((*rule["events"], *rule["also"]))


def grand_prix_points(notes: Mapping[str, Any]) -> float:
    """Return the Grand Prix points that the notes of a section state; 0 where they state none."""
    try:
        return float(notes.get("grand_prix_points") or 0)
    except (TypeError, ValueError):
        return 0.0


#: Short forms that directors write, and words that may be there or not
_LONG_FORMS = {"hs": "highschool", "jr": "junior", "sr": "senior", "men": "man", "women": "woman"}
_OPTIONAL = {"the", "annual", "chess", "tournament", "championship", "champ", "ch"}
#: What tells one year's event from the next: 1996, '97, 24th, IV, and a place in brackets
_EDITION = re.compile(r"\([^)]*\)|\b\d+(?:st|nd|rd|th)?\b|\b[ivx]+\b")


@lru_cache(maxsize=16)
def _spellings(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(_common_spelling, names))


@lru_cache(maxsize=65536)
def _common_spelling(name: str) -> str:
    """Return a name without its accidents of spelling: 'The U.S. Class Championships' and '1996 US Class Champs' are
    'usclass'.
    """
    plain = re.sub(r"'s\b", "", _EDITION.sub(" ", name.lower().replace("’", "'")))
    words = re.sub(r"[^a-z ]", "", plain).replace("united states", "us").split()
    singular = [
        word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word for word in words
    ]
    return "".join(_LONG_FORMS.get(word, word) for word in singular if word not in _OPTIONAL)
