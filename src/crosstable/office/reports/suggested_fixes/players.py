"""What may be wrong with a player's row, and how it is put right."""

from __future__ import annotations

from crosstable.checks.players import fide_numbers
from crosstable.office.players.person import Person
from crosstable.office.reports.suggested_fixes.base import KEEP, Case, Input, Offer, offers
from crosstable.systems.us_chess.pools import KEYS


@offers(
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
)
def identity(case: Case) -> list[Offer]:
    """The id of whoever has this name; or one that is typed; or it is right as it stands."""
    player = case.player
    if player is None:
        return _many_ids(case) if case.finding.code == "missing-id" else []
    near = str(case.finding.facts.get("id", "")) if case.finding.code == "transposed-id" else ""
    found = [Offer(f"Use {near}", "id", {**case.here, "id": near}, main=True)] if near else []
    people = [one for one in case.known.get(player.name, ()) if one.number != player.id and not near]
    asks = case.finding.code in ("no-id", "unknown-id", "name-differs", "id-format", "long-id")
    for one in people if asks else ():
        words = f"Use {one.number}" + (f", {one.name}" if len(people) > 1 else "")
        found.append(Offer(words, "id", {**case.here, "id": one.number}, main=len(people) == 1, hint=_who(one)))
    of_fide = case.finding.code == "unknown-id" and case.section is not None and fide_numbers(case.section)
    if player.id and not of_fide and case.finding.code not in ("no-id", "long-id"):
        newcomer = case.finding.code in ("unknown-id", "new-player")
        found.append(Offer("Keep it: a new member" if newcomer else KEEP, "keep"))
        found += unrated(case) if newcomer and not player.ratings else []
    if asks and not any(offer.main for offer in found):
        found.append(Offer("Use this id", "id", case.here, (Input("id", "Id"),)))
    return [*found, *_no_id_yet(case)] if of_fide or case.finding.code == "no-id" else found


@offers("fide-numbers")
def numbers_of_fide(case: Case) -> list[Offer]:
    """Kept as members' ids only by somebody who says that this is how the office numbers its members."""
    sure = Input("sure", "I know that this office numbers its members as FIDE does", "check")
    return [
        Offer("Keep the FIDE numbers as members’ ids", "keep-numbers", {"section": str(case.place.section)}, (sure,))
    ]


def _no_id_yet(case: Case) -> list[Offer]:
    """Somebody new: how old decides the first rating, and the office gives the id."""
    player = case.player
    if player is None:
        return []
    if player.ratings or player.adult or player.birth_date:
        return [Offer("A new member, no id yet", "new-member", case.here)]
    born = (Input("day", "Born on", "date", needed=False),)
    return [
        Offer("A new member, no id yet", "new-member", case.here, born),
        Offer("A new adult member, no id yet", "new-member", {**case.here, "adult": "1"}, born),
    ]


@offers("id-to-come")
def to_come(case: Case) -> list[Offer]:
    player = case.player
    ages = [] if player is None or player.ratings else unrated(case)
    return [*ages, Offer("Use this id", "id", case.here, (Input("id", "Has an id after all"),))]


def _who(one: Person) -> str:
    return f"{one.name} has {one.number}" + (f", {one.region}." if one.state else ".")


def _many_ids(case: Case) -> list[Offer]:
    values = {"section": str(case.place.section)}
    return [
        Offer("Use these ids", "ids", values, (Input("ids", "Their ids, in this order; - for none", "lines"),)),
        Offer("All are new members, no ids yet", "new-members", values),
    ]


@offers("swapped-ids")
def swapped(case: Case) -> list[Offer]:
    if len(case.place.players) != 2:
        return [Offer(KEEP, "keep")]
    one, other = map(str, case.place.players)
    values = {"section": str(case.place.section), "one": one, "other": other}
    return [Offer("Swap the two ids", "swap-ids", values), Offer(KEEP, "keep")]


@offers("re-entry", "reentry-differs")
def entries(case: Case) -> list[Offer]:
    """One person in two rows: entered again, or one row too many."""
    if len(case.place.players) < 2:
        return []
    one, other = map(str, case.place.players[:2])
    values = {"section": str(case.place.section), "one": one, "other": other}
    first = (
        Offer("It is a re-entry", "re-entry", values, main=True)
        if case.finding.code == "reentry-differs"
        else Offer("It is a re-entry", "keep", main=True)
    )
    another = Offer(
        f"Number {other} is somebody else",
        "id",
        {"section": values["section"], "player": other},
        (Input("id", f"Id of number {other}"),),
    )
    joined = [] if _both_played(case) else [Offer("One row too many", "join", values)]
    return [first, *joined, another]


def _both_played(case: Case) -> bool:
    """Whether the two rows have games in one round: then they are no one person's."""
    games = case.section.games if case.section else ()
    rounds = [{game.round for game in games if one in (game.white, game.black)} for one in case.place.players[:2]]
    return bool(rounds[0] & rounds[1])


@offers("duplicate-number")
def numbers(case: Case) -> list[Offer]:
    return [Offer("Give the last one a new number", "number", case.here)]


@offers("missing-name")
def names(case: Case) -> list[Offer]:
    """That of the register first, where it has the id."""
    typed = Offer("Use this name", "name", case.here, (Input("name", "Name"),))
    listed = case.known.get(case.player.id, ()) if case.player else ()
    return [
        *(
            Offer(f"Use {one.name}", "name", {**case.here, "name": one.name}, main=True, hint=_who(one))
            for one in listed
        ),
        typed,
    ]


@offers("missing-rating")
def unrated(case: Case) -> list[Offer]:
    """A newcomer: an adult, or somebody whose birth date decides the first rating."""
    player = case.player
    if player is None or player.adult or player.birth_date:
        return []
    return [
        Offer("An adult", "adult", case.here),
        Offer("Use this birth date", "born", case.here, (Input("day", "Born on", "date"),)),
    ]


@offers("born-after-event", "improbable-age")
def ages(case: Case) -> list[Offer]:
    found = [
        Offer("Use this birth date", "born", case.here, (Input("day", "Born on", "date"),)),
        Offer("Leave it out", "born", case.here),
    ]
    return found if case.finding.code == "born-after-event" else [*found, Offer(KEEP, "keep")]


@offers("unreadable-rating", "rating-out-of-range", "rating-after-event", "below-own-floor")
def ratings(case: Case) -> list[Offer]:
    if case.player is None:
        return []
    pool = case.place.pool or str(case.finding.facts.get("pool", ""))
    values = {**case.here, **({"pool": pool} if pool in KEYS else {})}
    return [
        Offer("Use this rating", "rating", values, (Input("rating", "Rating before the event"),)),
        Offer("Leave it out", "rating", {**values, "rating": ""}),
    ]


@offers("missing-game-counts", "no-game-count", "zero-games")
def counts(case: Case) -> list[Offer]:  # noqa: ARG001 — every mend is asked in the same way
    return [Offer("They are established", "games-known")]


@offers("not-a-member", "expired-member")
def memberships(case: Case) -> list[Offer]:  # noqa: ARG001 - every mend is asked in the same way
    return [Offer("Renewed, or paid with this report", "keep")]


@offers("no-players")
def empty(case: Case) -> list[Offer]:  # noqa: ARG001 - every mend is asked in the same way
    return []
