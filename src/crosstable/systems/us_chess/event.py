"""Rates a whole event: sections by end date and number, each from what the one before left (readings 14)."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from crosstable.errors import EventRejected
from crosstable.findings import declare
from crosstable.model import Answer, Event, Finding, Level, Place, Rated, Rating, Section, errors
from crosstable.rulebook import AS_WRITTEN, Rules, rulebook
from crosstable.systems import structure
from crosstable.systems.protocol import StoredSection
from crosstable.systems.us_chess import validity
from crosstable.systems.us_chess.classification import dual_rated
from crosstable.systems.us_chess.coefficients import coefficients
from crosstable.systems.us_chess.deciding import rules_of
from crosstable.systems.us_chess.derivation import derive, start_step
from crosstable.systems.us_chess.entries import SectionEntry, entries_of, with_event_ratings
from crosstable.systems.us_chess.fide_events import not_counted, not_standard
from crosstable.systems.us_chess.pools import KEYS, MAIN
from crosstable.systems.us_chess.section import fide_adjustment, rate_section, start_of
from crosstable.systems.us_chess.update import Circumstances, Context, PlayerUpdate, lowered_from

declare(
    "floor-request", Level.NOTICE, "A match result is below the player's floor.", "The player may ask for a lower one."
)
declare(
    "fide-not-counted",
    Level.NOTICE,
    "A player's rating is not adjusted for a FIDE section.",
    "No action is needed: the message gives the reason.",
)


@dataclass(frozen=True, slots=True)
class RatedSection(Context):
    """A section's updates, with what is needed to explain them."""

    updates: tuple[PlayerUpdate, ...]


def problems(event: Event, profile: str = AS_WRITTEN) -> list[Finding]:
    """Return everything that stands in the way of rating this event, and what is odd about its records."""
    return structure.problems(event) + validity.problems(event, profile)


def rate(event: Event, profile: str = AS_WRITTEN, *, checked: Sequence[Finding] | None = None) -> Rated:
    """Every player's new rating in every pool of every section, with the work behind it.

    `checked`: what `problems` found, where the caller has asked.
    """
    findings = problems(event, profile) if checked is None else list(checked)
    if errors(findings):
        raise EventRejected(findings)
    answers: list[Answer] = []
    for rated in rate_sections(event, profile):
        answers += answers_of(rated)
        findings += _noticed(rated)
    answers.sort(key=lambda row: (row.section, KEYS.index(row.pool), row.number))
    return Rated(event.name, "us_chess", tuple(answers), tuple(findings), source=event)


def rate_sections(event: Event, profile: str) -> list[RatedSection]:
    """Rate the sections in order, chained: a player's later sections start from the earlier ones' results.

    By id: number 1 of two sections without ids are two people.
    """
    carried: dict[str, dict[str, Rating]] = {}
    by_age: dict[str, set[str]] = {}  # the pools in which a player's rating still is what an age made it
    rated = []

    def before(entry: SectionEntry) -> EntryRatings:
        who = entry.player.id
        return EntryRatings({**entry.player.ratings, **carried.get(who, {})}, by_age.get(who, ()))

    for written in sorted(event.sections, key=lambda section: (section.end or date.max, section.number)):
        section = with_event_ratings(event, written)
        rules, pools, _ = validity.section_rules(event, section, profile)
        assert rules is not None and event.end is not None  # the event has been found valid  # noqa: S101, PT018
        undated = event.start or section.start or event.end
        done = rate_in(section, rules, pools, before, event.end, undated)
        for update in done.updates:
            who = update.entry.player.id
            if not who:
                continue
            carried.setdefault(who, {})[update.pool] = update.state
            own = by_age.setdefault(who, set())
            (own.add if update.still_by_age else own.discard)(update.pool)
        rated.append(done)
    return rated


@dataclass(frozen=True, slots=True)
class EntryRatings:
    """What one entry brings to a section: its ratings, and those of them that still are what an age made them."""

    ratings: Mapping[str, Rating]
    by_age: Collection[str] = ()


def rate_in(
    section: Section,
    rules: Rules,
    pools: Sequence[str],
    before: Callable[[SectionEntry], EntryRatings],
    event_end: date,
    undated: date,
) -> RatedSection:
    """One section in all its pools. Dual-rated: both start from the ratings before the section (readings 10).

    `undated`: the day of a rating without a date.
    """
    here = circumstances_of(section, rules, event_end=event_end, dual=_dual(section, rules, pools))
    field = entries_of(section)
    brought = [before(entry) for entry in field]
    updates: list[PlayerUpdate] = []
    if section.kind == "fide" and not_standard(rules, section):
        return RatedSection(section, rules, here, field, ())
    if section.kind == "fide":
        for entry, own in zip(field, brought, strict=True):
            record = own.ratings.get(MAIN)
            if record is not None and not_counted(rules, entry.player, record) is None:
                update = fide_adjustment(here, section, field, entry, record)
                updates += [update] if update else []
        return RatedSection(section, rules, here, field, tuple(updates))
    for pool in pools:
        starts = [
            start_of(here, pool, entry.player, own.ratings, undated, own.by_age)
            for entry, own in zip(field, brought, strict=True)
        ]
        updates += rate_section(here, pool, field, starts)
    return RatedSection(section, rules, here, field, tuple(updates))


def rate_kept(event: Event, kept: StoredSection, profile: str) -> Rated:
    """One section in the pools that an office keeps it in.

    History tables may be older than the rules: the oldest hold.
    """
    (section,) = event.sections
    start, end, last = section.start, section.end, event.end
    assert start is not None and end is not None and last is not None  # an office keeps no other  # noqa: S101, PT018
    first = rulebook("us_chess").first if kept.from_history else date.min
    rules = rules_of(max(start, first), max(end, first), max(last, first), profile)
    if "half_k" not in rules:
        section = replace(section, weight="full")
    if kept.from_history:  # the record says in which pools it was rated, whatever its time control reads like
        section = replace(section, time_control=None)

    def before(entry: SectionEntry) -> EntryRatings:
        return EntryRatings(entry.player.ratings, kept.by_age.get(entry.number, ()))

    pools = [pool for pool in kept.pools if pool in KEYS]
    if kept.starts and section.kind != "fide":
        return Rated(event.name, "us_chess", tuple(_starts(section, rules, pools, before, (last, start))))
    rated = rate_in(section, rules, pools, before, last, start)
    return Rated(event.name, "us_chess", tuple(answers_of(rated, kept.only)))


def _starts(
    section: Section,
    rules: Rules,
    pools: Sequence[str],
    before: Callable[[SectionEntry], EntryRatings],
    days: tuple[date, date],
) -> Iterator[Answer]:
    """Return where every player starts, and nothing else.

    `days`: the event's end, and the day of a rating without a date.
    """
    here = circumstances_of(section, rules, event_end=days[0], dual=_dual(section, rules, pools))
    field = entries_of(section)
    context = Context(section, rules, here, field)
    for entry in field:
        own = before(entry)
        for pool in pools:
            start = start_of(here, pool, entry.player, own.ratings, days[1], own.by_age)
            step = start_step(entry.player, pool, start, context)
            state = Rating(start.rating, start.games)
            yield Answer(
                section=section.number,
                pool=pool,
                number=entry.number,
                id=entry.player.id,
                prior=start.rating,
                post=start.rating,
                published=0,
                state=state,
                values={},
                derivation=(step,),
            )


def answers_of(rated: RatedSection, only: int | None = None) -> list[Answer]:
    """Return all players' answers with the work behind them, or with that of one pairing number only."""
    return [answer(update, rated, whole=only in (None, update.entry.number)) for update in rated.updates]


def _dual(section: Section, rules: Rules, pools: Sequence[str]) -> bool:
    return dual_rated(rules, section.mode, section.time_control, pools)


def circumstances_of(section: Section, rules: Rules, *, event_end: date | None = None, dual: bool) -> Circumstances:
    assert section.end is not None  # the event has been found valid  # noqa: S101
    matches = rules["matches"]
    return Circumstances(
        rules=coefficients(rules),
        dual=dual,
        match=section.kind == "match",
        weight=rules["half_k"]["prior_weight"] if section.weight == "half" else 1,
        end=section.end,
        event_end=event_end or section.end,
        match_days=matches["days"],
        match_years=matches["years"],
    )


def _granting(rated: RatedSection, update: PlayerUpdate) -> str:
    """Return what a record says after a granted request;
    after a second one also what was lowered first (readings 23).
    """
    before = lowered_from(rated.circumstances.rules, update.start.record)
    if math.isnan(before):
        return "set lowered_floor"
    return f"set lowered_floor to {update.floor_request:g} and lowered_from to {max(before, update.floor):g}"


def _noticed(rated: RatedSection) -> list[Finding]:
    """Return what a person should know about a rated section: floor requests, FIDE games that did not count."""
    findings = []
    for update in rated.updates:
        if update.floor_request is not None:
            where = Place(section=rated.section.number, players=(update.entry.number,))
            message = f"the match result {update.limited:.2f} is below the floor of {update.floor:g}."
            advice = (
                f"This is a request to lower the floor to {update.floor_request:g}; if it is granted,"
                f" {_granting(rated, update)}."
            )
            findings.append(Finding(Level.NOTICE, "floor-request", where, message, advice))
    if rated.section.kind == "fide" and not not_standard(rated.rules, rated.section):
        counted = {update.entry.number for update in rated.updates}
        for entry in rated.field:
            if entry.number not in counted and entry.player.ratings:
                reason = (
                    not_counted(rated.rules, entry.player, entry.player.ratings.get(MAIN))
                    or "no opponent has a FIDE rating"
                )
                where = Place(section=rated.section.number, players=(entry.number,))
                findings.append(Finding(Level.NOTICE, "fide-not-counted", where, f"not adjusted: {reason}.", ""))
    return findings


def answer(update: PlayerUpdate, context: Context, *, whole: bool = True) -> Answer:
    """Return an update as the answer's JSON has it: values in print order."""
    steps, start, entry = update.steps, update.start, update.entry
    values = {
        "section": context.section.number,
        "pool": update.pool,
        "number": entry.number,
        "id": entry.player.id,
        "name": entry.player.name,
        "prior": start.rating,
        "prior_games": start.games,
        "initialized": not start.rated,
        "effective_games": steps.effective,
        "formula": "special" if steps.special else "standard",
        "games": entry.games,
        "score": entry.score,
        "expected": steps.expected,
        "k": steps.k,
        "bonus": steps.bonus,
        "first_estimate": steps.first_estimate,
        "intermediate": steps.intermediate,
        "unfloored": steps.result,
        "floor": update.floor,
        "post": update.post,
        "post_games": update.post_games,
        "published": update.published,
    }
    return Answer(
        section=context.section.number,
        pool=update.pool,
        number=entry.number,
        id=entry.player.id,
        prior=start.rating,
        post=update.post,
        published=update.published,
        state=update.state,
        values=values,
        derivation=derive(update, context, whole=whole),
        by_age=update.still_by_age,
    )
