"""Checks of a player: id, name, membership, age, rating records."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date
from statistics import median

from crosstable.checks.registry import Case, Noted, error, notice, warning
from crosstable.formats.fields import is_new_member
from crosstable.formats.given import who
from crosstable.model import Place, Section
from crosstable.rulebook import rulebook
from crosstable.systems.us_chess.pools import KEYS

_FIELD = 6  # fewer players are no field to be far from


@warning("missing-id", "Players have no ID, so namesakes cannot be told apart.", "Add the ids.")
def missing_id(case: Case) -> Iterator[Noted]:
    for section in case.event.sections:
        missing = [player for player in section.players if not player.id.strip() and not is_new_member(player)]
        if missing:
            words = "this player has" if len(missing) == 1 else "these players have"
            yield Place(section=section.number), f"{words} no id: {who(missing)}"


@warning("id-format", "A US Chess ID is eight digits.", "Correct the ID.")
def id_format(case: Case) -> Iterator[Noted]:
    for section in case.event.sections:
        if not case.us_chess or section.kind == "fide" or fide_numbers(section):
            continue
        for player in section.players:
            if player.id and not re.fullmatch(r"\d{8}", player.id):
                yield (
                    Place(section=section.number, players=(player.number,)),
                    f"the id is {player.id[:20]!r}",
                    {"found": player.id[:20]},
                )


def fide_numbers(section: Section) -> bool:
    """Tell whether a section has FIDE numbers: FIDE ratings and no others, as every TRF has, also in the United States.

    Where no one is rated, the players' federations tell a TRF.
    """
    keys = {key for player in section.players for key in player.ratings}
    if not keys:
        return any("federation" in player.notes for player in section.players)
    return all(key.startswith("FIDE") for key in keys)


@notice(
    "cfc-rating",
    "A player has a CFC rating and no US Chess rating: US Chess makes such conversions by hand.",
    "Tell the ratings department.",
)
def cfc_rating(case: Case) -> Iterator[Noted]:
    """2025 §2.2 and footnote 2. Since 2025 the rating of a Canadian resident counts, and no other's (readings 9)."""
    book = rulebook("us_chess")
    for section, player, where in case.players:
        if player.cfc is None or player.ratings.keys() & set(KEYS):
            continue
        residents_only = book.on(max(section.start or date.max, book.first))["cfc_conversion"]["residents_only"]
        if residents_only and not player.canadian_resident:
            yield (
                where,
                f"the CFC rating {player.cfc.rating:g} does not count: not known to be a Canadian resident",
                {"rating": player.cfc.rating},
            )
        else:
            yield (
                where,
                f"the first rating starts from the CFC rating {player.cfc.rating:g}",
                {"rating": player.cfc.rating},
            )


@warning("missing-name", "A player has no name.", "Add it.")
def missing_name(case: Case) -> Iterator[Noted]:
    for _, player, where in case.players:
        if not player.name.strip():
            yield where, "no name"


@warning(
    "re-entry",
    "The same ID appears twice in one section. It counts as a re-entry: one player, with all games together.",
    "If the player re-entered, do nothing. Otherwise correct the ID.",
)
def re_entry(case: Case) -> Iterator[Noted]:
    for section in case.event.sections:
        numbers: dict[str, list[int]] = defaultdict(list)
        for player in section.players:
            if player.id:
                numbers[player.id].append(player.number)
        for id_, entries in numbers.items():
            if len(entries) > 1:
                words = f"{id_} is player {' and '.join(map(str, entries))}"
                yield Place(section=section.number), words, {"entries": tuple(entries)}


@notice(
    "side-games",
    "The same ID appears in two sections. This is allowed, for example for side games.",
    "If the player played in both, do nothing.",
)
def side_games(case: Case) -> Iterator[Noted]:
    sections: dict[str, set[int]] = defaultdict(set)
    for section, player, _ in case.players:
        if player.id:
            sections[player.id].add(section.number)
    for id_, numbers in sections.items():
        if len(numbers) > 1:
            yield (
                "event",
                f"{id_} plays in sections {', '.join(str(number) for number in sorted(numbers))}",
                {"id": id_, "sections": tuple(sorted(numbers))},
            )


@warning("not-a-member", "A player is marked as not a member.", "Renew the membership before you send the report.")
def not_a_member(case: Case) -> Iterator[Noted]:
    for _, player, where in case.players:
        if not player.member:
            yield where, f"{player.id or player.name} is not a member", {"id": player.id}


@error("born-after-event", "A birth date is after the event.", "Correct the birth date, or leave it out.")
def born_after_event(case: Case) -> Iterator[Noted]:
    for section, player, where in case.players:
        if player.birth_date and section.end and player.birth_date > section.end:
            yield where, "the birth date is after the event"


@warning("improbable-age", "A birth date makes a player younger than 3 or older than 105.", "Check the birth date.")
def improbable_age(case: Case) -> Iterator[Noted]:
    for section, player, where in case.players:
        if player.birth_date and section.end and player.birth_date <= section.end:
            age = _age(player.birth_date, section.end)
            if not 3 <= age <= 105:
                yield where, "too young" if age < 3 else "too old"


def _age(born: date, day: date) -> int:
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


@notice(
    "age-far-from-field",
    "One adult is playing among children, or one child among seniors. The ID may be wrong.",
    "Check the ID.",
)
def age_far_from_field(case: Case) -> Iterator[Noted]:
    for section in case.event.sections:
        day = section.end
        ages = {p.number: _age(p.birth_date, day) for p in section.players if p.birth_date and day}
        if len(ages) <= _FIELD:
            continue
        order = sorted(ages, key=lambda number: ages[number])
        if ages[order[1]] > ages[order[0]] + 40:
            yield Place(section=section.number, players=(order[0],)), "far younger than the other players"
        if ages[order[-2]] < ages[order[-1]] - 20:
            yield Place(section=section.number, players=(order[-1],)), "far older than the other players"


@notice(
    "out-of-state",
    "One player is from another state in an otherwise local section. The ID may be wrong.",
    "Check the ID.",
)
def out_of_state(case: Case) -> Iterator[Noted]:
    for section in case.event.sections:
        states = {p.number: str(p.notes["state"]) for p in section.players if p.notes.get("state")}
        if len(states) < _FIELD + 2:
            continue
        (home, count), *_ = Counter(states.values()).most_common(1)
        if count == len(states) - 1:
            number, state = next((number, state) for number, state in states.items() if state != home)
            yield (
                Place(section=section.number, players=(number,)),
                f"from {state}; the other players are from {home}",
                {"found": state, "others": home},
            )


@error("rating-after-event", "A rating is dated after the event.", "Give the rating from before the event.")
def rating_after_event(case: Case) -> Iterator[Noted]:
    for section, player, where in case.players:
        for key, rating in player.ratings.items():
            ours = key.startswith(("OTB", "OL"))  # other systems say themselves what a later date means
            if ours and rating.date and section.end and rating.date > section.end:
                yield (
                    where,
                    f"{key} is dated {rating.date}, the event ended on {section.end}",
                    {"pool": key, "dated": str(rating.date), "ended": str(section.end)},
                )


@warning("rating-out-of-range", "A US Chess rating lies between 100 and 3000.", "Correct the rating.")
def rating_out_of_range(case: Case) -> Iterator[Noted]:
    for _, player, where in case.players:
        for key, rating in player.ratings.items():
            if key.startswith(("OTB", "OL")) and not 100 <= rating.rating <= 3000:
                yield where, f"{key} is {rating.rating:g}", {"pool": key, "rating": rating.rating}


@notice(
    "missing-game-counts",
    "Ratings are given without the number of games that they are based on, which the formulas need.",
    "Give the game counts in an event document, or choose a number for all.",
)
def missing_game_counts(case: Case) -> Iterator[Noted]:
    for section in case.event.sections:
        count = sum(rating.games is None for player in section.players for rating in player.ratings.values())
        if count and section.notes.get("game") != "go":
            yield (
                Place(section=section.number),
                "1 rating is given without its number of games"
                if count == 1
                else f"{count} ratings are given without their numbers of games",
            )


@warning(
    "far-from-field",
    "A rating is 200 points above or 400 points below all others. The ID may be wrong.",
    "Check the ID.",
)
def far_from_field(case: Case) -> Iterator[Noted]:
    for section in case.event.sections:
        for key in sorted({key for player in section.players for key in player.ratings}):
            ratings = {p.number: p.ratings[key].rating for p in section.players if key in p.ratings}
            if len(ratings) < _FIELD:
                continue
            order = sorted(ratings, key=lambda number: ratings[number])
            low, second, next_to, top = (ratings[order[place]] for place in (0, 1, -2, -1))
            if top - next_to > 200:
                yield (
                    Place(section=section.number, players=(order[-1],)),
                    f"{key} {top:.0f}; the next highest is {next_to:.0f}",
                )
            if second - low > 400 and median(ratings.values()) - low > 600:
                yield (
                    Place(section=section.number, players=(order[0],)),
                    f"{key} {low:.0f}; the next lowest is {second:.0f}",
                )
