"""What differs between two contents of one event: results, players, ids, dates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from crosstable.formats.crosstable import WITHOUT_A_GAME, bye_letters
from crosstable.formats.dates import day
from crosstable.model import Event, Game, Player, Section
from crosstable.office.ledger.sections import called

RESULTS = {"1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½", "+/-": "+ –", "-/+": "– +", "-/-": "– –"}


@dataclass(frozen=True, slots=True)
class Difference:
    """One entry that is another now. `was` or `now` is empty where there was or is none."""

    where: str
    entry: str
    detail: str
    was: str
    now: str

    @property
    def kind(self) -> str:
        """A result, a player, or something about the event or a section."""
        return {"Round": "result", "Number": "player"}.get(self.where.split()[0], "fact")


def differences(
    before: Event, after: Event, names: Mapping[str, str], *, private: bool = False
) -> Iterator[Difference]:
    """Everything that differs. `names`: id → the name to show.

    `private`: also what a report says about people (name, rating, age), which is for its director and the office alone.
    """
    for what in ("name", "start", "end", "city", "state", "country", "chief_td", "affiliate"):
        was, now = getattr(before, what), getattr(after, what)
        if was != now:
            yield Difference("Event", what.replace("_", " ").capitalize(), "", _fact(was), _fact(now))
    old, new = ({one.number: one for one in event.sections} for event in (before, after))
    for number in sorted({*old, *new}):
        if number not in old or number not in new:
            was, now = ("", "added") if number not in old else ("", "removed")
            yield Difference(f"Section {number}", (old.get(number) or new[number]).name, "", was, now)
        else:
            yield from _section(old[number], new[number], names)
            yield from _about_people(old[number], new[number], names) if private else ()


def _section(before: Section, after: Section, names: Mapping[str, str]) -> Iterator[Difference]:
    where = called(after)
    for what in ("name", "start", "end", "time_control", "kind", "mode"):
        was, now = getattr(before, what), getattr(after, what)
        if was != now:
            yield Difference(where, what.replace("_", " ").capitalize(), "", _fact(was), _fact(now))
    old, new = ({one.number: one for one in section.players} for section in (before, after))
    yield from _players(old, new, names, where)
    yield from _byes(old, new, names, where)
    yield from _games(before, after, new | {key: one for key, one in old.items() if key not in new}, names)


def _fact(value: str | date | None) -> str:
    return day(value) if isinstance(value, date) else value or "none"


def _players(
    old: Mapping[int, Player], new: Mapping[int, Player], names: Mapping[str, str], where: str
) -> Iterator[Difference]:
    for number in sorted({*old, *new}):
        was, now = old.get(number), new.get(number)
        if was is None or now is None or was.id != now.id:
            one = now or was
            entry = names.get(one.id, one.name) if one else ""
            yield Difference(f"Number {number}", entry, where, was.id if was else "", now.id if now else "")


def _byes(
    old: Mapping[int, Player], new: Mapping[int, Player], names: Mapping[str, str], where: str
) -> Iterator[Difference]:
    """They count in the score, so a crosstable with another bye is another crosstable."""
    for number in sorted({*old, *new}):
        was, now = ({} if one is None else bye_letters(one) for one in (old.get(number), new.get(number)))
        for turn in sorted(turn for turn in {*was, *now} if was.get(turn) != now.get(turn)):
            words = [WITHOUT_A_GAME.get(byes.get(turn, ""), "") for byes in (was, now)]
            entry = _name({**old, **new}, number, names)
            yield Difference(f"Round {turn}", entry, f"{where} · number {number}", words[0], words[1])


def other_byes(before: Event, after: Event) -> bool:
    """Whether two contents with the same games have other byes."""
    one, other = (
        {(section.number, player.id): bye_letters(player) for section in event.sections for player in section.players}
        for event in (before, after)
    )
    return one != other


def _about_people(before: Section, after: Section, names: Mapping[str, str]) -> Iterator[Difference]:
    """Of everybody who was and is in the section. Of ages it is only said that they changed."""
    where, old = called(after), {one.number: one for one in before.players}
    for now in after.players:
        was = old.get(now.number)
        if was is None or was.id != now.id:
            continue
        place, entry = f"Number {now.number}", names.get(now.id, now.name)
        if was.name != now.name:
            yield Difference(place, entry, f"{where} · name in the report", was.name, now.name)
        if was.ratings != now.ratings:
            yield Difference(place, entry, f"{where} · rating in the report", _ratings(was), _ratings(now))
        if (was.birth_date, was.adult) != (now.birth_date, now.adult):
            yield Difference(place, entry, f"{where} · birth date, or adult", "", "changed")


def _ratings(player: Player) -> str:
    return ", ".join(f"{pool} {one.rating:g}" for pool, one in sorted(player.ratings.items()))


def _games(
    before: Section, after: Section, players: Mapping[int, Player], names: Mapping[str, str]
) -> Iterator[Difference]:
    def key(game: Game) -> tuple[int, frozenset[int]]:
        return game.round, frozenset((game.white, game.black))

    old, new = ({key(game): game for game in section.games} for section in (before, after))
    for pair in sorted({*old, *new}, key=lambda pair: (pair[0], sorted(pair[1]))):
        was, now = old.get(pair), new.get(pair)
        game = now or was
        if game is None or (was and now and (was.white, was.result) == (now.white, now.result)):
            continue
        who = " – ".join(_name(players, number, names) for number in (game.white, game.black))
        detail = f"{after.name or f'Section {after.number}'} · □ number {game.white}, ■ number {game.black}"
        yield Difference(f"Round {pair[0]}", who, detail, _result(was, game), _result(now, game))


def _name(players: Mapping[int, Player], number: int, names: Mapping[str, str]) -> str:
    one = players.get(number)
    return names.get(one.id, one.name) if one else f"number {number}"


def _result(game: Game | None, seen: Game) -> str:
    """A result as White of the game that is shown would read it."""
    if game is None:
        return ""
    words = RESULTS.get(game.result, game.result)
    return words if game.white == seen.white else f"{words}, colours changed"
