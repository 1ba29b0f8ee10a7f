"""Checks of a section: dates, time control, pairing numbers, rounds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from itertools import pairwise

from crosstable.checks.registry import Case, Noted, error, notice, structural, warning
from crosstable.errors import NoRulesOnDate, UnknownPool, UnknownTimeControl
from crosstable.formats.crosstable import scores
from crosstable.model import Place, Section
from crosstable.model.finding import Fact, Players
from crosstable.rulebook import Rules, rulebook
from crosstable.systems.us_chess.classification import rated_in
from crosstable.systems.us_chess.fide_events import not_standard
from crosstable.systems.us_chess.pools import BY_LETTER, POOLS
from crosstable.systems.us_chess.time_controls import parse

structural("no-players", "A section has no players.", "Add the players.")
structural("duplicate-number", "Two players of a section have the same pairing number.", "Give each player one number.")
structural(
    "unknown-player", "A game names a pairing number that no player has.", "Correct the number or add the player."
)
structural("unknown-result", "A result is not 1-0, 0-1, 1/2-1/2, +/-, -/+ or -/-.", "Use one of these.")
structural("self-pairing", "A player is paired with themself.", "Correct the opponent's number.")

#: A section's pools → the letter with which a report declares them
_DECLARED = {keys: letter for letter, keys in BY_LETTER.items()}
#: What is asked of a time control where it decides what a section is rated in
TIME_CONTROL_CHECKS = (
    "missing-time-control",
    "unreadable-time-control",
    "unratable-time-control",
    "short-first-control",
    "declared-system",
    "contradicting-time-control",
)
_WIDTHS = (("name", 30), ("time_control", 40))


def _where(section: Section) -> Place:
    return Place(section=section.number)


def _pools(section: Section) -> tuple[str, ...]:
    """Return the pools that it will be rated in; raise what the rules say against it."""
    if section.start is None or not section.time_control:
        return ()
    return rated_in(_rules(section.start), section.mode, section.time_control)


def _pools_if_ratable(section: Section) -> tuple[str, ...]:
    """Return the pools that it will be rated in; none where the rules are against it, which another finding says."""
    try:
        return _pools(section)
    except (UnknownPool, UnknownTimeControl, NoRulesOnDate):
        return ()


_BLITZ = frozenset(pool.key for pool in POOLS if pool.speed == "blitz")


@lru_cache(maxsize=64)
def _rules(day: date) -> Rules:
    return rulebook("us_chess").on(day)


@warning("section-dates", "A section's dates are outside the event's.", "Correct whichever is wrong.")
def section_dates(case: Case) -> Iterator[Noted]:
    start, end = case.event.start, case.event.end
    for section in case.event.sections:
        early = start and section.start and section.start < start
        late = end and section.end and section.end > end
        if early or late:
            days = {"start": section.start, "end": section.end, "event_start": start, "event_end": end}
            facts = {name: None if one is None else str(one) for name, one in days.items()}
            yield _where(section), f"{section.start} to {section.end}, but the event is from {start} to {end}", facts


@warning("impossible-round", "A game is in a round before round 1.", "Number the rounds from 1.")
def impossible_round(case: Case) -> Iterator[Noted]:
    for section in case.event.sections:
        for number in sorted({game.round for game in section.games if game.round < 1}):
            yield _where(section), f"there is no round {number}", {"round": number}


@notice(
    "missing-section-name",
    "The event has several sections, and one has no name.",
    "Enter a name, such as Open or U1600.",
)
def missing_section_name(case: Case) -> Iterator[Noted]:
    for section in case.event.sections:
        if len(case.event.sections) > 1 and not section.name.strip():
            yield _where(section), "no name"


@warning(
    "missing-time-control",
    "The file does not say the time control, which decides what a section is rated in.",
    "Enter it, for example G/60;d5.",
)
def missing_time_control(case: Case) -> Iterator[Noted]:
    for section in case.event.sections if case.by_time_control else ():
        if not (section.time_control or "").strip() and section.kind != "fide" and section.notes.get("game") != "go":
            yield _where(section), "no time control"


@warning("unreadable-time-control", "A time control cannot be read.", "Write it as G/60;d5 or 40/90,SD/30;d5.")
def unreadable_time_control(case: Case) -> Iterator[Noted]:
    for section in case.event.sections if case.by_time_control else ():
        if section.time_control:
            try:
                parse(section.time_control)
            except UnknownTimeControl as problem:
                yield _where(section), str(problem)


@warning(
    "unratable-time-control",
    "US Chess does not rate this time control, or did not on that day, or its rounds have no pool in common.",
    "Correct the time control, the mode or the date.",
)
def unratable_time_control(case: Case) -> Iterator[Noted]:
    for section in case.event.sections if case.by_time_control else ():
        try:
            _pools(section)
        except (UnknownPool, NoRulesOnDate) as problem:
            yield _where(section), str(problem)
        except UnknownTimeControl:
            continue


@notice(
    "fide-not-standard",
    "A foreign FIDE event is not a standard event: no rating changes.",
    "Correct the time control if it was one.",
)
def fide_not_standard(case: Case) -> Iterator[Noted]:
    """Rapid and blitz events abroad bring a finding and change nothing (readings 40)."""
    for section in case.event.sections if case.by_time_control else ():
        if section.kind != "fide" or section.start is None or section.start < rulebook("us_chess").first:
            continue
        if reason := not_standard(_rules(section.start), section):
            yield _where(section), f"not a standard event: {reason}"


@warning(
    "short-first-control",
    "The first time control is under 5 minutes (blitz: 3). The rules allow it, but US Chess may not accept it.",
    "Check the time control.",
)
def short_first_control(case: Case) -> Iterator[Noted]:
    for section in case.event.sections if case.by_time_control else ():
        try:
            controls = parse(section.time_control or "")
        except UnknownTimeControl:
            continue
        for control in controls:
            least = _least_first_control(section, control.total)
            if control.first_control_minutes < least <= control.total:
                facts: dict[str, Fact] = {
                    "found": control.text,
                    "minutes": control.first_control_minutes,
                    "least": least,
                }
                yield _where(section), f"{control.text!r} begins with {control.first_control_minutes:g} minutes", facts


def _least_first_control(section: Section, total: float) -> float:
    """Of Blitz, or of everything slower: the limits of the section's day (without one: of today's rules)."""
    rule = _rules(max(section.start or date.max, rulebook("us_chess").first))["time_controls"]
    blitz = max((one["through"] for one in rule["pools"] if one["pool"] in _BLITZ), default=0)
    return float(rule["first_control_blitz"] if total <= blitz else rule["first_control"])


@warning(
    "declared-system",
    "The report declares a different rating system from the one its time control gives. The time control decides.",
    "Correct whichever is wrong.",
)
def declared_system(case: Case) -> Iterator[Noted]:
    for section in case.event.sections if case.by_time_control else ():
        declared, derived = section.notes.get("rating_system"), _DECLARED.get(_pools_if_ratable(section))
        if derived and isinstance(declared, str) and declared and declared != derived:
            facts: dict[str, Fact] = {"declared": declared, "time_control": section.time_control, "gives": derived}
            yield _where(section), f"declared {declared}, but {section.time_control} is {derived}", facts


@error(
    "contradicting-time-control",
    "The published page shows ratings in other pools than its time control gives.",
    "Correct the time control, or leave it out: the page shows what was rated.",
)
def contradicting_time_control(case: Case) -> Iterator[Noted]:
    for section in case.event.sections:
        shown, derived = section.notes.get("pools"), _pools_if_ratable(section)
        if derived and isinstance(shown, list | tuple) and shown and not set(shown) & set(derived):
            pages, gives = " and ".join(map(str, shown)), " and ".join(derived)
            facts: dict[str, Fact] = {
                "shown": tuple(map(str, shown)),
                "time_control": section.time_control,
                "gives": tuple(derived),
            }
            yield _where(section), f"the page shows {pages} ratings, but {section.time_control!r} is {gives}", facts


@warning(
    "number-gap",
    "Pairing numbers are missing, or one is out of order.",
    "Check that no player is missing.",
)
def number_gap(case: Case) -> Iterator[Noted]:
    for section in case.event.sections:
        listed = [player.number for player in section.players]
        missing = sorted(set(range(1, max(listed, default=0))) - set(listed)) if max(listed, default=0) <= 9999 else []
        jumps = [(one, other) for one, other in pairwise(listed) if other > one + 1]
        steps = sum(other == one + 1 for one, other in pairwise(listed))
        if missing:
            shown = ", ".join(str(number) for number in missing[:10]) + (" …" if len(missing) > 10 else "")
            yield _where(section), f"no player has the number {shown}", {"missing": tuple(missing[:100])}
        elif jumps and 2 * steps > len(listed):  # a list by score, not by number, has no order to break
            player = Players((jumps[0][1],))
            yield _where(section), f"{{player}} follows {jumps[0][0]}", {"player": player, "after": jumps[0][0]}


@warning("no-games", "A section has players but no games.", "Enter the results.")
def no_games(case: Case) -> Iterator[Noted]:
    for section in case.event.sections:
        if section.players and not section.games:
            yield _where(section), f"{len(section.players)} players and no games"


@warning("two-games-in-round", "A player has two games in one round.", "Correct the round of one of them.")
def two_games_in_round(case: Case) -> Iterator[Noted]:
    for section in case.event.sections:
        if section.kind in ("round-robin", "match"):  # there `round` may be the opponent's column
            continue
        seats = Counter((game.round, number) for game in section.games for number in {game.white, game.black})
        for (round_, number), count in sorted((seat, count) for seat, count in seats.items() if count > 1):
            yield _where(section).at(players=(number,), round=round_), f"{count} games"


@warning("round-out-of-range", "A game is in a round that the section does not have.", "Correct the round.")
def round_out_of_range(case: Case) -> Iterator[Noted]:
    for section in case.event.sections:
        rounds = section.notes.get("rounds")
        last = rounds if isinstance(rounds, int) and rounds > 0 else None
        for game in section.games:
            if game.round < 1 or (last and game.round > last):
                said = f" of {last}" if last else ""
                yield (
                    _where(section).at(players=(game.white, game.black), round=game.round),
                    f"round {game.round}{said}",
                )


@notice("repeated-pairing", "Two players met more than once in a Swiss.", "If this is right, do nothing.")
def repeated_pairing(case: Case) -> Iterator[Noted]:
    for section in case.event.sections:
        if section.kind != "swiss" or len(section.players) <= 2:
            continue
        pairs = Counter((min(g.white, g.black), max(g.white, g.black)) for g in section.games if g.played)
        again = [f"{a} and {b}" for a, b in sorted(pair for pair, count in pairs.items() if count > 1)]
        if again:
            yield (
                _where(section),
                f"{len(again)} pair{'' if len(again) == 1 else 's'} met more than once, first {again[0]}",
            )


_MATCH = re.compile(r"\bmatch\b", re.IGNORECASE)


@warning(
    "perhaps-match",
    "Two players met several times, or the title has the word match, but the section is not declared as a match.",
    "Say whether it is a match: matches have their own rules.",
)
def perhaps_match(case: Case) -> Iterator[Noted]:
    """2025 §4.2: a match earns no bonus, and its change is limited."""
    for section in case.event.sections:
        if section.kind in ("match", "fide"):
            continue
        met = sum(game.played for game in section.games)
        alone = len(section.players) == 2 and met > 1
        if alone:
            yield (
                _where(section),
                f"two players met {met} times, and the section is rated as a {section.kind}",
                {"met": met},
            )
        elif _MATCH.search(section.name) or (len(case.event.sections) == 1 and _MATCH.search(case.event.name)):
            yield _where(section), f"the title has the word match, and the section is rated as a {section.kind}"


@warning(
    "total-differs",
    "A player's total does not agree with the results in the rounds.",
    "Check the rounds and the total.",
)
def total_differs(case: Case) -> Iterator[Noted]:
    for section in case.event.sections:
        points = scores(section)
        for player in section.players:
            total = player.notes.get("total")
            if isinstance(total, int | float) and not isinstance(total, bool) and total * 2 != points[player.number]:
                where = _where(section).at(players=(player.number,))
                facts = {"total": total, "rounds_give": points[player.number] / 2}
                yield where, f"the total is {total:g}, the rounds give {points[player.number] / 2:g}", facts


@notice("over-width", "A name or time control is longer than a report can hold.", "Shorten it before you send.")
def over_width(case: Case) -> Iterator[Noted]:
    if not case.us_chess:
        return
    if len(case.event.name) > 35:
        facts: dict[str, Fact] = {"field": "name", "length": len(case.event.name), "limit": 35}
        yield "event", f"a name of {len(case.event.name)} characters; at most 35 are allowed", facts
    for section in case.event.sections:
        for name, width in _WIDTHS:
            text = getattr(section, name) or ""
            if len(text) > width:
                yield (
                    _where(section),
                    f"a {name.replace('_', ' ')} of {len(text)} characters; at most {width} are allowed",
                    {"field": name, "length": len(text), "limit": width},
                )
        for player in section.players:
            if len(player.name) > 30:
                yield (
                    _where(section).at(players=(player.number,)),
                    f"a name of {len(player.name)} characters; at most 30 are allowed",
                    {"field": "name", "length": len(player.name), "limit": 30},
                )


@notice("non-ascii", "A name has letters that a US Chess report cannot hold.", "It will be written without accents.")
def non_ascii(case: Case) -> Iterator[Noted]:
    if not case.us_chess:
        return
    for section in case.event.sections:
        names = [player.number for player in section.players if not player.name.isascii()]
        if names or not section.name.isascii():
            whose = [f"{len(names)} player{'' if len(names) == 1 else 's'}"] if names else []
            whose += [] if section.name.isascii() else ["the section"]
            yield _where(section), f"{' and '.join(whose)}: the name has letters that a US Chess report cannot hold"
