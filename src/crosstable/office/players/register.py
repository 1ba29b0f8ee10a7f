"""Players: adding and changing them, memberships, lists of others, and merging the two records of one person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import Any, BinaryIO

from django.db import models as db

from crosstable import formats
from crosstable.errors import OfficeError
from crosstable.formats import codes, rating_lists
from crosstable.formats.rating_lists.base import ListedPlayer
from crosstable.model import Finding, Rating
from crosstable.office.audit.log import record
from crosstable.office.ledger import documents, input_checks, models, order
from crosstable.office.ledger.office_settings import GAMES_OF_ESTABLISHED, all_systems, office
from crosstable.office.ledger.packing import entries_of, games_of
from crosstable.office.ledger.players import find, main_record, merged_players, with_duplicates
from crosstable.office.people.models import Person
from crosstable.office.people.rights import Actor, require
from crosstable.office.players import names
from crosstable.office.players.opening_ratings import opening, settle_merged
from crosstable.office.rating import rerating, states
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.office.rating.rerating import Rerated
from crosstable.office.storage import bulk, clock
from crosstable.office.storage.database import writing
from crosstable.rulebook import rulebook
from crosstable.systems.us_chess.pools import KEYS as US_CHESS_KEYS
from crosstable.systems.uscf_1996.prison import PRISON

#: What a person may say about a player; those of the second line change ratings
PLAIN = ("name", "state", "country", "sex", "fide_id", "cfc_id", "withheld")
RATED = ("birth_date", "adult", "canadian_resident", "usa_flag", "fide_opt_in", "foreign_rating")
#: A list may be taken a little ahead of its date: federations publish before the first of the month
LEAD = timedelta(days=45)


def add(actor: Actor, number: str, reason: str = "", **facts: Any) -> models.Player:
    """A new player."""
    require(actor, "player.write")
    _known_facts(facts)
    input_checks.refuse([*input_checks.player_id(number), *input_checks.facts(facts)])
    with writing():
        office()
        if models.Player.objects.filter(number=number).exists():
            raise OfficeError(f"there is already a player {number}: use `change`")
        row = models.Player.objects.create(number=number, **facts)
        names.add([(row.id, row.name)])
        record(actor.name, "player.add", f"player:{number}", reason, {"facts": sorted(facts)})
    return row


def _known_facts(facts: Mapping[str, Any]) -> None:
    if unknown := set(facts) - {*PLAIN, *RATED}:
        raise OfficeError(f"nothing is known as {', '.join(sorted(unknown))}: there are {', '.join((*PLAIN, *RATED))}")


def change(actor: Actor, number: str, reason: str, *, preview: bool = False, **facts: Any) -> Rerated:
    """Other facts about a player; where a rating depends on them, it is computed anew."""
    require(actor, "player.write")
    _known_facts(facts)
    input_checks.refuse(input_checks.facts(facts))
    with writing():
        row = find(number)
        changed = sorted(name for name, value in facts.items() if getattr(row, name) != value)
        if "name" in changed and row.name:
            models.FormerName.objects.create(player=row, name=row.name, until=clock.today())
        for name in changed:
            setattr(row, name, facts[name])
        row.save()
        if "name" in changed:
            names.change(row.id, row.name)
        position = first_position([row.id]) if set(changed) & set(RATED) else None
        subject, details = f"player:{number}", {"facts": changed}
        if position is None:
            return rerating.unrated(actor, "player.change", subject, reason, details, preview=preview)
        return rerating.follow(actor, position, "player.change", subject, reason, details, preview=preview)


def forget_name(actor: Actor, number: str, reason: str) -> None:
    """Delete a player's name, and former names, on request. Results and ratings stay, under the number."""
    require(actor, "player.forget_name")
    with writing():
        row = find(number)
        models.FormerName.objects.filter(player=row).delete()
        row.name = ""
        row.save()
        names.change(row.id, "")
        record(actor.name, "player.forget_name", f"player:{number}", reason, {})


def first_position(players: Iterable[int]) -> int | None:
    """Where these people first appear in the order, by a rating, a decision or a foreign list."""
    who = with_duplicates(merged_players().get(one, one) for one in players)
    rows = models.RatingRow.objects.filter(player_id__in=who).aggregate(first=db.Min("position"))
    decisions = models.Adjustment.objects.filter(player_id__in=who).aggregate(first=db.Min("position"))
    lists = models.ExternalRating.objects.filter(player_id__in=who).aggregate(first=db.Min("date"))
    found = [rows["first"], decisions["first"], order.day_of(lists["first"]) if lists["first"] else None]
    return min((one for one in found if one is not None), default=None)


def join(actor: Actor, number: str, kind: str, since: date, until: date | None = None, reason: str = "") -> Rerated:
    """A membership. Where the 1996 report's prison rules hold, leaving prison makes ratings provisional on one game."""
    require(actor, "membership.write")
    input_checks.refuse(input_checks.membership(kind, since, until))
    with writing():
        row = find(number)
        models.Membership.objects.create(player=row, kind=kind, since=since, until=until)
        details = {"kind": kind, "since": str(since), "until": str(until or "")}
        if office().prison_rules:
            _release(actor, row)
        position = first_position([row.id])  # a first membership on record says when there was none, too
        subject = f"player:{number}"
        if position is None:
            return rerating.unrated(actor, "membership.write", subject, reason, details)
        return rerating.follow(actor, position, "membership.write", subject, reason, details)


def _release(actor: Actor, player: models.Player) -> None:
    """1996: the rating stays, provisional on one game.

    For every system of the office, and by all memberships on record: neither may depend on what came in first.
    """
    wanted = {(day, key) for day in _releases(player) for one in all_systems(office()) for key in one.pools}
    kind, granted = models.Adjustment.RELEASE, models.Adjustment.GRANTED
    for row in models.Adjustment.objects.filter(player=player, kind=kind, status=granted):
        if (row.date, row.system) in wanted:
            wanted.remove((row.date, row.system))
        else:  # a membership that came in late stands between
            row.status = models.Adjustment.WITHDRAWN
            row.save()
    rules = rulebook("uscf_1996").on(rulebook("uscf_1996").first)
    fields = {"games": rules["prison"]["games_on_release"], "peak": None, "wins": None, "draws": None, "losses": None}
    models.Adjustment.objects.bulk_create(
        models.Adjustment(
            player=player, system=key, kind=kind, date=day, position=order.day_of(day), fields=fields,
            author=actor.name, reason="regular membership after a prison membership (1996 report)",
        )
        for day, key in sorted(wanted)
    )  # fmt: skip


def _releases(player: models.Player) -> list[date]:
    """The days on which another membership follows a prison membership."""
    rows = list(models.Membership.objects.filter(player=player).order_by("since", "kind"))
    released = [later for one, later in pairwise(rows) if one.kind == PRISON and later.kind != PRISON]
    return [row.since for row in released]


def merge(actor: Actor, duplicate: str, into: str, reason: str, *, preview: bool = False) -> Rerated:
    """Two records of one person become one; what they played is rated as one player's. `unmerge` undoes it."""
    require(actor, "rating.preview" if preview else "player.merge")
    input_checks.refuse(input_checks.reasons(reason, "a merge"))
    with writing():
        gone, stays = find(duplicate), main_record(find(into))
        if gone.merged_into_id is not None:
            raise OfficeError(f"{duplicate} has been merged already")
        if gone.id == stays.id:
            raise OfficeError(f"{duplicate} and {into} are the same record")
        if event := _met(gone.id, stays.id):
            raise OfficeError(f"{duplicate} and {into} played each other in event {event}: they are two people")
        position = first_position([gone.id])
        gone.merged_into = stays
        gone.save()
        models.Merge.objects.create(duplicate=gone, kept=stays, author=actor.name, reason=reason)
        position = _earlier(position, settle_merged(actor, [gone.id, stays.id]))
        subject, details = f"player:{duplicate}", {"into": stays.number}
        if position is None:
            return rerating.unrated(actor, "player.merge", subject, reason, details, preview=preview)
        return rerating.follow(actor, position, "player.merge", subject, reason, details, preview=preview)


def unmerge(actor: Actor, duplicate: str, reason: str, *, preview: bool = False) -> Rerated:
    """The two records were two people after all."""
    require(actor, "rating.preview" if preview else "player.merge")
    input_checks.refuse(input_checks.reasons(reason, "unmerging"))
    with writing():
        row = find(duplicate)
        if row.merged_into is None:
            raise OfficeError(f"{duplicate} is not merged into anybody")
        position = first_position([row.id])
        models.Merge.objects.filter(duplicate=row, undone_at=None).update(undone_at=clock.now(), undone_by=actor.name)
        stays, row.merged_into = row.merged_into, None
        row.save()
        position = _earlier(position, settle_merged(actor, [row.id, stays.id]))
        subject, details = f"player:{duplicate}", {"out_of": stays.number}
        if position is None:
            return rerating.unrated(actor, "player.unmerge", subject, reason, details, preview=preview)
        return rerating.follow(actor, position, "player.unmerge", subject, reason, details, preview=preview)


def _earlier(*positions: int | None) -> int | None:
    return min((one for one in positions if one is not None), default=None)


def _met(one: int, other: int) -> str | None:
    """The event in which these two played each other, if any."""
    same = merged_players()
    both = (
        f"SELECT DISTINCT a.section_id FROM ledger_ratingrow AS a JOIN ledger_ratingrow AS b "  # noqa: S608
        f"ON b.section_id = a.section_id WHERE a.player_id = {int(one)} AND b.player_id = {int(other)}"
    )
    for (section,) in bulk.rows(both):
        row = models.Section.objects.select_related("event").get(id=section)
        who = {number: same.get(player, player) for number, player in entries_of(bytes(row.entries)).tolist()}
        for _, white, black, _ in games_of(bytes(row.games)).tolist():
            if {who[white], who[black]} == {one, other}:
                return row.event.number
    return None


def show(number: str, viewer: Actor | None = None) -> dict[str, Any]:
    """What the office may show of a player: ratings and history, never a birth date or an age.

    Memberships only to officers and to the player: their kinds are age bands, or worse.
    """
    asked = find(number)
    row = main_record(asked)
    from crosstable.office.lists.official import age_based  # above the ledger's players

    live = states.now([row.id]).get(row.id, {})
    hidden = {system for _, system in age_based([row.id])}
    return {
        "id": row.number,
        "name": row.name,
        "state": row.state,
        "former_names": [name.name for name in models.FormerName.objects.filter(player=row).order_by("until")],
        "also": sorted(models.Player.objects.filter(merged_into=row).values_list("number", flat=True)),
        **({"memberships": _memberships_of(row)} if viewer is not None and _sees_all(viewer, row) else {}),
        "ratings": {key: _shown(held, hidden=key in hidden) for key, held in sorted(live.items())},
        "events": models.RatingRow.objects.filter(player=row).values("section").distinct().count(),
    }


def _sees_all(viewer: Actor, row: models.Player) -> bool:
    """Officers, and whoever is this player in person; a player's program sees what its scope says."""
    if viewer.may("player.read_private"):
        return True
    person = Person.objects.filter(user_id=viewer.user_id).first() if viewer.scopes is None else None
    own = models.Player.objects.filter(number=person.player_id).first() if person and person.player_id else None
    return own is not None and main_record(own).id == row.id


def _memberships_of(row: models.Player) -> list[dict[str, Any]]:
    return [
        {"kind": one.kind, "since": str(one.since), "until": str(one.until) if one.until else None}
        for one in models.Membership.objects.filter(player=row).order_by("since")
    ]


def _shown(held: Rating, *, hidden: bool) -> dict[str, Any]:
    """A rating that still is an age-based start is not shown: it would tell the age."""
    rating = None if hidden else held.rating
    return {"rating": rating, "games": held.games, "date": str(held.date) if held.date else None}


def history(number: str, system: str = "") -> list[dict[str, Any]]:
    """A player's rating rows, oldest first; numbers that still are an age-based start are left out."""
    row = main_record(find(number))
    rows = models.RatingRow.objects.filter(player=row).order_by("position", "system").select_related("section__event")
    starts = AgeStarts([row.id])
    shown = []
    for one in rows.filter(system=system) if system else rows:
        prior, post = (
            None if starts.tells(row.id, one.system, rating, one.position) else rating
            for rating in (one.prior, one.post)
        )
        prior = None if one.initialized else prior
        shown.append(
            {
                "event": one.section.event.number, "name": one.section.event.name, "section": one.section.number,
                "date": str(one.section.end), "system": one.system, "prior": prior,
                "games": one.games, "score": one.score, "post": post,
            }
        )  # fmt: skip
    return shown


@dataclass(frozen=True, slots=True)
class ListRead:
    """What a list brought."""

    added: int
    known: int
    openings: int
    foreign: int
    findings: tuple[Finding, ...]


@dataclass(slots=True)
class _Taking:
    """A list on its way into the ledger."""

    actor: Actor
    day: date
    findings: list[Finding]
    known: dict[str, dict[str, int]]  # "fide" and "cfc": their ids → our players
    everybody: dict[str, int]  # our ids → players
    seen: dict[str, int]  # ids that the list has brought so far → in which row
    counts: dict[str, int]


def import_list(actor: Actor, file: BinaryIO, day: date, name: str = "") -> ListRead:
    """A player or rating list of a day: new players with their opening ratings; FIDE and CFC ratings for those we know.

    A row that cannot be taken is left out with a finding that names it; the rest is taken.
    """
    require(actor, "external.import")
    if not input_checks.EARLIEST <= day <= clock.today() + LEAD:
        raise OfficeError(f"{day}: a list is dated between {input_checks.EARLIEST} and {LEAD.days} days ahead of today")
    findings: list[Finding] = []
    with writing():
        office()
        known = {
            "fide": dict(models.Player.objects.exclude(fide_id="").values_list("fide_id", "id")),
            "cfc": dict(models.Player.objects.exclude(cfc_id="").values_list("cfc_id", "id")),
        }
        everybody = dict(models.Player.objects.values_list("number", "id"))
        counts = {"added": 0, "known": 0, "openings": 0, "foreign": 0}
        taking = _Taking(actor, day, findings, known, everybody, {}, counts)
        part: list[ListedPlayer] = []
        for listed in rating_lists.read(file, findings):
            part += [listed] if _takes(taking, listed) else []
            if len(part) == 5000:
                _take(taking, part)
                part = []
        _take(taking, part)
        position = order.day_of(day)
        subject = documents.storable(f"list:{name or day}")
        rerating.follow(actor, position, "external.import", subject, f"list of {day}", counts)
    return ListRead(**counts, findings=formats.capped(tuple(findings)))


def _takes(taking: _Taking, listed: ListedPlayer) -> bool:
    """Whether a row concerns us and can be taken; if it concerns us and cannot, a finding says why."""
    if not _ours(listed) and not any(listed.id in known for known in taking.known.values()):
        return False  # a stranger on another federation's list
    where = f"row {listed.row}, id {listed.id[:50]}" if listed.row else f"id {listed.id[:50]}"
    if listed.id in taking.seen:
        first = taking.seen[listed.id]
        words = f"this id stands in the list twice{f', first in row {first}' if first else ''}: the first one counts"
        taking.findings.append(codes.LIST_ROW.at(where, words))
        return False
    if wrong := list(input_checks.player_id(listed.id)):
        taking.findings.append(codes.LIST_ROW.at(where, "; ".join(wrong)))
        return False
    taking.seen[listed.id] = listed.row
    if listed.birth_date is not None and (wrong := list(input_checks.facts({"birth_date": listed.birth_date}))):
        taking.findings.append(codes.LIST_CELL.at(where, "; ".join(wrong)))
    if len(listed.name) > input_checks.longest(models.Player, "name"):
        taking.findings.append(codes.LIST_CELL.at(where, f"the name has {len(listed.name)} letters and is cut"))
    return True


def _take(taking: _Taking, part: list[ListedPlayer]) -> None:
    """A part of a list into the ledger."""
    foreign: list[models.ExternalRating] = []
    new: list[ListedPlayer] = []
    everybody, counts, day = taking.everybody, taking.counts, taking.day
    for listed in part:
        for kind, key in (("fide", "FIDE"), ("cfc", "CFC")):
            row = taking.known[kind].get(listed.id) if key in listed.ratings else None
            if row is not None:
                foreign.append(models.ExternalRating(player_id=row, kind=kind, rating=listed.ratings[key], date=day))
        if _ours(listed):
            counts["known"] += listed.id in everybody
            new += [] if listed.id in everybody else [listed]
    made = models.Player.objects.bulk_create([_player(listed) for listed in new])
    everybody |= {row.number: row.id for row in made}
    names.add((row.id, row.name) for row in made)
    openings = [one for listed in new for one in _openings(taking.actor, listed, everybody[listed.id], day)]
    models.Adjustment.objects.bulk_create(openings)
    models.ExternalRating.objects.bulk_create(foreign, ignore_conflicts=True)
    _memberships(new, everybody, day)
    counts["added"] += len(new)
    counts["openings"] += len(openings)
    counts["foreign"] += len(foreign)


def _ours(listed: ListedPlayer) -> bool:
    """A list of another federation adds nobody to our ledger."""
    return bool(listed.id) and not any(key.startswith(("FIDE", "CFC")) for key in listed.ratings)


def _player(listed: ListedPlayer) -> models.Player:
    return models.Player(
        number=listed.id, name=listed.name[:200], state=listed.state[:40], country=listed.country[:40],
        birth_date=None if [*input_checks.facts({"birth_date": listed.birth_date})] else listed.birth_date,
        sex=listed.sex[:1].upper() if listed.sex[:1].upper() in ("F", "M") else "", fide_id=listed.fide_id[:20],
    )  # fmt: skip


def _openings(actor: Actor, listed: ListedPlayer, row: int, day: date) -> list[models.Adjustment]:
    """Ratings of our own systems on the list; an established one comes without a number of games."""
    return [
        opening(
            row, key, day, Rating(value, listed.games.get(key, GAMES_OF_ESTABLISHED), day), actor.name, f"list of {day}"
        )
        for key, value in listed.ratings.items()
        if key in (*US_CHESS_KEYS, "AGA") and listed.games.get(key, GAMES_OF_ESTABLISHED) > 0
    ]


def _memberships(new: list[ListedPlayer], everybody: dict[str, int], day: date) -> None:
    models.Membership.objects.bulk_create(
        models.Membership(player_id=everybody[listed.id], since=min(day, listed.expires), until=listed.expires)
        for listed in new
        if listed.expires is not None
    )
