"""What a person says about a file that the file does not say itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from crosstable.formats import codes, file_ratings
from crosstable.model import Event, Finding, Player, Section


@dataclass(frozen=True, slots=True)
class Given:
    """Dates and the time control fill gaps; everything else decides.

    `ratings` is the pool that the file's ratings are of (a TRF of a US Chess event: "OTBR"). `adults` and `born` name
    players by id, pairing number or name.
    """

    start: date | None = None
    end: date | None = None
    time_control: str | None = None
    mode: str | None = None
    ratings: str | None = None
    name: str | None = None
    city: str | None = None
    state: str | None = None
    affiliate: str | None = None
    chief_td: str | None = None
    adults: Sequence[str] = ()
    born: Mapping[str, date] = field(default_factory=dict)


def fill(event: Event, given: Given) -> tuple[Event, list[Finding]]:
    """Return the event with what the user said. A time control that cannot be read is left out."""
    start = event.start or given.start
    end = event.end or event.start or given.end or given.start
    sections = []
    for section in event.sections:
        readable = file_ratings.readable(section.time_control)
        changed = replace(
            section,
            start=section.start or start,
            end=section.end or end,
            time_control=(section.time_control if readable else given.time_control) or section.time_control,
            mode=given.mode or section.mode,
        )
        changed = file_ratings.settled(changed)
        sections.append(file_ratings.of_system(changed, given.ratings) if given.ratings else changed)
    said = {
        name: text
        for name in ("name", "city", "state", "affiliate", "chief_td")
        if (text := getattr(given, name)) is not None
    }
    filled = replace(event, start=start, end=end, sections=tuple(sections), **said)
    return _with_ages(filled, given)


def _with_ages(event: Event, given: Given) -> tuple[Event, list[Finding]]:
    findings: list[Finding] = []
    for text in given.adults:
        event, found = _changed(event, text, lambda player: replace(player, adult=True))
        findings += found
    for text, day in given.born.items():
        event, found = _changed(
            event,
            text,
            lambda player, day=day: replace(player, birth_date=day),  # type: ignore[misc]  # a default
        )
        findings += found
    return event, findings


def _changed(event: Event, text: str, change: Callable[[Player], Player]) -> tuple[Event, list[Finding]]:
    """Return the event with one person changed, in every section; or why no one was."""
    people = who_is(event, text)
    if len({player.id or player.name for _, player in people}) != 1:
        words = "no player has" if not people else f"{len(people)} players have"
        return event, [codes.NOBODY_OF_THAT_NAME.at("event", f"{words} the id, number or name {text!r}")]
    wanted = {(section.number, player.number) for section, player in people}
    sections = [
        replace(s, players=tuple(change(p) if (s.number, p.number) in wanted else p for p in s.players))
        for s in event.sections
    ]
    return replace(event, sections=tuple(sections)), []


def first_name_first(name: str) -> str:
    """`Carter, Anna` as `Anna Carter`; a name with no comma, or several, stays as it is."""
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma and first.strip() and "," not in first else name


def who(players: Sequence[Player], most: int = 3) -> str:
    """`Ada; Bo; Cy and 12 more`: names hold commas."""
    names = [player.name or player.id or f"player {player.number}" for player in players]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return "; ".join(names[:most]) + more


def who_is(event: Event, text: str) -> list[tuple[Section, Player]]:
    """Return the entries of a person: by id, else by pairing number, else by name, else by a part of the name."""
    everybody = [(section, player) for section in event.sections for player in section.players]
    wanted = " ".join(text.casefold().split())

    def name(player: Player) -> str:
        return " ".join(player.name.casefold().split())

    tests: tuple[Callable[[Player], bool], ...] = (
        lambda player: bool(player.id) and player.id == text,
        lambda player: str(player.number) == text,
        lambda player: name(player) == wanted,
        lambda player: bool(wanted) and wanted == first_name_first(name(player)),
        lambda player: bool(wanted) and (wanted in name(player) or wanted in first_name_first(name(player))),
    )
    for fits in tests:
        if found := [(section, player) for section, player in everybody if fits(player)]:
            return found
    return []
