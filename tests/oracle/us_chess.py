"""A second, slow, plain implementation of the US Chess rating system, to hold against the product.

Written from the three editions, the readings and the event format alone, without a look at the product's own engine
(only its reader of time-control texts is shared). Bonus multipliers stand in tests/rules, typed from the documents; the
rulebook is not asked. Everything is decimal arithmetic with 40 digits; the special formula sorts the knots and solves
the one straight piece that holds the root instead of walking from knot to knot.

`rate(document, profile)` takes the event document as a dict and gives the answers as dicts.
"""

# Long because it is a whole second implementation in one file on purpose: it does not take over the first one's
# division into modules, and whoever doubts a number finds all that leads to it here.

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal, localcontext
from pathlib import Path
from typing import Any

from crosstable.systems.us_chess import time_controls

D = Decimal
EPSILON = D("1e-7")
#: Rule → what changed on which day, from what to what
TYPED = tomllib.loads((Path(__file__).parents[1] / "rules" / "us_chess.toml").read_text())
PRECISION = Context(prec=40)
ORDER = ("OTBR", "OTBQ", "OTBB", "OLR", "OLQ", "OLB")
INFINITE = D("Infinity")


class NotRatable(Exception):
    """The event is wrong, or no rule covers it."""


# ---------------------------------------------------------------------------------------------------------------------
# rules


@dataclass(frozen=True)
class Law:
    """What is in force for one section: the edition and every dated value, from the days that decide."""

    practised: bool
    day: date  # the day that decides

    def since(self, year: int, month: int, day: int) -> bool:
        return self.day >= date(year, month, day)

    @property
    def edition(self) -> int:
        if self.since(2020, 6, 1):
            return 2025
        return 2017 if self.since(2017, 4, 24) else 2015

    @property
    def bonus_multiplier(self) -> Decimal:
        value = TYPED["bonus"][0]["multiplier"][0]
        for step in TYPED["bonus"]:
            begin, (_, multiplier) = step["day"], step["multiplier"]
            late = self.practised and begin in (date(2008, 6, 6), date(2012, 8, 3))  # "the day after each"
            if self.day >= begin + timedelta(days=1 if late else 0):
                value = multiplier
        return D(str(value))

    def lowers_k_of(self, system: str) -> bool:
        """Whether a dual-rated event counts less above 2200 for this rating (readings 7; the record: regular, from
        2013-05-18).
        """
        if self.practised:
            return system == "OTBR" and self.day >= date(2013, 5, 18)
        return system == "OTBR" or self.edition < 2025

    @property
    def stores_integers(self) -> bool:
        return not self.since(2014, 9, 1)

    def effective_games(self, rating: Decimal, games: int) -> Decimal:
        change = date(2013, 5, 18) if self.practised else date(2013, 5, 8)
        if self.day >= change:
            below = rating <= 2355
            star = 50 / (D("0.662") + D("0.00000739") * (2569 - rating) ** 2).sqrt() if below else D(50)
        else:
            star = 50 / (1 + (2200 - rating) ** 2 / 100000).sqrt() if rating <= 2200 else D(50)
        return min(D(games), star)

    def fide(self, rating: Decimal) -> Decimal:
        if rating > 2000:
            return 20 + D("1.02") * rating
        if self.since(2024, 3, 1):
            return -1073 + D("1.5667") * rating
        return 180 + D("0.94") * rating

    def fide_youth(self, rating: Decimal) -> Decimal:
        if rating > 2000:
            return 80 + rating
        if self.since(2024, 3, 1):
            return -453 + D("1.2667") * rating
        return 560 + D("0.76") * rating

    def cfc(self, rating: Decimal) -> Decimal:
        if not self.since(2025, 1, 1):
            return rating - 90 if rating <= 1500 else D("1.1") * rating - 240
        if rating < 1150:
            return -115 + D("0.815") * rating
        if rating < 1610:
            return -650 + D("1.28") * rating
        if rating < 2000:
            return -856 + D("1.41") * rating
        return -240 + D("1.1") * rating

    def age_rating(self, born: date | None, adult: bool, on: date) -> Decimal:
        if born is None:
            return D(1300) if adult else D(750)
        age = D((on - born).days) / D("365.25")
        if age < 3:
            return D(1300) if adult or self.edition < 2025 else D(750)
        if not self.since(2006, 1, 1):
            return 300 + 50 * age if age < 20 else D(1300)
        return 50 * age if age <= 26 else D(1300)


def systems_of(law: Law, mode: str, total: float) -> set[str]:
    """The systems that one time control (mm + ss) is rated in."""
    if total < 5:
        raise NotRatable(f"{total}: under 5")
    if mode == "online":
        return {_online(law, total)}
    if not law.since(2004, 1, 1) and total < 10:
        raise NotRatable(f"{total}: quick begins at 10 before 2004")
    blitz = law.since(2013, 3, 1)
    if total <= 10 and blitz:
        return {"OTBB"}
    if total < 30:
        return {"OTBQ"}
    dual = law.since(2002, 1, 1) and total <= (65 if blitz else 60)
    return {"OTBR", "OTBQ"} if dual else {"OTBR"}


def _online(law: Law, total: float) -> str:
    if total <= 10:
        if not law.since(2014, 10, 1):
            raise NotRatable("OLB does not exist yet")
        return "OLB"
    if law.since(2020, 6, 1):
        return "OLQ" if total < 30 else "OLR"
    if not law.since(2015, 3, 1):
        raise NotRatable("OLQ does not exist yet")
    if total > 65:
        raise NotRatable("OLR does not exist yet")
    return "OLQ"


# -----------------------------------------------------------------------------------------------------------------
# arithmetic


def number(value: float | int | str | Decimal) -> Decimal:
    return value if isinstance(value, Decimal) else D(str(value))


def half_up(value: Decimal) -> int:
    exact = round(value, 25)  # thirds of games leave the last of the 40 digits in doubt
    return int((exact + D("0.5")).to_integral_value(ROUND_FLOOR))


def provisional_expectancy(rating: Decimal, other: Decimal) -> Decimal:
    return max(D(0), min(D(1), D("0.5") + (rating - other) / 800))


def expectancy(rating: Decimal, other: Decimal) -> Decimal:
    return 1 / (1 + D(10) ** ((other - rating) / 400))


@dataclass(frozen=True)
class SpecialCase:
    """What the special formula looks at (section 4.1)."""

    prior: Decimal
    effective: Decimal
    history: str  # "wins", "losses" or "mixed"
    opponents: list[Decimal]
    score: Decimal

    @property
    def adjusted(self) -> Decimal:
        return self.prior + {"wins": D(-400), "losses": D(400), "mixed": D(0)}[self.history]

    @property
    def adjusted_score(self) -> Decimal:
        return self.score + {"wins": self.effective, "losses": D(0), "mixed": self.effective / 2}[self.history]

    def f(self, rating: Decimal) -> Decimal:
        expected = sum((provisional_expectancy(rating, other) for other in self.opponents), D(0))
        return self.effective * provisional_expectancy(rating, self.adjusted) + expected - self.adjusted_score

    @property
    def knots(self) -> list[Decimal]:
        return sorted({centre + step for centre in [self.adjusted, *self.opponents] for step in (-400, 400)})


def special(case: SpecialCase, edition: int) -> Decimal:
    if edition == 2025:
        start = case.adjusted
    else:
        games = len(case.opponents)
        pooled = case.effective * case.adjusted + sum(case.opponents, D(0)) + 400 * (2 * case.score - games)
        start = pooled / (case.effective + games)
    return min(D(2700), _tie_broken(case, _nearest_root(case, start)))


def _nearest_root(case: SpecialCase, start: Decimal) -> Decimal:
    """f never falls, so its roots are one interval; the search ends at the root nearest to its start.

    A knot where f is zero within the tolerance ends the search too.
    """
    if abs(case.f(start)) <= EPSILON:
        return start
    knots = case.knots
    values = [case.f(knot) for knot in knots]
    ends = [knot for knot, value in zip(knots, values, strict=True) if abs(value) <= EPSILON]
    for low, high, at_low, at_high in zip(knots, knots[1:], values, values[1:], strict=False):
        if at_low < 0 < at_high:  # the root is inside this piece
            ends.append(low - at_low * (high - low) / (at_high - at_low))
    if not ends:
        raise AssertionError("f has a root between its first and its last knot")
    return max(ends) if case.f(start) > 0 else min(ends)


def _tie_broken(case: SpecialCase, root: Decimal) -> Decimal:
    """Step 4: where nobody is within 400 points, the prior rating decides between the knots around."""
    if any(abs(root - centre) <= 400 + EPSILON for centre in [case.adjusted, *case.opponents]):
        return root
    low = max((knot for knot in case.knots if knot < root), default=-INFINITE)
    high = min((knot for knot in case.knots if knot > root), default=INFINITE)
    return max(low, min(high, case.prior))


@dataclass(frozen=True)
class Standard:
    rating: Decimal
    k: Decimal
    expected: Decimal
    bonus: Decimal


# -------------------------------------------------------------------------------------------------------------------
# records


@dataclass(frozen=True)
class Record:
    """One rating of one player, as it stands before an event."""

    rating: Decimal
    games: int
    day: date | None
    wins: int | None = None
    draws: int | None = None
    losses: int | None = None
    three_game_events: int = 0
    peak: Decimal | None = None
    prize_floor: Decimal | None = None
    life_master: bool = False
    ceiling: Decimal | None = None
    games_above_2200: int = 0
    match_changes: tuple[tuple[date, Decimal], ...] = ()
    lowered_floor: Decimal | None = None
    lowered_from: Decimal | None = None

    @property
    def was_lowered(self) -> Decimal:
        """The floor that was lowered: one request takes 100."""
        return self.lowered_from if self.lowered_from is not None else (self.lowered_floor or D(0)) + 100

    @property
    def established(self) -> bool:
        return self.games > 25

    @property
    def best(self) -> Decimal | None:
        """The highest established rating so far, this one included."""
        if not self.established:
            return None
        return self.rating if self.peak is None else max(self.rating, self.peak)

    @property
    def master(self) -> bool:
        return self.life_master or self.games_above_2200 >= 300

    @property
    def history(self) -> str:
        if self.wins is None or self.draws is None or self.losses is None or self.draws:
            return "mixed"
        if self.wins and not self.losses:
            return "wins"
        return "losses" if self.losses and not self.wins else "mixed"


def read_record(raw: dict[str, Any], default_day: date) -> Record:
    def maybe(name: str) -> Decimal | None:
        return None if raw.get(name) is None else number(raw[name])

    return Record(
        number(raw["rating"]),
        raw["games"],
        _day(raw.get("date")) or default_day,
        raw.get("wins"),
        raw.get("draws"),
        raw.get("losses"),
        raw.get("three_game_events") or 0,
        maybe("peak"),
        maybe("prize_floor"),
        bool(raw.get("life_master")),
        maybe("ceiling"),
        raw.get("games_above_2200") or 0,
        tuple((_day(one["date"]) or default_day, number(one["change"])) for one in raw.get("match_changes") or ()),
        maybe("lowered_floor"),
        maybe("lowered_from"),
    )


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


@dataclass
class Person:
    """A player of one section, re-entries together."""

    number: int
    document: dict[str, Any]
    records: dict[str, Record]
    results: list[tuple[int, Decimal]] = field(default_factory=list)  # (opponent's number, score)

    @property
    def games(self) -> int:
        return len(self.results)

    @property
    def score(self) -> Decimal:
        return sum((score for _, score in self.results), D(0))

    @property
    def most_meetings(self) -> int:
        opponents = [number for number, _ in self.results]
        return max((opponents.count(number) for number in opponents), default=0)

    def count(self, score: str) -> int:
        return sum(1 for _, made in self.results if made == D(score))


@dataclass
class Entry:
    """A person as one system sees them: where they start, and what each step made of them."""

    person: Person
    record: Record | None
    prior: Decimal
    games: int
    effective: Decimal
    first: Decimal | None = None
    intermediate: Decimal | None = None
    final: Decimal | None = None
    standard: Standard | None = None

    @property
    def history(self) -> str:
        return self.record.history if self.record else "mixed"

    @property
    def special(self) -> bool:
        return self.games <= 8 or self.history != "mixed"

    @property
    def opening(self) -> Decimal:
        """What opponents see in Step 4."""
        return self.prior if self.first is None else self.first


# --------------------------------------------------------------------------------------------------------- initial
# ratings


def initial(law: Law, system: str, person: Person, end: date) -> tuple[Decimal, int]:
    found = _blended(law, system, person, end) if law.edition == 2025 else _first_of_list(law, system, person)
    if found:
        return found
    document = person.document
    foreign = document.get("foreign_rating")
    if law.edition < 2025 and foreign is not None and not document.get("fide") and not document.get("cfc"):
        return number(foreign), 0
    return _own_age_rating(law, person, end), 0


def _own_age_rating(law: Law, person: Person, on: date) -> Decimal:
    return law.age_rating(_day(person.document.get("birth_date")), bool(person.document.get("adult")), on)


def _first_of_list(law: Law, system: str, person: Person) -> tuple[Decimal, int] | None:
    """The lists of priority of the 2015 and 2017 editions (sections 2.1 to 2.5)."""
    have = person.records
    fide, cfc = person.document.get("fide"), person.document.get("cfc")
    online = system.startswith("OL")

    def from_fide() -> tuple[Decimal, int] | None:
        if not fide:
            return None
        rating = number(fide["rating"])
        return law.fide(rating), 0 if online else 10 if rating > 2150 else 5

    def from_cfc() -> tuple[Decimal, int] | None:
        if not cfc:
            return None
        rating = number(cfc["rating"])
        return law.cfc(rating), 5 if rating > 1500 and not online else 0

    def own(name: str, least: int, most: int = 10**9, worth: int = 0) -> tuple[Decimal, int] | None:
        record = have.get(name)
        if record is None or not least <= record.games <= most:
            return None
        return record.rating, min(worth, record.games)

    def first(*sources: tuple[Decimal, int] | None) -> tuple[Decimal, int] | None:
        return next((source for source in sources if source), None)

    if system == "OTBR":
        return first(from_fide(), from_cfc(), own("OTBQ", 4))
    if system == "OTBQ":
        return first(own("OTBR", 4, worth=10), from_fide(), from_cfc())
    if system == "OTBB":
        regular = own("OTBR", 26, worth=10)
        return first(regular, from_fide(), from_cfc(), own("OTBR", 4, 25, worth=10), own("OTBQ", 4))
    if system == "OLQ":
        blitz = have.get("OLB")
        from_blitz = (blitz.rating, 10 if law.edition == 2015 else 0) if blitz else None
        return first(from_blitz, own("OTBQ", 0), own("OTBB", 0), own("OTBR", 0), from_fide(), from_cfc())
    return first(own("OLQ", 0), own("OTBB", 0), own("OTBQ", 0), own("OTBR", 0), from_fide(), from_cfc())


def _blended(law: Law, system: str, person: Person, end: date) -> tuple[Decimal, int] | None:
    """Section 2 of the 2025 edition."""
    sources: list[tuple[Decimal, int, date]] = []  # X, G and the date of the rating
    for name, record in person.records.items():
        if name != system:
            most = 10 if name == "OTBR" or (system, name) in {("OLB", "OTBB"), ("OLQ", "OTBQ")} else 5
            sources.append((record.rating, min(most, record.games), record.day or end))
    if fide := person.document.get("fide"):
        rating = number(fide["rating"])
        sources.append((law.fide(rating), 10 if rating > 2000 else 5, _day(fide.get("date")) or end))
    cfc = person.document.get("cfc")
    if cfc and (person.document.get("canadian_resident") or not law.since(2025, 1, 1)):
        sources.append((law.cfc(number(cfc["rating"])), 5, _day(cfc.get("date")) or end))
    total = weighted = D(0)
    for rating, games, day in sources:
        if games == 0:
            continue
        z = min(D(6), (rating - _own_age_rating(law, person, day)) / 350)
        weight = games * (D("0.06") * (z - 6) * (end - day).days / D("365.25")).exp()
        total += weight
        weighted += weight * rating
    if not total:
        return None
    return D(half_up(weighted / total)), int(min(D(10), total).to_integral_value(ROUND_CEILING))


# --------------------------------------------------------------------------------------------------------------- one
# section


@dataclass
class Section:
    law: Law
    document: dict[str, Any]
    number: int
    kind: str
    half: bool
    end: date
    event_end: date
    systems: list[str]
    people: list[Person]
    dual: bool  # by the time control, whatever systems a match is rated in at the end (readings 39)

    def k(self, system: str, entry: Entry, games: int) -> Decimal:
        divisor = (2 if self.half else 1) * entry.effective + games
        lowered = self.law.lowers_k_of(system) if self.dual else False
        if lowered and entry.prior >= 2500:
            return 200 / divisor
        if lowered and entry.prior > 2200:
            return 800 * (D("6.5") - D("0.0025") * entry.prior) / divisor
        return 800 / divisor

    def has_bonus(self, games: int, meetings: int) -> bool:
        if self.kind == "match" or games < 3 or meetings > 2:
            return False
        once_only = self.law.practised or self.law.edition == 2025
        return not (games == 3 and meetings > 1 and once_only)

    def standard(
        self, system: str, entry: Entry, opponents: list[Decimal], score: Decimal, games: int, meetings: int
    ) -> Standard:
        k = self.k(system, entry, games)
        expected = sum((expectancy(entry.prior, other) for other in opponents), D(0))
        change = k * (score - expected)
        bonus = D(0)
        if self.has_bonus(games, meetings):
            bonus = max(D(0), change - self.law.bonus_multiplier * D(max(games, 4)).sqrt())
        return Standard(entry.prior + change + bonus, k, expected, bonus)


def rate_section(section: Section, system: str) -> list[tuple[Entry, dict[str, Any], Record]]:
    law = section.law
    field_of = {}
    for person in section.people:  # Steps 1 and 2
        record = person.records.get(system)
        prior, games = (record.rating, record.games) if record else initial(law, system, person, section.event_end)
        field_of[person.number] = Entry(person, record, prior, games, law.effective_games(prior, games))
    entries = list(field_of.values())

    for entry in entries:  # Step 3
        if entry.record is None and entry.games == 0:
            against = [field_of[other].prior for other, _ in entry.person.results]
            case = SpecialCase(entry.prior, D(1), "mixed", against, entry.person.score)
            entry.first = max(D(100), special(case, law.edition))
    for entry in entries:  # Step 4
        _apply(section, system, entry, {key: other.opening for key, other in field_of.items()})
        entry.intermediate = entry.final
    strengths = {key: entry.intermediate or D(0) for key, entry in field_of.items()}
    for entry in entries:  # Step 5
        _apply(section, system, entry, strengths)
    return [(entry, *close(section, system, entry, entry.person.games)) for entry in entries]


def _apply(section: Section, system: str, entry: Entry, strengths: dict[int, Decimal]) -> None:
    person = entry.person
    opponents = [strengths[other] for other, _ in person.results]
    if entry.special:
        case = SpecialCase(entry.prior, entry.effective, entry.history, opponents, person.score)
        entry.final = max(D(100), special(case, section.law.edition))
    else:
        made = section.standard(system, entry, opponents, person.score, person.games, person.most_meetings)
        entry.standard, entry.final = made, max(D(100), made.rating)


def rate_fide_section(section: Section) -> list[tuple[Entry, dict[str, Any], Record]]:
    """Section 6: one pass of the standard formula for each player of ours who is eligible."""
    law, rated = section.law, []
    if any(control.total < 30 for control in time_controls.parse(section.document["time_control"])):
        return []  # only standard events count (readings 40)
    convert = law.fide_youth if section.document.get("youth") else law.fide
    numbered = {person.number: person for person in section.people}
    for person in section.people:
        record = person.records.get("OTBR")
        if record is None or not _fide_eligible(law, person, record):
            continue
        counted = [(o, s) for o, s in person.results if numbered[o].document.get("fide")]
        if not counted:
            continue
        person = replace(person, results=counted)  # noqa: PLW2901  the counted games go on
        entry = Entry(person, record, record.rating, record.games, law.effective_games(record.rating, record.games))
        opponents = [convert(number(numbered[o].document["fide"]["rating"])) for o, _ in counted]
        made = section.standard("OTBR", entry, opponents, person.score, person.games, person.most_meetings)
        entry.standard, entry.final = made, max(D(100), made.rating)
        rated.append((entry, *close(section, "OTBR", entry, person.games)))
    return rated


def _fide_eligible(law: Law, person: Person, record: Record) -> bool:
    document = person.document
    if not document.get("member", True) or (law.edition >= 2017 and not record.established):
        return False
    fide = document.get("fide")
    flagged = bool(document.get("usa_flag")) and bool(fide) and number(fide["rating"]) >= 2200
    return flagged or bool(document.get("fide_opt_in"))


# ------------------------------------------------------------------------------------------------------------ floors
# and after


def floor_of(section: Section, system: str, entry: Entry) -> Decimal:
    law, record, person = section.law, entry.record, entry.person
    personal = D(100)
    if law.since(2008, 8, 7) and (law.edition < 2025 or system.startswith("OTB")):
        wins = person.count("1") + ((record.wins or 0) if record else 0)
        draws = person.count("0.5") + ((record.draws or 0) if record else 0)
        events = int(person.games >= 3) + (record.three_game_events if record else 0)
        personal = D(min(100 + 4 * wins + 2 * draws + events, 150))
    if record is None:
        return personal
    higher = [earned_floor(law, record.best)]
    if record.prize_floor is not None:
        higher.append(record.prize_floor)
    master, lowered = master_with(section, system, entry)
    if master and (law.edition < 2025 or system == "OTBR"):
        higher.append(D(2200))
    without = max(personal, *higher)
    if lowered is None:
        return without
    # a granted request: only floors above the one that was lowered count beside it; it never raises a floor (readings
    # 44)
    return min(without, max(personal, lowered, *(floor for floor in higher if floor > record.was_lowered)))


def master_with(section: Section, system: str, entry: Entry) -> tuple[bool, Decimal | None]:
    """Life master with this event's games (readings 41), and the lowered floor: a 2200 of now was set after the
    lowering.
    """
    old = entry.record
    if old is None:
        return False, None
    above = old.games_above_2200 + (entry.person.games if old.established and old.rating > 2200 else 0)
    master = old.life_master or above >= 300
    newly = master and not old.master and (section.law.edition < 2025 or system == "OTBR")
    if newly and old.lowered_floor is not None and old.lowered_floor < 2200 <= old.was_lowered:
        return master, D(2200)
    return master, old.lowered_floor


def earned_floor(law: Law, best: Decimal | None) -> Decimal:
    if best is None:
        return D(0)
    level = min(2100, (half_up(best) - 200) // 100 * 100)
    return D(level) if level >= (1200 if law.since(2010, 4, 1) else 1400) else D(0)


def match_limited(section: Section, entry: Entry, rating: Decimal) -> Decimal:
    if section.law.practised and not entry.standard:  # the special formula: all that a match may give, or nothing
        rating = entry.prior + (50 if entry.person.score > 0 else 0)
    change = max(D(-50), min(D(50), rating - entry.prior))
    past = entry.record.match_changes if entry.record else ()
    for since, limit in ((section.end - timedelta(days=180), 100), (_years_before(section.end, 3), 200)):
        net = sum((made for day, made in past if since <= day <= section.end), D(0))
        change = max(min(D(0), -limit - net), min(max(D(0), limit - net), change))
    return entry.prior + change


def _years_before(day: date, years: int) -> date:
    try:
        return day.replace(year=day.year - years)
    except ValueError:  # February 29
        return day.replace(year=day.year - years, day=28)


def close(section: Section, system: str, entry: Entry, games: int) -> tuple[dict[str, Any], Record]:
    """Limits, floors, ceiling and storage; the answer and the record to carry on."""
    record, person = entry.record, entry.person
    assert entry.final is not None
    rating = entry.final
    if section.kind == "match":
        rating = match_limited(section, entry, rating)
    floor = floor_of(section, system, entry)
    rating = max(rating, floor)
    if record and record.ceiling is not None:
        rating = min(rating, record.ceiling)
    if section.law.stores_integers:
        rating = away_from(entry.prior, rating)
    grown = math.ceil(games / 2) if section.half else games
    state = carried(section, system, entry, rating, entry.games + grown)
    made = entry.standard
    answer = {
        "section": section.number,
        "pool": system,
        "number": person.number,
        "id": person.document.get("id"),
        "prior": entry.prior,
        "prior_games": entry.games,
        "initialized": record is None,
        "effective_games": entry.effective,
        "formula": "standard" if made else "special",
        "games": games,
        "score": person.score,
        "expected": made.expected if made else None,
        "k": made.k if made else None,
        "bonus": made.bonus if made else None,
        "first_estimate": entry.first,
        "intermediate": entry.intermediate,
        "unfloored": entry.final,
        "floor": floor,
        "post": rating,
        "post_games": entry.games + grown,
        "published": half_up(rating),
    }
    return answer, state


def away_from(prior: Decimal, rating: Decimal) -> Decimal:
    if abs(rating - prior) < EPSILON:
        return D(half_up(rating))
    nearest = rating.to_integral_value()
    if abs(rating - nearest) < EPSILON:
        return nearest
    return rating.to_integral_value(ROUND_CEILING if rating > prior else ROUND_FLOOR)


def carried(section: Section, system: str, entry: Entry, rating: Decimal, games: int) -> Record:
    person, old = entry.person, entry.record
    before = old or Record(entry.prior, entry.games, None, 0, 0, 0, 0)

    best = old.best if old else None
    peak = best
    if games > 25:
        peak = rating if best is None else max(best, rating)
    above = before.games_above_2200
    if old and old.established and old.rating > 2200:
        above += person.games
    master, lowered = master_with(section, system, entry)
    changes = before.match_changes
    if section.kind == "match":
        oldest = _years_before(section.end, 3)  # no limit looks back further
        changes = (*(one for one in changes if one[0] >= oldest), (section.end, rating - entry.prior))
    return replace(
        before,
        rating=rating,
        games=games,
        day=section.end,
        wins=(before.wins or 0) + person.count("1"),  # unknown ones count as none (readings 5)
        draws=(before.draws or 0) + person.count("0.5"),
        losses=None if before.losses is None else before.losses + person.count("0"),
        three_game_events=before.three_game_events + int(person.games >= 3),
        peak=peak,
        games_above_2200=above,
        life_master=master,
        match_changes=changes,
        lowered_floor=lowered,
    )


# ------------------------------------------------------------------------------------------------------------------- an
# event

_SCORES = {"1-0": ("1", "0"), "0-1": ("0", "1"), "1/2-1/2": ("0.5", "0.5")}


def rate(document: dict[str, Any], profile: str = "as-written") -> list[dict[str, Any]]:
    """Every answer, each with its `state` (a `Record`), in the product's order."""
    with localcontext(PRECISION):
        answers = _rate(document, profile == "as-practised")
    answers.sort(key=lambda row: (row["section"], ORDER.index(row["pool"]), row["number"]))
    return answers


def _rate(document: dict[str, Any], practised: bool) -> list[dict[str, Any]]:
    begin = date.fromisoformat(document["start"])
    finish = _day(document.get("end")) or begin
    known: dict[str, dict[str, Record]] = {}
    answers = []
    order = sorted(document["sections"], key=lambda one: (_day(one.get("end")) or finish, one["number"]))
    for raw in order:
        section = _read_section(raw, begin, finish, practised, known)
        updates = []
        if section.kind == "fide":
            updates = [("OTBR", *one) for one in rate_fide_section(section)]
        else:
            if section.kind == "match":
                _check_match(section, begin)
            for system in section.systems:
                updates += [(system, *one) for one in rate_section(section, system)]
        for system, entry, answer, state in updates:
            known[_who(entry.person.document)][system] = state
            answers.append({**answer, "state": state})
    return answers


def _who(player: dict[str, Any]) -> str:
    return player["id"]


def _read_section(
    raw: dict[str, Any], begin: date, finish: date, practised: bool, known: dict[str, dict[str, Record]]
) -> Section:
    start, end = _day(raw.get("start")) or begin, _day(raw.get("end")) or finish
    law = Law(practised, finish if practised else start)
    if not law.since(2001, 1, 1):
        raise NotRatable("no rules before 2001-01-01")
    weight = raw.get("weight", "full")
    if weight == "quarter" or (weight == "half" and law.since(2006, 3, 1)):
        raise NotRatable(f"{weight} K")
    kind = raw.get("kind", "swiss")
    shared = {"OTBR"} if kind == "fide" else set(ORDER)  # section 6 is about the regular rating, whatever the control
    for control in [] if kind == "fide" else time_controls.parse(raw["time_control"]):
        shared &= systems_of(law, raw.get("mode", "otb"), control.total)
    if not shared:
        raise NotRatable("no system in common")
    people = _people(raw, begin, known)
    for person in people:
        for system in shared:
            if system in person.records and person.records[system].games == 0:
                raise NotRatable("a rating on no games")
    systems = [system for system in ORDER if system in shared]
    return Section(law, raw, raw["number"], kind, weight == "half", end, finish, systems, people, len(systems) == 2)


def _people(raw: dict[str, Any], begin: date, known: dict[str, dict[str, Record]]) -> list[Person]:
    """The players with rated games, re-entries together under their lowest number."""
    by_id: dict[str, Person] = {}
    row_of: dict[int, int] = {}
    for player in sorted(raw["players"], key=lambda player: player["number"]):
        who = _who(player)
        if who not in known:
            known[who] = {name: read_record(one, begin) for name, one in (player.get("ratings") or {}).items()}
        person = by_id.setdefault(who, Person(player["number"], player, dict(known[who])))
        row_of[player["number"]] = person.number
    people = {person.number: person for person in by_id.values()}
    for game in raw["games"]:
        if game["result"] in _SCORES:
            white, black = row_of[game["white"]], row_of[game["black"]]
            for_white, for_black = _SCORES[game["result"]]
            people[white].results.append((black, D(for_white)))
            people[black].results.append((white, D(for_black)))
    return [person for person in people.values() if person.games]


def _check_match(section: Section, begin: date) -> None:
    """Section 7: both established, at most 400 points apart, by the ratings published before the event."""
    if len({person.number for person in section.people}) > 2:
        raise NotRatable("a match has two players")
    if section.law.practised or not section.people:
        return
    section.systems = [system for system in section.systems if _both_qualify(section, system, begin)]
    if not section.systems:
        raise NotRatable("a match needs established ratings, at most 400 points apart")


def _both_qualify(section: Section, system: str, begin: date) -> bool:
    records = [person.document.get("ratings", {}).get(system) for person in section.people]
    published = [half_up(read_record(record, begin).rating) for record in records if record and record["games"] > 25]
    return len(published) == 2 and max(published) - min(published) <= 400
