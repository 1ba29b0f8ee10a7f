"""Taking in a player or rating list: new players with opening ratings, FIDE and CFC ratings for those we know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any, BinaryIO

from crosstable import formats
from crosstable.errors import OfficeError
from crosstable.findings import declare
from crosstable.formats import codes, rating_lists
from crosstable.formats.rating_lists.base import ListedPlayer
from crosstable.formats.rating_lists.mapping import NO_MAPPING, ListMapping
from crosstable.model import Finding, Level, Place
from crosstable.office.ledger import documents, input_checks, models, names, order
from crosstable.office.ledger.office_settings import all_systems, office
from crosstable.office.ledger.players import merged_players
from crosstable.office.people.rights import Actor, require
from crosstable.office.players.dated_facts import write
from crosstable.office.players.memberships import release
from crosstable.office.players.opening_ratings import ASSUMED, opening
from crosstable.office.rating.rerating import Act, Rerated, rate_from
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing
from crosstable.systems.us_chess.pools import KEYS as US_CHESS_KEYS

#: A list may be taken a little ahead of its date: federations publish before the first of the month
LEAD = timedelta(days=45)
#: FIDE's lists, by the pools of the system
OWN_KEYS = {"FIDE": "FIDE", "FIDE_RAPID": "FIDE_R", "FIDE_BLITZ": "FIDE_B"}
_NAMED = 3  # players whom a line names
NOT_TAKEN = declare(
    "list-rating-not-taken",
    Level.WARNING,
    "A list has ratings of pools in which players whom the office knows have none. It opens records of new players"
    " only.",
    "Open them with `office adjust`, if they are right.",
)
USA = "USA"  # the federation, as FIDE lists write it
#: What the office does something with; a column for anything else is named in a finding
USES = rating_lists.EVERY - {"title", "birth_year"}


@dataclass(frozen=True, slots=True)
class ListRead:
    """What a list brought."""

    added: int
    known: int
    openings: int
    foreign: int
    flags: int  # USA flags set, or taken back, by a FIDE list
    findings: tuple[Finding, ...]
    changed: Rerated  # whose ratings it moves

    def as_json(self) -> dict[str, Any]:
        counts = {name: getattr(self, name) for name in ("added", "known", "openings", "foreign", "flags")}
        return {**counts, "findings": [str(one) for one in self.findings], **self.changed.as_json()}


@dataclass(slots=True)
class _Intake:
    """A list on its way into the ledger."""

    actor: Actor
    day: date
    findings: list[Finding]
    known: dict[str, dict[str, int]]  # "fide" and "cfc": their ids → our players
    everybody: dict[str, int]  # our ids → players
    assume_games: int | None  # behind a rating without a count
    missing: list[str]  # ratings of new players without a count
    seen: dict[str, int]  # ids that the list has brought so far → in which row
    counts: dict[str, int]
    merged: Mapping[int, int]  # a duplicate's row → the row that is kept
    pools: frozenset[str]  # of the office's systems
    not_taken: list[str] = field(default_factory=list)  # ratings of players we know, in pools that their record lacks
    strangers: list[int] = field(default_factory=list)  # rows with ratings of other federations only
    joined: list[models.Membership] = field(default_factory=list)  # memberships that the office did not have


def import_list(
    actor: Actor,
    file: BinaryIO,
    day: date,
    name: str = "",
    *,
    assume_games: int | None = None,
    mapping: ListMapping = NO_MAPPING,
    preview: bool = False,
) -> ListRead:
    """Take a player or rating list of a day: new players with their opening ratings and all that these bring along;
    memberships, residence and ratings of FIDE and CFC for everyone.

    `mapping`: what a federation's own columns and codes mean. A row that cannot be taken is left out with a finding
    that names it; the rest is taken. A US Chess rating without a number of games refuses the list, unless
    `assume_games` says how many to take: no one's games are invented.
    """
    require(actor, "external.import")
    if not input_checks.EARLIEST <= day <= clock.today() + LEAD:
        raise OfficeError(f"{day}: a list is dated between {input_checks.EARLIEST} and {LEAD.days} days ahead of today")
    findings: list[Finding] = []
    with writing():
        pools = frozenset(key for one in all_systems(office()) for key in one.pools)
        known = {
            "fide": dict(models.Player.objects.exclude(fide_id="").values_list("fide_id", "id")),
            "cfc": dict(models.Player.objects.exclude(cfc_id="").values_list("cfc_id", "id")),
        }
        everybody = dict(models.Player.objects.values_list("number", "id"))
        counts = {"added": 0, "known": 0, "openings": 0, "foreign": 0, "flags": 0}
        intake = _Intake(
            actor,
            day,
            findings,
            known=known,
            everybody=everybody,
            assume_games=assume_games,
            missing=[],
            seen={},
            counts=counts,
            merged=merged_players(),
            pools=pools,
        )
        part: list[ListedPlayer] = []
        for listed in rating_lists.read(file, findings, uses=USES, mapping=mapping):
            part += [listed] if _wanted(intake, listed) else []
            if len(part) == 5000:
                _add(intake, part)
                part = []
        _add(intake, part)
        _ask_for_games(intake.missing)
        findings += _passed_over(intake)
        position = _first_change(intake)
        subject = documents.storable(f"list:{name or day}")
        details = {**counts, **({} if assume_games is None else {"assumed_games": assume_games})}
        act = Act(actor, "external.import", subject, f"list of {day}", details=details, preview=preview)
        done = rate_from(act, position)
    return ListRead(**counts, findings=formats.capped(tuple(findings)), changed=done)


def _passed_over(intake: _Intake) -> list[Finding]:
    """Return what a list of ours has and the ledger does not take: a line for each kind."""
    found = []
    if some := intake.not_taken:
        more = f"; and {len(some) - _NAMED:,} more" if len(some) > _NAMED else ""
        words = (
            f"the office knows these players, and their records have no such rating: {'; '.join(some[:_NAMED])}{more}"
        )
        found.append(NOT_TAKEN.at("list", words))
    if intake.strangers and (intake.counts["added"] or intake.counts["known"]):
        many = len(intake.strangers)
        rows = (
            f"1 row (row {intake.strangers[0]})" if many == 1 else f"{many:,} rows (the first: {intake.strangers[0]})"
        )
        words = f"{rows} with a FIDE or CFC rating only: players unknown to the office are not added"
        found.append(codes.LIST_ROW.at("list", words))
    return found


def _ask_for_games(missing: list[str]) -> None:
    if missing:
        words = f"{len(missing)} ratings come without a number of games, the first in {missing[0]}"
        todo = "give the counts in columns such as OTBR_GAMES, or say how many to take with --assume-games N"
        raise OfficeError(f"{words}: {todo}")


def _wanted(intake: _Intake, listed: ListedPlayer) -> bool:
    """Whether a row concerns us and can be taken; if it concerns us and cannot, a finding says why."""
    if not _ours(intake, listed) and not any(listed.id in known for known in intake.known.values()):
        intake.strangers.append(listed.row)
        return False  # a stranger on another federation's list
    where = Place(row=listed.row or None, id=listed.id[:50])
    if listed.id in intake.seen:
        first = intake.seen[listed.id]
        words = f"this id appears in the list twice{f', first in row {first}' if first else ''}: the first one counts"
        intake.findings.append(codes.LIST_ROW.at(where, words))
        return False
    if wrong := list(input_checks.player_id(listed.id)):
        intake.findings.append(codes.LIST_ROW.at(where, "; ".join(wrong)))
        return False
    intake.seen[listed.id] = listed.row
    if listed.birth_date is not None and (wrong := list(input_checks.facts({"birth_date": listed.birth_date}))):
        intake.findings.append(codes.LIST_CELL.at(where, "; ".join(wrong)))
    if len(listed.name) > input_checks.longest(models.Player, "name"):
        intake.findings.append(codes.LIST_CELL.at(where, f"the name has {len(listed.name)} letters and was cut"))
    return True


def _add(intake: _Intake, part: list[ListedPlayer]) -> None:
    """Add a part of a list to the ledger."""
    foreign: list[models.ExternalRating] = []
    flags: dict[int, bool] = {}
    new: list[ListedPlayer] = []
    everybody, counts, day = intake.everybody, intake.counts, intake.day
    for listed in part:
        for kind, key in (("fide", "FIDE"), ("cfc", "CFC")):
            row = intake.known[kind].get(listed.id) if key in listed.ratings else None
            if row is not None and kind == "fide" and listed.country:
                flags[row] = listed.country.upper() == USA
            if row is not None:
                played = listed.games.get(key) if kind == "fide" else None  # CFC lists count a lifetime's
                foreign.append(
                    models.ExternalRating(player_id=row, kind=kind, rating=listed.ratings[key], date=day, games=played)
                )
        if _ours(intake, listed):
            counts["known"] += listed.id in everybody
            new += [] if listed.id in everybody else [listed]
    intake.not_taken += _not_taken(intake, [one for one in part if _ours(intake, one) and one.id in everybody])
    made = models.Player.objects.bulk_create([_player(listed) for listed in new])
    everybody |= {row.number: row.id for row in made}
    names.add((row.id, row.name) for row in made)
    foreign += [one for listed in part if _ours(intake, listed) for one in _foreign(intake, listed)]
    openings = [one for listed in new for one in _openings(intake, listed, everybody[listed.id])]
    models.Adjustment.objects.bulk_create(openings)
    models.ExternalRating.objects.bulk_create(foreign, ignore_conflicts=True)
    ours = [listed for listed in part if _ours(intake, listed)]
    intake.joined += _memberships(intake, ours)
    _write_residence(intake, ours)
    _fill_in_ids(intake, ours)
    for row, flag in flags.items():  # a FIDE list sets the flag from its day on (readings 25)
        counts["flags"] += len(write(row, {"usa_flag": flag}, day, intake.actor.name, f"FIDE list of {day}"))
    counts["added"] += len(new)
    counts["openings"] += len(openings)
    counts["foreign"] += len(foreign)


def _ours(intake: _Intake, listed: ListedPlayer) -> bool:
    """Tell whether a list is ours: another federation's adds no players; one of ours may have a FIDE column besides.

    FIDE's own list is ours where the office rates by FIDE's rules.
    """
    abroad = [key.startswith(("FIDE", "CFC")) and OWN_KEYS.get(key, key) not in intake.pools for key in listed.ratings]
    return bool(listed.id) and (not abroad or not all(abroad))


def _foreign(intake: _Intake, listed: ListedPlayer) -> list[models.ExternalRating]:
    """Return the FIDE and CFC ratings that our own list has for a player."""
    row, day = intake.everybody[listed.id], intake.day
    return [
        models.ExternalRating(player_id=row, kind=kind, rating=listed.ratings[key], date=day)
        for kind, key in (("fide", "FIDE"), ("cfc", "CFC"))
        if key in listed.ratings
    ]


def _not_taken(intake: _Intake, known: list[ListedPlayer]) -> list[str]:
    """Ratings that a list has for players we know, in pools of which their records know nothing."""
    rows = [intake.everybody[listed.id] for listed in known]
    kept = {listed.id: intake.merged.get(row, row) for listed, row in zip(known, rows, strict=True)}
    rated = {
        (intake.merged.get(player, player), pool)
        for table in (models.RatingRow, models.Adjustment)
        for player, pool in (
            table.objects.filter(player_id__in={*rows, *kept.values()})
            .order_by()
            .values_list("player_id", "pool")
            .distinct()
        )
    }
    return [
        f"{listed.name or listed.id}: {key} {value:.0f}"
        for listed in known
        for key, value in listed.ratings.items()
        if key in US_CHESS_KEYS and (kept[listed.id], key) not in rated
    ]


def _player(listed: ListedPlayer) -> models.Player:
    return models.Player(
        number=listed.id,
        name=listed.name[:200],
        state=listed.state[:40],
        country=listed.country[:40],
        birth_date=None if [*input_checks.facts({"birth_date": listed.birth_date})] else listed.birth_date,
        sex=listed.sex[:1].upper() if listed.sex[:1].upper() in ("F", "M") else "",
        fide_id=listed.fide_id[:20],
        cfc_id=listed.cfc_id[:20],
    )


def _openings(intake: _Intake, listed: ListedPlayer, row: int) -> list[models.Adjustment]:
    """Ratings of our own systems on the list, each on the games that the list or the importer says."""
    day, made = intake.day, []
    for named in listed.ratings:
        key = OWN_KEYS.get(named, named)
        if key not in intake.pools and key not in (*US_CHESS_KEYS, "AGA"):
            continue
        if named in OWN_KEYS:  # FIDE's list counts the games of a month only
            record = replace(listed.record(named), games=None)
            made.append(
                opening(
                    row, key, day, record=replace(record, date=day), author=intake.actor.name, reason=f"list of {day}"
                )
            )
            continue
        games = listed.games.get(key, intake.assume_games)
        if games is None and key in US_CHESS_KEYS:  # an AGA rating knows its own certainty instead
            intake.missing.append(f"row {listed.row}, id {listed.id}, {key}")
        elif games != 0:
            record = listed.record(key)
            brought = replace(record, games=games, date=min(record.date or day, day))
            one = opening(row, key, day, record=brought, author=intake.actor.name, reason=f"list of {day}")
            one.details = {} if key in listed.games or games is None else {ASSUMED: True}
            made.append(one)
    return made


def _memberships(intake: _Intake, part: Iterable[ListedPlayer]) -> list[models.Membership]:
    """Write the memberships that the office does not have yet."""
    wanted = [(intake.everybody[one.id], one) for one in part if one.expires is not None or one.membership]
    held: dict[int, set[tuple[str, date | None]]] = {}
    known = models.Membership.objects.filter(player_id__in=[player for player, _ in wanted])
    for player, kind, until in known.values_list("player_id", "kind", "until"):
        held.setdefault(player, set()).add((kind, until))
    made = []
    for player, listed in wanted:
        kind = listed.membership or models.Membership.KINDS[0]
        since = min(listed.member_since or intake.day, listed.expires or date.max)
        if (kind, listed.expires) not in held.get(player, ()):
            made.append(models.Membership(player_id=player, kind=kind, since=since, until=listed.expires))
    return models.Membership.objects.bulk_create(made)


def _write_residence(intake: _Intake, part: Iterable[ListedPlayer]) -> None:
    """Write who is a Canadian resident from the list's day on, and who no longer is (readings 25)."""
    for one in part:
        if one.canadian_resident is not None:
            fact = {"canadian_resident": one.canadian_resident}
            write(intake.everybody[one.id], fact, intake.day, intake.actor.name, f"list of {intake.day}")


def _fill_in_ids(intake: _Intake, part: Iterable[ListedPlayer]) -> None:
    """Add CFC ids of players whose records have none."""
    given = {intake.everybody[one.id]: one.cfc_id[:20] for one in part if one.cfc_id}
    rows = list(models.Player.objects.filter(id__in=list(given), cfc_id=""))
    for row in rows:
        row.cfc_id = given[row.id]
    models.Player.objects.bulk_update(rows, ["cfc_id"])


def _first_change(intake: _Intake) -> int:
    """Return from where on the list can change ratings, after prison releases that follow from its memberships."""
    released = release(intake.actor, [one.player_id for one in intake.joined])
    places = [order.day_of(day) for day in (intake.day, *(one.since for one in intake.joined))]
    return min(places) if released is None else min(*places, released)
