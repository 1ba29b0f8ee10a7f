"""What differs between two versions of one event: results, players, ids, dates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from crosstable.formats.crosstable import bye_letters
from crosstable.model import Event, Game, Player, Section
from crosstable.model.difference import (
    ByeChanged,
    Difference,
    FactChanged,
    PlayerChanged,
    ReportedAge,
    ReportedName,
    ReportedRatings,
    ResultChanged,
    SectionAdded,
    SectionRemoved,
)

EVENT_FACTS = ("name", "start", "end", "city", "state", "country", "chief_td", "affiliate")
SECTION_FACTS = ("name", "start", "end", "time_control", "kind", "mode")

Names = Mapping[str, str]


def differences(before: Event, after: Event, names: Names, *, private: bool = False) -> Iterator[Difference]:
    """Yield everything that differs. `names`: id → the name to show.

    `private`: also what a report says about people (name, rating, age), which is for its director and the office alone.
    """
    for field in EVENT_FACTS:
        was, now = getattr(before, field), getattr(after, field)
        if was != now:
            yield FactChanged(field=field, was=was, now=now)
    old, new = ({one.number: one for one in event.sections} for event in (before, after))
    for number in sorted({*old, *new}):
        if number not in old:
            yield SectionAdded(section=number, section_name=new[number].name)
        elif number not in new:
            yield SectionRemoved(section=number, section_name=old[number].name)
        else:
            yield from _section(old[number], new[number], names)
            yield from _about_people(old[number], new[number], names) if private else ()


def _section(before: Section, after: Section, names: Names) -> Iterator[Difference]:
    for field in SECTION_FACTS:
        was, now = getattr(before, field), getattr(after, field)
        if was != now:
            yield FactChanged(section=after.number, section_name=after.name, field=field, was=was, now=now)
    old, new = ({one.number: one for one in section.players} for section in (before, after))
    yield from _players(old, new, names, after)
    yield from _byes(old, new, names, after)
    yield from _games(before, after, {**old, **new}, names)


def _players(
    old: Mapping[int, Player], new: Mapping[int, Player], names: Names, section: Section
) -> Iterator[Difference]:
    for number in sorted({*old, *new}):
        was, now = old.get(number), new.get(number)
        if was is None or now is None or was.id != now.id:
            yield PlayerChanged(
                section=section.number,
                section_name=section.name,
                number=number,
                name=_name({**old, **new}, number, names),
                was=was.id if was else "",
                now=now.id if now else "",
            )


def _byes(old: Mapping[int, Player], new: Mapping[int, Player], names: Names, section: Section) -> Iterator[Difference]:
    """They count in the score, so a crosstable with another bye is another crosstable."""
    for number in sorted({*old, *new}):
        was, now = ({} if one is None else bye_letters(one) for one in (old.get(number), new.get(number)))
        for turn in sorted(turn for turn in {*was, *now} if was.get(turn) != now.get(turn)):
            yield ByeChanged(
                section=section.number,
                section_name=section.name,
                round=turn,
                number=number,
                name=_name({**old, **new}, number, names),
                was=was.get(turn, ""),
                now=now.get(turn, ""),
            )


def other_byes(before: Event, after: Event) -> bool:
    """Whether two versions with the same games have other byes."""
    one, other = (
        {(section.number, player.id): bye_letters(player) for section in event.sections for player in section.players}
        for event in (before, after)
    )
    return one != other


def _about_people(before: Section, after: Section, names: Names) -> Iterator[Difference]:
    """Yield what changed about the players who were and are in the section. Of ages only that they changed."""
    old = {one.number: one for one in before.players}
    for now in after.players:
        was = old.get(now.number)
        if was is None or was.id != now.id:
            continue
        section, title, number, name = after.number, after.name, now.number, names.get(now.id, now.name)
        if was.name != now.name:
            yield ReportedName(
                section=section, section_name=title, number=number, name=name, was=was.name, now=now.name
            )
        if was.ratings != now.ratings:
            yield ReportedRatings(
                section=section,
                section_name=title,
                number=number,
                name=name,
                was=tuple(sorted(was.ratings.items())),
                now=tuple(sorted(now.ratings.items())),
            )
        if (was.birth_date, was.adult) != (now.birth_date, now.adult):
            yield ReportedAge(section=section, section_name=title, number=number, name=name)


def _games(before: Section, after: Section, players: Mapping[int, Player], names: Names) -> Iterator[Difference]:
    def key(game: Game) -> tuple[int, frozenset[int]]:
        return game.round, frozenset((game.white, game.black))

    old, new = ({key(game): game for game in section.games} for section in (before, after))
    for pair in sorted({*old, *new}, key=lambda pair: (pair[0], sorted(pair[1]))):
        was, now = old.get(pair), new.get(pair)
        game = now or was
        if game is None or (was and now and (was.white, was.result) == (now.white, now.result)):
            continue
        yield ResultChanged(
            section=after.number,
            section_name=after.name,
            round=pair[0],
            white=game.white,
            black=game.black,
            white_name=_name(players, game.white, names),
            black_name=_name(players, game.black, names),
            was=was.result if was else None,
            now=now.result if now else None,
            colors_changed=was is not None and was.white != game.white,
        )


def _name(players: Mapping[int, Player], number: int, names: Names) -> str:
    one = players.get(number)
    return names.get(one.id, one.name) if one else f"number {number}"
