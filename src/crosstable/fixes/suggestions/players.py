"""Fixes for findings about a player's row."""

from __future__ import annotations

from crosstable.checks.names import equal_names
from crosstable.checks.players import fide_numbers
from crosstable.fixes.suggestions.base import KEEP, Candidate, Case, suggest
from crosstable.model import Fix, Input, Player
from crosstable.model.finding import Fact
from crosstable.systems.us_chess.pools import KEYS

_ASKS_FOR_AN_ID = ("no-id", "unknown-id", "name-differs", "id-format", "long-id", "namesake", "far-from-record")
#: The id may well be right: another one is never chosen without a person
_DOUBTS = ("namesake", "far-from-record")
#: So many players of one name are suggested; more are looked for by hand
_NEAREST = 3
_TYPED_ID = (Input("id"),)
_BORN = (Input("day", "date"),)


@suggest(
    "no-id",
    "missing-id",
    "unknown-id",
    "transposed-id",
    "name-differs",
    "id-format",
    "long-id",
    "far-from-field",
    "low-performance",
    "age-far-from-field",
    "out-of-state",
    "new-player",
    "namesake",
    "far-from-record",
)
def identity(case: Case) -> list[Fix]:
    """Return the id of those who have this name; or one that is typed; or it is right."""
    player, code = case.player, case.finding.code
    if player is None:
        return _many_ids(case) if code == "missing-id" else []
    near = str(case.finding.facts.get("id", "")) if code == "transposed-id" else ""
    found = [Fix("id", {**case.here, "id": near}, suggested=True)] if near else []
    asks = code in _ASKS_FOR_AN_ID
    if asks:
        found += _candidates(case, player)
    of_fide = code == "unknown-id" and case.section is not None and fide_numbers(case.section)
    if player.id and not of_fide and code not in ("no-id", "long-id"):
        found.append(KEEP)
        found += unrated(case) if code in ("unknown-id", "new-player") and not player.ratings else []
    if asks and not any(fix.suggested for fix in found):
        found.append(Fix("id", case.here, _TYPED_ID))
    return [*found, *_no_id_yet(case)] if of_fide or code == "no-id" else found


def _candidates(case: Case, player: Player) -> list[Fix]:
    """Return the ids of those who may be meant: the same name first, then the id nearest to the one in the file."""
    people = [one for one in case.known.get(player.name, ()) if one.id != player.id]
    people.sort(key=lambda one: (not equal_names(player.name, one.name), digits_apart(player.id, one.id), one.id))
    alone = len(people) == 1 and case.finding.code not in _DOUBTS
    return [Fix("id", {**case.here, "id": one.id}, suggested=alone, about=about(one)) for one in people[:_NEAREST]]


def digits_apart(one: str, other: str) -> int:
    """Return how long the group of digits is in which two ids differ; as long as the ids where they cannot be
    compared.
    """
    if not one or len(one) != len(other):
        return max(len(one), len(other))
    places = [place for place, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1]]
    return places[-1] - places[0] + 1 if places else 0


def about(one: Candidate) -> dict[str, Fact]:
    """Return what is known of a candidate."""
    facts: dict[str, Fact] = {
        "name": one.name,
        "state": one.state,
        "rating": one.rating,
        "last_event": one.last_event,
        "birth_year": one.birth_year,
    }
    return {name: fact for name, fact in facts.items() if fact not in ("", None)}


@suggest("fide-numbers")
def numbers_of_fide(case: Case) -> list[Fix]:
    """Return how they are kept as members' ids, with a box to tick: the office numbers its members so."""
    return [Fix("keep-numbers", {"section": str(case.place.section)}, (Input("sure", "check"),))]


def _no_id_yet(case: Case) -> list[Fix]:
    """Return the fixes for a new member: the age decides the first rating, and the office gives the id."""
    player = case.player
    if player is None:
        return []
    if player.ratings or player.adult or player.birth_date:
        return [Fix("new-member", case.here)]
    born = (Input("day", "date", needed=False),)
    return [Fix("new-member", case.here, born), Fix("new-member", {**case.here, "adult": "1"}, born)]


@suggest("id-to-come")
def to_come(case: Case) -> list[Fix]:
    player = case.player
    ages = [] if player is None or player.ratings else unrated(case)
    return [*ages, Fix("id", case.here, _TYPED_ID)]


def _many_ids(case: Case) -> list[Fix]:
    values = {"section": str(case.place.section)}
    return [Fix("ids", values, (Input("ids", "lines"),)), Fix("new-members", values)]


@suggest("swapped-ids")
def swapped(case: Case) -> list[Fix]:
    if len(case.place.players) != 2:
        return [KEEP]
    one, other = map(str, case.place.players)
    return [Fix("swap-ids", {"section": str(case.place.section), "one": one, "other": other}), KEEP]


@suggest("re-entry", "reentry-differs")
def entries(case: Case) -> list[Fix]:
    """Return the fixes for one person in two rows: entered again, or one row too many."""
    if len(case.place.players) < 2:
        return []
    section = str(case.place.section)
    one, other = map(str, case.place.players[:2])
    values = {"section": section, "one": one, "other": other}
    differs = case.finding.code == "reentry-differs"
    again = Fix("re-entry", values, suggested=True) if differs else Fix("keep", suggested=True)
    joined = [] if _both_played(case) else [Fix("join", values)]
    return [again, *joined, Fix("id", {"section": section, "player": other}, _TYPED_ID)]


def _both_played(case: Case) -> bool:
    """Return whether the two rows have games in one round: then they are not one person's."""
    games = case.section.games if case.section else ()
    rounds = [{game.round for game in games if one in (game.white, game.black)} for one in case.place.players[:2]]
    return bool(rounds[0] & rounds[1])


@suggest("duplicate-number")
def numbers(case: Case) -> list[Fix]:
    return [Fix("number", case.here)]


@suggest("missing-name")
def names(case: Case) -> list[Fix]:
    """Return the register's name first, where it has the id."""
    listed = case.known.get(case.player.id, ()) if case.player else ()
    found = [Fix("name", {**case.here, "name": one.name}, suggested=True, about=about(one)) for one in listed]
    return [*found, Fix("name", case.here, (Input("name"),))]


@suggest("missing-rating")
def unrated(case: Case) -> list[Fix]:
    """Return how old a newcomer is: an adult, or a player whose birth date decides the first rating."""
    player = case.player
    if player is None or player.adult or player.birth_date:
        return []
    return [Fix("adult", case.here), Fix("born", case.here, _BORN)]


@suggest("born-after-event", "improbable-age")
def ages(case: Case) -> list[Fix]:
    found = [Fix("born", case.here, _BORN), Fix("born", case.here)]
    return found if case.finding.code == "born-after-event" else [*found, KEEP]


@suggest("unreadable-rating", "rating-out-of-range", "rating-after-event", "below-own-floor")
def ratings(case: Case) -> list[Fix]:
    if case.player is None:
        return []
    pool = case.place.pool or str(case.finding.facts.get("pool", ""))
    values = {**case.here, **({"pool": pool} if pool in KEYS else {})}
    return [Fix("rating", values, (Input("rating"),)), Fix("rating", {**values, "rating": ""})]


@suggest("missing-game-counts", "no-game-count", "zero-games")
def counts(case: Case) -> list[Fix]:  # noqa: ARG001 - every suggestion is asked for in the same way
    return [Fix("games-known")]


@suggest("not-a-member", "expired-member")
def memberships(case: Case) -> list[Fix]:  # noqa: ARG001 - every suggestion is asked for in the same way
    return [KEEP]
