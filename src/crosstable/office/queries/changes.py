"""Whose ratings an act moves, as pages show it: published numbers first, what moves only behind the point is
counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from crosstable.model import Event
from crosstable.model.difference import Difference
from crosstable.office.ledger import documents
from crosstable.office.ledger.differences import differences
from crosstable.office.ledger.models import Player, RatingMove, Revision, Section
from crosstable.office.ledger.rating_change import PlayersChange, WithChange
from crosstable.office.lists.official import shown
from crosstable.office.players import person as people
from crosstable.office.players.person import Person
from crosstable.office.queries import words
from crosstable.office.queries.words import joined, small, some, whole
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.words import differences as texts
from crosstable.words.language import _

#: So many are shown on the page of an act; a table to download has them all
LARGEST = 20


@dataclass(frozen=True, slots=True)
class Line(PlayersChange):
    """A player's live rating as it is published."""

    lists: int  # published lists that show the player in this pool, and keep the old number
    floor: tuple[float | None, float | None] | None  # where it changes
    title: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class Moved:
    """What an act does, or would do."""

    preview: bool
    players: int
    sections: int
    rows: tuple[Line, ...]  # those whose published number, floor or title changes, the largest first
    total: int  # how many such lines there are
    behind: int  # changes that no published number shows
    refused: tuple[str, ...]  # sections that would no longer be rated


def moved(answer: Mapping[str, Any], most: int | None = LARGEST) -> Moved:
    """From what an act answers (`Rerated.as_json`). `most`: so many rows, the largest; None for all."""
    lines = [_line(one) for one in answer["changes"]]
    plain = [one for one in lines if one.change != 0 or one.floor or one.title]
    refused = tuple(f"event {one['event']}, section {one['section']}" for one in answer["refused"])
    behind = len(lines) - len(plain)
    counts = answer["preview"], answer["players"], answer["sections"]
    return Moved(*counts, tuple(plain[:most]), len(plain), behind, refused)


def _line(one: Mapping[str, Any]) -> Line:
    before, after = (None if one[side] is None else shown(one["pool"], one[side]) for side in ("before", "after"))
    floors, titles = (one["floor_before"], one["floor_after"]), (one["title_before"], one["title_after"])
    return Line(
        player=one["player"],
        name=one["name"],
        pool=one["pool"],
        before=before,
        after=after,
        since=one["since"],
        reason=one["reason"],
        lists=len(one["lists"]),
        floor=floors if floors[0] != floors[1] else None,
        title=titles if titles[0] != titles[1] else None,
    )


# What a revision changed, as pages tell it: the entries, whose ratings moved, and both in words.

#: So many players are named with their numbers in a sentence
NAMED = 2


@dataclass(frozen=True, slots=True)
class MovedRating(WithChange):
    """A published rating that is another since the revision."""

    person: Person
    pool: str
    event: str
    event_name: str
    section: int
    section_name: str
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class Changes:
    """What one revision changed."""

    differences: tuple[Difference, ...] = ()
    here: tuple[MovedRating, ...] = ()  # after this event, largest first
    later: tuple[MovedRating, ...] = ()  # after the last event of each player, where that is another one
    sent_again: bool = False  # by its director, before what differs was rated

    @property
    def what(self) -> str:
        """Two results and one player."""
        kinds = Counter(one.counts_as for one in self.differences)
        nouns = {"result": "result", "player": "player", "fact": "detail"}
        return joined(some(kinds[kind], noun) for kind, noun in nouns.items() if kinds[kind])

    @property
    def before_rating(self) -> bool:
        """Whether the event was rated for the first time with this revision: no one had a rating from it before."""
        return bool(self.here) and all(one.before is None for one in self.here)

    @property
    def counted(self) -> str:
        """29 ratings moved in the event and 46 after it. A withdrawal changes no entry, and is not counted here."""
        if self.before_rating:
            return _("The event had not been rated yet.")
        if not self.here and not self.later:
            words = _("What changed had not been rated yet.") if self.sent_again else _("No published rating moved.")
            return words if self.differences else ""
        here, later = some(len(self.here), "rating"), len(self.later)
        if not self.here:
            text = _("{ratings} moved after the event.").format(ratings=some(later, "rating"))
        elif self.later:
            text = _("{ratings} moved in the event and {later} after it.").format(ratings=here, later=small(later))
        else:
            text = _("{ratings} moved in the event.").format(ratings=here)
        return f"{text[:1].upper()}{text[1:]}"

    @property
    def entries(self) -> str:
        """Round 3, Adam Wu – Bruno Rivera: 1–0 → ½–½. Of many only their number."""
        if len(self.differences) > NAMED:
            return _("{what} were corrected.").format(what=f"{self.what[:1].upper()}{self.what[1:]}")
        return " ".join(
            f"{one.where}, {one.entry}: {one.was or _('none')} → {one.now or _('none')}."
            for one in texts.differences(self.differences)
        )

    @property
    def largest(self) -> str:
        """Bruno Rivera 1505 → 1523 Regular, Adam Wu 1654 → 1639 Quick."""
        known = [one for one in self.here if one.before is not None and one.after is not None]
        return ", ".join(
            f"{one.person.name} {whole(one.before or 0)} → {whole(one.after or 0)} {words.pool(one.pool)}"
            for one in known[:NAMED]
        )

    @property
    def told(self) -> str:
        """Return all of it in one sentence."""
        named = _("The largest changes: {changes}.").format(changes=self.largest) if self.largest else ""
        return " ".join(part for part in (self.entries, self.counted, named) if part)


def of(number: str, event: int, revisions: Sequence[Revision]) -> dict[int, Changes]:
    """Revisions by their numbers, each beside the one before it where that is among them."""
    again = {one.number for one in revisions if one.kind == "submitted"}
    read = {one.number: documents.unpack(one.document, number) for one in revisions}
    names, moves = _names(read.values()), _moves({one.id: one.number for one in revisions}, event)
    return {
        one: Changes(
            tuple(differences(read[one - 1], content, names)) if one - 1 in read else (),
            *moves.get(one, ((), ())),
            one in again,
        )
        for one, content in read.items()
    }


def one(number: str, event: int, wanted: int) -> Changes:
    """Return what a single revision changed."""
    return of(number, event, list(Revision.objects.filter(event_id=event, number__in=(wanted - 1, wanted))))[wanted]


def _moves(
    revisions: Mapping[int, int], event: int
) -> dict[int, tuple[tuple[MovedRating, ...], tuple[MovedRating, ...]]]:
    """In this event, and in the last one of everybody who has played since. What would tell an age is left out.

    `revisions`: row → number, under which the answer stands.
    """
    rows = list(
        RatingMove.objects.filter(revision_id__in=revisions)
        .order_by("position")
        .values_list("revision_id", "section_id", "player_id", "pool", "position", "before", "after")
    )
    sections = Section.objects.filter(id__in={row[1] for row in rows}).select_related("event").defer("entries", "games")
    known = {one.id: one for one in sections}
    players = sorted({row[2] for row in rows})
    everybody, starts = people.by_row(players), AgeStarts(players)
    here: dict[int, list[MovedRating]] = {}
    later: dict[int, dict[tuple[int, str], MovedRating]] = {}
    for revision, section, player, pool, position, *both in rows:
        part = known.get(section)
        if part is None or player not in everybody or starts.strict:
            continue
        if any(starts.tells(player, pool, one, position) for one in both):
            continue
        before, after = (None if one is None else shown(pool, one) for one in both)
        moved = MovedRating(
            person=everybody[player],
            pool=pool,
            event=part.event.number,
            event_name=part.event.name,
            section=part.number,
            section_name=part.name,
            before=before,
            after=after,
        )
        if part.event_id == event:
            here.setdefault(revisions[revision], []).append(moved)
        else:
            later.setdefault(revisions[revision], {})[player, pool] = moved
    return {
        number: (_largest_first(here.get(number, ())), _largest_first(later.get(number, {}).values()))
        for number in revisions.values()
    }


def _largest_first(moved: Iterable[MovedRating]) -> tuple[MovedRating, ...]:
    def order(one: MovedRating) -> tuple[float, str, str, str]:
        size = -abs(one.change) if one.change is not None else -1e9
        return size, one.person.name, one.person.number, one.pool

    return tuple(sorted(moved, key=order))


def _names(contents: Iterable[Event]) -> Mapping[str, str]:
    """Id → the public name; of someone whom the ledger does not know, the name in the report."""
    reported = {one.id: one.name for event in contents for section in event.sections for one in section.players}
    rows = Player.objects.filter(number__in=[number for number in reported if number]).values_list(*people.COLUMNS)
    return reported | {row[1]: people.person(*row).name for row in rows}
