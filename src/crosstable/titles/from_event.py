"""An event document as title systems see it: one EventRecord for every player of every section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from crosstable.errors import CrosstableError
from crosstable.formats.crosstable import rounds as table_width
from crosstable.model import Event, Player, Section
from crosstable.rulebook import rulebook
from crosstable.systems.field import PlayedPairing, SectionPlayers, field_of, person
from crosstable.systems.sections import refuse
from crosstable.systems.structure import problems
from crosstable.systems.us_chess import rated_in
from crosstable.systems.us_chess.pools import MAIN
from crosstable.systems.uscf_1996 import SYSTEM
from crosstable.titles.norms import grand_prix_points, is_supernorm_event
from crosstable.titles.records import BLITZ, QUICK, REGULAR, EventRecord, Met

#: In which of a player's ratings the strength of an opponent is looked up, first to last
KEYS = ("USCF", MAIN)


@dataclass(frozen=True, slots=True)
class TitleResult:
    """Whose record it is."""

    section: int
    number: int
    player: Player
    record: EventRecord


def results(event: Event, posts: Mapping[tuple[int, int], float] | None = None) -> list[TitleResult]:
    """Every player's record. `posts`: post-event ratings by (section, number), which the titles since 2010 need.

    An opponent without a rating counts at the 1996 report's imputed one: converted, else by age (4.2).
    """
    refuse(problems(event))
    found = []
    for section in event.sections:
        field = field_of(section, KEYS[0], {})
        for place, games in enumerate(field.schedule()):
            player = field.entrants[place]
            record = _record(event, field, place, games, posts or {})
            found.append(TitleResult(section.number, player.number, player, record))
    return found


def _record(
    event: Event,
    field: SectionPlayers,
    place: int,
    games: Sequence[PlayedPairing],
    posts: Mapping[tuple[int, int], float],
) -> EventRecord:
    section = field.section
    rivals = [field.entrants[pairing.opponent_of(place)] for pairing in games]
    posted = [posts.get((section.number, rival.number)) for rival in rivals]
    return EventRecord(
        date=field.end,
        rounds=rounds_of(section),
        score=sum(pairing.score_of(place) for pairing in games),
        opponents=tuple(
            Met(strength(rival, field.end), post, person(rival)) for rival, post in zip(rivals, posted, strict=True)
        ),
        system=system_of(section, field.end),
        weight=section.weight,
        supernorm=is_supernorm_event(event.name, grand_prix_points(section.notes), mark=section.supernorm),
        rating=posts.get((section.number, field.entrants[place].number)),
        online=section.mode == "online",
        name=f"{event.name}, section {section.number}",
    )


def strength(player: Player, day: date) -> float:
    """Return a player's rating before the event; for the unrated the imputed one of 1996."""
    known = next((player.ratings[key].rating for key in KEYS if key in player.ratings), None)
    return SYSTEM.start(player, max(day, SYSTEM.book.first)).rating if known is None else known


def rounds_of(section: Section) -> int:
    """How many rounds there were; in a round robin, where `round` may be a column, the busiest player's games."""
    if section.kind != "round-robin":
        return table_width(section)
    busy = Counter(number for game in section.games for number in (game.white, game.black))
    return max(busy.values(), default=0)


def system_of(section: Section, day: date) -> str:
    """Regular, quick or blitz by the time control; regular where the document says none or one that cannot be read."""
    if not section.time_control:
        return REGULAR
    book = rulebook("us_chess")
    try:
        systems = rated_in(book.on(max(day, book.first)), section.mode, section.time_control)
    except CrosstableError:
        return REGULAR
    if any(name.endswith("R") for name in systems):
        return REGULAR
    return QUICK if any(name.endswith("Q") for name in systems) else BLITZ
