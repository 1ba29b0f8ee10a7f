"""Fixes of players: the id, the name, the rating, the age; one person who stands in two rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from crosstable.fixes.base import (
    Fixed,
    FixRefused,
    Values,
    called,
    day_of,
    fix,
    player_of,
    section_of,
    text_of,
    whole,
    with_opponent,
    with_player,
    with_section,
)
from crosstable.formats import file_ratings, table_cells
from crosstable.formats.fields import NEW_MEMBER, is_new_member
from crosstable.model import Event, Player, Section
from crosstable.model.ids import id_problems


def _place(section: Section, player: Player) -> str:
    return f"section {section.number}, {called(player)}"


def _changed(event: Event, values: Values, change: Callable[[Player], Player]) -> tuple[Event, str, Player]:
    """Return the event with one player changed, where that was, and the player before."""
    section = section_of(event, values)
    player = player_of(section, whole(values, "player"))
    return with_player(event, section, player.number, change), _place(section, player), player


@fix("id")
def id_(event: Event, values: Values) -> Fixed:
    """Set the player's id; with it the name, where the row has none."""
    wanted, name = text_of(values, "id", 60), text_of(values, "name")
    problems = list(id_problems(wanted)) if wanted else ["an id is needed: nothing was typed"]
    if problems:
        raise FixRefused(problems[0])
    changed, place, was = _changed(event, values, lambda one: replace(one, id=wanted, name=one.name or name))
    return Fixed(changed, place, was.id or "no id", wanted)


@fix("name")
def name(event: Event, values: Values) -> Fixed:
    wanted = text_of(values, "name")
    if not wanted:
        raise FixRefused("a name is needed: nothing was typed")
    changed, place, was = _changed(event, values, lambda one: replace(one, name=wanted))
    return Fixed(changed, place, was.name or "no name", wanted)


@fix("swap-ids")
def swap_ids(event: Event, values: Values) -> Fixed:
    """Two players have each other's ids."""
    section, one, other = _two_rows(event, values, "two rows are needed")
    changed = with_player(event, section, one.number, lambda player: replace(player, id=other.id))
    changed = with_player(changed, section_of(changed, values), other.number, lambda player: replace(player, id=one.id))
    place = f"section {section.number}, {called(one)} and {called(other)}"
    return Fixed(changed, place, f"{one.id} and {other.id}", f"{other.id} and {one.id}")


def _two_rows(event: Event, values: Values, refusal: str) -> tuple[Section, Player, Player]:
    """Return the section, and the rows `one` and `other` of it."""
    section = section_of(event, values)
    one, other = (player_of(section, whole(values, key)) for key in ("one", "other"))
    if one.number == other.number:
        raise FixRefused(refusal)
    return section, one, other


@fix("re-entry")
def re_entry(event: Event, values: Values) -> Fixed:
    """`other` is `one` once more: the same id, and the same ratings before the event."""
    section, one, other = _two_rows(event, values, "a re-entry has a number of its own")

    def again(player: Player) -> Player:
        return replace(one, number=player.number, name=player.name or one.name, notes=player.notes)

    changed = with_player(event, section, other.number, again)
    before = f"{other.id or 'no id'}, a row of its own"
    return Fixed(changed, _place(section, other), before, f"a re-entry of {called(one)}")


@fix("join")
def join(event: Event, values: Values) -> Fixed:
    """One row too many: the games of `other` are those of `one`, and the row goes."""
    section, one, other = _two_rows(event, values, "two rows are needed")
    busy = {game.round for game in section.games if one.number in (game.white, game.black)}
    games = []
    for game in section.games:
        if other.number not in (game.white, game.black):
            games.append(game)
        elif one.number in (game.white, game.black) or game.round in busy:
            raise FixRefused(
                f"{called(one)} and {called(other)} both played in round {game.round}: they are two people"
            )
        else:
            games.append(with_opponent(game, other.number, one.number))
    kept = tuple(player for player in section.players if player.number != other.number)
    changed = with_section(event, replace(section, players=kept, games=tuple(games)))
    return Fixed(changed, _place(section, other), "a row of its own", f"one with {called(one)}")


@fix("number")
def number(event: Event, values: Values) -> Fixed:
    """Of two with one number the last gets the next free one; the games stay with the first."""
    section = section_of(event, values)
    wanted = whole(values, "player")
    same = [player for player in section.players if player.number == wanted]
    if len(same) < 2:
        raise FixRefused(f"only one player has the number {wanted}")
    free = max(player.number for player in section.players) + 1
    players = tuple(replace(one, number=free) if one is same[-1] else one for one in section.players)
    changed = with_section(event, replace(section, players=players))
    return Fixed(changed, _place(section, same[-1]), f"number {wanted}", f"number {free}, without games")


@fix("adult")
def adult(event: Event, values: Values) -> Fixed:
    """Mark an unrated adult; without a number, all of the section who have neither a rating nor a birth date."""
    section = section_of(event, values)
    if values.get("player"):
        changed, place, _ = _changed(event, values, lambda one: replace(one, adult=True))
        return Fixed(changed, place, "unrated", "an unrated adult")
    new = [one for one in section.players if not one.ratings and one.birth_date is None and not one.adult]
    if not new:
        raise FixRefused("every player in the section has a rating, or is known to be an adult or a child")
    players = tuple(replace(one, adult=True) if one in new else one for one in section.players)
    changed = with_section(event, replace(section, players=players))
    return Fixed(changed, f"section {section.number}", "unrated", f"{len(new)} unrated adults")


@fix("born")
def born(event: Event, values: Values) -> Fixed:
    """Set the birth date, which the text of the fix leaves out; without one, remove it."""
    day = day_of(values, "day") if values.get("day") else None
    changed, place, _ = _changed(event, values, lambda one: replace(one, birth_date=day))
    return Fixed(changed, place, "the birth date", "given" if day else "left out")


@fix("new-member")
def new_member(event: Event, values: Values) -> Fixed:
    """Someone new without an id: the office gives one on acceptance. Born on `day`, or an adult; nothing: not known."""
    day, grown = day_of(values, "day") if values.get("day") else None, bool(values.get("adult"))

    def new(one: Player) -> Player:
        return replace(
            one,
            id="",
            adult=grown or one.adult,
            birth_date=day or one.birth_date,
            notes={**one.notes, NEW_MEMBER: True},
        )

    changed, place, was = _changed(event, values, new)
    age = ", born as given" if day else ", an adult" if grown else ""
    return Fixed(changed, place, was.id or "no id", f"a new member{age}: the office gives the id")


@fix("new-members")
def new_members(event: Event, values: Values) -> Fixed:
    """All of a section who have no id are new members."""
    section = section_of(event, values)
    new = without_id(section)
    if not new:
        raise FixRefused("every player in the section has an ID, or is known to be new")
    players = tuple(
        replace(one, notes={**one.notes, NEW_MEMBER: True}) if one in new else one for one in section.players
    )
    changed = with_section(event, replace(section, players=players))
    return Fixed(changed, f"section {section.number}", "no ids", f"{len(new)} new members: the office gives the ids")


@fix("rating")
def rating(event: Event, values: Values) -> Fixed:
    """Set the rating before the event, as US Chess prints it: 1641 is established, as in files, 1641P17 is not;
    nothing for an unrated player.
    """
    section = section_of(event, values)
    pool = values.get("pool") or file_ratings.main_pool(section.time_control, section.mode)
    typed = text_of(values, "rating", 20)
    try:
        record, provisional = table_cells.rating_of(typed)
    except ValueError:
        raise FixRefused(f"{typed!r} is not a rating: write 1641, or 1641P17 for a provisional one") from None
    if record is not None and record.games is None and not provisional and pool in file_ratings.KEY_LETTERS:
        record = replace(record, games=file_ratings.established_games())
    was = player_of(section, whole(values, "player")).ratings.get(pool)

    def with_rating(one: Player) -> Player:
        kept = {key: value for key, value in one.ratings.items() if key != pool}
        return replace(one, ratings={**kept, **({pool: record} if record else {})})

    changed, place, _ = _changed(event, values, with_rating)
    return Fixed(changed, place, f"{was.rating:g}" if was else "no rating", typed or "unrated")


@fix("games-known")
def games_known(event: Event, values: Values) -> Fixed:  # noqa: ARG001 - every fix is called in the same way
    """Every rating without a number of games stands for an established one."""
    games = file_ratings.established_games()
    changed = file_ratings.assume_games(event, games)
    return Fixed(changed, "event", "ratings without a number of games", f"established, {games} games")


@fix("total")
def total(event: Event, values: Values) -> Fixed:
    """Leave out the total of the file: the rounds are right."""
    changed, place, was = _changed(event, values, lambda one: replace(one, notes=_without_total(one)))
    return Fixed(changed, place, f"total {was.notes.get('total')}", "as the rounds give it")


def _without_total(player: Player) -> dict[str, object]:
    return {key: value for key, value in player.notes.items() if key != "total"}


def without_id(section: Section) -> list[Player]:
    """Those who have no id, and are not new either."""
    return [player for player in section.players if not player.id.strip() and not is_new_member(player)]


@fix("ids")
def ids(event: Event, values: Values) -> Fixed:
    """Ids of those in the section who have none: one a line or a word, in the order of the rows; - for none."""
    section = section_of(event, values)
    missing = without_id(section)
    typed = values.get("ids", "").replace(",", " ").split()
    if len(typed) != len(missing):
        words = f"{len(missing)} ids are needed, one for each player in the order of the rows; there are {len(typed)}"
        raise FixRefused(f"{words}. Write - for a player without one")
    for problem in (words for one in typed if one != "-" for words in id_problems(one)):
        raise FixRefused(problem)
    given = {player.number: one for player, one in zip(missing, typed, strict=True) if one != "-"}
    players = tuple(
        replace(one, id=given[one.number]) if one in missing and one.number in given else one for one in section.players
    )
    changed = with_section(event, replace(section, players=players))
    after = ", ".join(f"{number}: {one}" for number, one in given.items())
    return Fixed(changed, f"section {section.number}", "no ids", after[:300])
