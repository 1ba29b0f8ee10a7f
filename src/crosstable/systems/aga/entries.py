"""What a go player enters with: rank, record, a strength that a director vouches for; and what can be wrong with them.

A director certifies a strength in the entry's notes: `"certified": {"rating": 5.5, "sigma": 0.3, "by": "TD 12"}`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from crosstable.findings import declare
from crosstable.model import Finding, Level, Place, Player, Rating
from crosstable.model.system_steps import PriorSource
from crosstable.rulebook import Rules
from crosstable.systems.aga.scale import POINTS, NotARank, in_the_hole, parse_rank
from crosstable.systems.aga.seeding import Prior, estimated, is_newcomer
from crosstable.systems.field import SectionPlayers, person
from crosstable.systems.sections import check_number, check_rating, notice
from crosstable.systems.structure import error

declare("wrong-rank", Level.ERROR, "A go rank cannot be read.", "Write it as 3d or 12k.")
declare("no-rank", Level.ERROR, "A player has neither a rating nor an entry rank.", "Add the rank.")
declare(
    "wrong-certificate",
    Level.ERROR,
    "A certified strength is incomplete or impossible.",
    "Correct it, or leave it out.",
)
declare("certified-strength", Level.NOTICE, "A certified strength was combined with the record.", "Nothing.")

SIGMAS = (1e-4, 10_000.0)  # what a record may say before it is a mistake
STRONGEST = 100  # dan or kyu


def entered_ranks(field: SectionPlayers) -> list[str | None]:
    """Each entrant's rank: that of the entry under which the player first appears in the list of games."""
    entries = {entry.number: entry for entry in field.section.players}
    first: dict[str, Player] = {}
    for game in field.section.games:
        for number in (game.white, game.black):
            first.setdefault(person(entries[number]), entries[number])
    return [first[person(player)].rank for player in field.entrants]


def certified(player: Player) -> Prior | None:
    note = player.notes.get("certified")
    if note is None:
        return None
    return estimated(PriorSource.CERTIFIED, float(note["rating"]), float(note["sigma"]), by=str(note["by"]))


def check_player(field: SectionPlayers, entrant: int, rank: str | None, rules: Rules) -> Iterator[Finding]:
    player, where, state = field.entrants[entrant], field.where(entrant), field.states[entrant]
    if rank is not None and rules["scale"]["kind"] != POINTS:
        try:
            parse_rank(rank)
        except NotARank as problem:
            yield error("wrong-rank", where, f"{problem}.", "Correct the rank.")
    if state is not None:
        yield from _check_record(field, entrant, state, rules)
    note = player.notes.get("certified")
    if note is not None:
        yield from _check_certificate(where, note, rules)
    if is_newcomer(state, rules) and rank is None and note is None and rules["scale"]["kind"] != POINTS:
        advice = "Enter a rank such as 5k, an AGA rating, or a certified strength."
        yield error("no-rank", where, f"{player.name or 'the player'} has neither a rank nor a rating.", advice)


def _check_record(field: SectionPlayers, entrant: int, state: Rating, rules: Rules) -> Iterator[Finding]:
    where = field.where(entrant)
    yield from check_rating(field, entrant, state)
    if state.sigma != 0:
        yield from check_number(field, entrant, "sigma", state.sigma, *SIGMAS)
    if rules["scale"]["kind"] != POINTS and abs(state.rating) > STRONGEST:
        yield error("wrong-rating", where, f"{state.rating:g} is not a go rating.", "5.5 is 5 dan, -5.5 is 5 kyu.")
    if state.rating != 0 and in_the_hole(state.rating, rules):
        yield error(
            "wrong-rating",
            where,
            f"the rating {state.rating:g} lies between -1 and 1.",
            "No AGA rating lies in that range.",
        )


def _check_certificate(where: Place, note: object, rules: Rules) -> Iterator[Finding]:
    advice = 'Write {"rating": 5.5, "sigma": 0.3, "by": "who vouches"}.'
    if not isinstance(note, Mapping) or set(note) != {"rating", "sigma", "by"}:
        yield error("wrong-certificate", where, "the certified strength needs rating, sigma and by, no more.", advice)
        return
    numbers = [note["rating"], note["sigma"]]
    if (
        not all(isinstance(item, int | float) and math.isfinite(item) for item in numbers)
        or not SIGMAS[0] <= note["sigma"] <= SIGMAS[1]
    ):
        yield error("wrong-certificate", where, "rating and sigma must be numbers, sigma above 0.", advice)
    elif in_the_hole(note["rating"], rules):
        yield error("wrong-certificate", where, f"the rating {note['rating']:g} lies between -1 and 1.", advice)


def vouched(field: SectionPlayers) -> Iterator[Finding]:
    for entrant, player in enumerate(field.entrants):
        if prior := certified(player):
            message = (
                f"a strength of {prior.mu:g} ± {prior.sigma:g} is certified by {prior.estimates[0].by}; "
                "it counts together with the record."
            )
            yield notice("certified-strength", field.where(entrant), message)
