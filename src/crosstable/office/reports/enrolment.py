"""The people of an event as players of the ledger: who is new is added, with what the report says about them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from crosstable.errors import EventRejected
from crosstable.findings import declare
from crosstable.formats.fide_entrants import is_foreign
from crosstable.formats.fields import is_new_member, says_no_id
from crosstable.model import Event, Finding, Level, Place, Player
from crosstable.office.ledger import input_checks, models, names, order
from crosstable.office.ledger.documents import span
from crosstable.office.ledger.players import merged_players
from crosstable.office.players import opening_ratings
from crosstable.office.players.similar_players import look_alikes
from crosstable.office.rating import states
from crosstable.systems.structure import error
from crosstable.systems.us_chess.pools import KEYS

declare("no-id", Level.ERROR, "A player has no id, and an office keeps records by id.", "Enter the player's ID.")
declare("long-id", Level.ERROR, "An ID is too long.", "Give the player's own id.")
declare(
    "cfc-conversion",
    Level.NOTICE,
    "A player has a CFC rating and no US Chess rating: such conversions are done by hand.",
    "Look at the CFC desk.",
)
NEW_PLAYER = declare("new-player", Level.NOTICE, "Players are new to the office.", "Accepting the event adds them.")
LOOKS_LIKE = declare(
    "looks-like-known",
    Level.NOTICE,
    "A new player has the same name as a member, or nearly the same.",
    "If it is the same person, correct the id before the event is accepted.",
)
LOOK_ALIKES = 3  # so many are named
declare(
    "begins-unrated",
    Level.WARNING,
    "A new player has a rating that the office does not have.",
    "The finding says what to do.",
)
declare(
    "before-record",
    Level.WARNING,
    "An event is older than a player's record in the office.",
    "The finding says what to do.",
)


ID_TO_COME = declare(
    "id-to-come",
    Level.NOTICE,
    "A new member has no id yet.",
    "Accepting the event gives one. If the player already has an ID, enter it.",
)


def enrol(event: Event) -> tuple[dict[str, int], int | None]:
    """(id → player's row, from where on a rating may change because of what is new about players of before)."""
    if wrong := [*wrong_ids(event), *ids_to_come(event)]:  # by now everybody has one
        raise EventRejected(wrong)
    everybody = {player.id: player for section in event.sections for player in section.players}
    have = dict(models.Player.objects.filter(number__in=list(everybody)).values_list("number", "id"))
    new = [player for number, player in everybody.items() if number not in have]
    made = models.Player.objects.bulk_create([_row(player) for player in new])
    have |= {row.number: row.id for row in made}
    names.add((row.id, row.name) for row in made if not is_foreign(row.number))
    return have, _external(event, have, {player.id for player in new})


def wrong_ids(event: Event) -> list[Finding]:
    """Ids that are missing, or that the ledger cannot take."""
    missing = [
        error("no-id", Place(section=section.number, players=(player.number,)), words, "Enter the player's ID.")
        for section in event.sections
        for player in section.players
        if not is_new_member(player)  # the office gives the id on acceptance
        for words in _no_id(player.id)
    ]
    return [*missing, *unusable_ids(event)]


def _no_id(given: str) -> list[str]:
    """Two children with the id `new` are not one person."""
    if not given:
        return ["the player has no id."]
    return [f"{given!r} is not an ID."] if says_no_id(given) else []


def ids_to_come(event: Event) -> list[Finding]:
    """Report new members who will get an ID from the office."""
    return [
        ID_TO_COME.at(Place(section=section.number, players=(player.number,)), "a new member without an id")
        for section in event.sections
        for player in section.players
        if is_new_member(player)
    ]


def unusable_ids(event: Event) -> list[Finding]:
    """Ids that the ledger cannot take. Without this look SQLite would take them and PostgreSQL would not."""
    return [
        error(
            "long-id", Place(section=section.number, players=(player.number,)), f"{words}.", "Give the player's own id."
        )
        for section in event.sections
        for player in section.players
        if player.id
        for words in input_checks.player_id(player.id)
    ]


def newcomers(event: Event) -> list[Finding]:
    """Report players who are new to the ledger, as a notice for the reviewer."""
    everybody = {player.id: player for section in event.sections for player in section.players if player.id}
    have = dict(models.Player.objects.filter(number__in=list(everybody)).values_list("number", "id"))
    new = sorted(number for number in set(everybody) - set(have) if not is_foreign(number))
    alike = look_alikes({number: everybody[number].name for number in new})
    unnumbered = look_alikes(
        {
            Place(section=section.number, players=(player.number,)): player.name
            for section in event.sections
            for player in section.players
            if is_new_member(player)
        }
    )
    return [
        *(NEW_PLAYER.at(Place(id=number), "not in the register yet") for number in new),
        *(LOOKS_LIKE.at(Place(id=number), f"looks like {_called(known)}") for number, known in alike.items()),
        *(LOOKS_LIKE.at(where, f"looks like {_called(known)}") for where, known in unnumbered.items()),
        *_canadians(event, have),
        *_beginning_later(event, have),
    ]


def _called(known: Sequence[tuple[str, str]]) -> str:
    """Kowalski, Pete (15233410) or Kowalski, Petra (15233411)."""
    return " or ".join(f"{name} ({number})" for number, name in known[:LOOK_ALIKES])


def _canadians(event: Event, have: dict[str, int]) -> list[Finding]:
    """2025 §2.2, footnote 2: directors alert the office to players with a CFC rating and no US Chess rating."""
    known = states.now(have.values())
    kept = merged_players()
    listed = set(
        models.ExternalRating.objects.filter(player_id__in=have.values(), kind="cfc").values_list(
            "player_id", flat=True
        )
    )
    found = {}
    for player in (player for section in event.sections for player in section.players if player.id):
        row = have.get(player.id, 0)
        rated = {*player.ratings, *known.get(kept.get(row, row), {})} & set(KEYS)
        if not rated and (player.cfc is not None or row in listed):
            words = "a CFC rating and no US Chess rating: the conversion is done by hand."
            found[player.id] = Finding(
                Level.NOTICE, "cfc-conversion", Place(id=player.id), words, "`office cfc-desk` has the queue."
            )
    return list(found.values())


def _beginning_later(event: Event, have: dict[str, int]) -> list[Finding]:
    """Usually a first list that is newer than the first events."""
    if event.end is None:
        return []
    found = []
    if unrated := opening_ratings.would_begin_unrated(event, have.values()):
        whose = "1 player is" if unrated == 1 else f"{unrated} players are"
        words = f"{whose} known from a later report; this one comes before it and shows no ratings for them."
        todo = "Correct it with their ratings; otherwise they start here as unrated players."
        found.append(Finding(Level.WARNING, "begins-unrated", Place(part="event"), words, todo))
    if later := opening_ratings.begins_later(event, have.values()):
        found.append(_before_record(later))
    return found


def _before_record(later: dict[int, date]) -> Finding:
    whose = "the record of 1 player begins" if len(later) == 1 else f"the records of {len(later)} players begin"
    words = f"{whose} after this event, on {min(later.values())} or later."
    todo = (
        "Import the list in force before it; otherwise they start from the report's ratings, and from the list's on its"
        " day."
    )
    return Finding(Level.WARNING, "before-record", Place(part="event"), words, todo)


def _row(player: Player) -> models.Player:
    notes = player.notes.get("state")
    return models.Player(
        number=player.id,
        name=player.name[:200],  # the event document keeps it whole
        birth_date=None if is_foreign(player.id) else player.birth_date,
        state=str(notes)[:40] if notes else "",
        adult=player.adult,
        canadian_resident=player.canadian_resident,
        usa_flag=player.usa_flag,
        foreign_rating=player.foreign_rating,
        reported=True,
    )


def _external(event: Event, rows: dict[str, int], new: set[str]) -> int | None:
    """FIDE and CFC ratings in the report, where the ledger has none; of old players, from where on they may matter."""
    start, end = span(event)
    found: dict[tuple[int, str, date], models.ExternalRating] = {}
    since: int | None = None
    for section in event.sections:
        day = section.end or end
        for player in section.players:
            for kind, foreign in (("fide", player.fide), ("cfc", player.cfc)):
                if foreign is None:
                    continue
                listed = min(foreign.date or start, day)
                if _has(rows[player.id], kind, day, new_player=player.id in new):
                    continue
                row = models.ExternalRating(player_id=rows[player.id], kind=kind, rating=foreign.rating, date=listed)
                found.setdefault((rows[player.id], kind, listed), row)
                if player.id not in new:
                    since = min(since or order.day_of(listed), order.day_of(listed))
    models.ExternalRating.objects.bulk_create(list(found.values()))
    return since


def _has(player: int, kind: str, day: date, *, new_player: bool) -> bool:
    if new_player:
        return False
    return models.ExternalRating.objects.filter(player_id=player, kind=kind, date__lte=day).exists()
