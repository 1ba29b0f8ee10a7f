"""A rated event as a file: CSV and XLSX with a row for each player, one HTML page with the derivations, or the text
crosstable with the new ratings filled in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from crosstable.formats import guarded_tables, text_crosstable_writing
from crosstable.formats.crosstable import scores
from crosstable.formats.text_crosstable import published
from crosstable.model import Event, Player, Rated
from crosstable.systems.us_chess.coefficients import provisional_games
from crosstable.words.rated_page import page

_HEADS = (
    "Section",
    "No.",
    "ID",
    "Name",
    "Score",
    "Pool",
    "Before",
    "Games before",
    "After",
    "Games after",
    "Published",
)


#: The events of one command, in the order of their files.
Several = Sequence[tuple[Event, Rated]]


def rows(several: Several) -> list[list[object]]:
    """Return a row for each player and pool, under `_HEADS`; on the right what a published page shows, if any does.

    With more than one event each row begins with the event's name.
    """
    table: list[list[object]] = [[*_HEADS[:-1], "Page shows"]]
    names = titles(several)
    for event, rated in several:
        table += _rows_of(event, rated)
    if not any(row[-1] is not None for row in table[1:]):
        table = [row[:-1] for row in table]
    if len(several) == 1:
        return table
    whose = [name for name, (_, rated) in zip(names, several, strict=True) for _ in rated.answers]
    return [[first, *row] for first, row in zip(["Event", *whose], table, strict=True)]


def titles(several: Several) -> list[str]:
    """Return the names of the events; an event without a name, or with another's, gets a number."""
    found: list[str] = []
    for place, (event, _) in enumerate(several, start=1):
        name = event.name or f"Event {place}"
        found.append(f"{name} ({place})" if name in found else name)
    return found


def _rows_of(event: Event, rated: Rated) -> list[list[object]]:
    players = {(s.number, p.number): (s, p) for s in event.sections for p in s.players}
    totals = {section.number: scores(section) for section in event.sections}
    table: list[list[object]] = []
    for answer in rated.answers:
        section, player = players[answer.section, answer.number]
        values = answer.values
        new = values.get("initialized", answer.prior is None)
        table.append(
            [
                section.name or section.number,
                player.number,
                player.id,
                player.name,
                totals[section.number][player.number] / 2,
                answer.pool,
                None if new else answer.prior,
                None if new else values.get("prior_games"),
                answer.published,
                values.get("post_games"),
                published(player).get(answer.pool, {}).get("rating"),
            ]
        )
    return table


def as_csv(several: Several) -> bytes:
    return guarded_tables.text(rows(several)).encode("utf-8")


def as_xlsx(several: Several) -> bytes:
    """Return a workbook with a sheet for each event."""
    return guarded_tables.workbook(
        (_sheet_name(place, one[0].name) if len(several) > 1 else "Ratings", rows([one]))
        for place, one in enumerate(several, start=1)
    )


def _sheet_name(place: int, name: str) -> str:
    """Up to 31 characters, and none of those that spreadsheets forbid; the number tells events of one name apart."""
    allowed = "".join(c if c.isprintable() and c not in "[]:*?/\\'" else " " for c in name)
    return f"{place} {' '.join(allowed.split()) or 'Event'}"[:31].strip()


def as_text(event: Event, rated: Rated) -> bytes:
    """Return the text crosstable that US Chess publishes, with our new ratings where it has its own."""
    after: dict[tuple[int, int], dict[str, dict[str, int]]] = {}
    for answer in rated.answers:
        if answer.published is not None:
            post: dict[str, int] = {"rating": round(answer.published)}
            games = answer.values.get("post_games")
            if isinstance(games, int) and games <= provisional_games():
                post["games"] = games
            after.setdefault((answer.section, answer.number), {})[answer.pool] = post
    sections = tuple(
        replace(s, players=tuple(_with_after(p, after.get((s.number, p.number), {})) for p in s.players))
        for s in event.sections
    )
    return text_crosstable_writing.write(replace(event, sections=sections)).data


def _with_after(player: Player, after: dict[str, dict[str, int]]) -> Player:
    return replace(player, notes={**player.notes, "published": after})


def as_html(several: Several) -> bytes:
    """One page that needs no other file: the crosstables, and behind each name the work."""
    return page([replace(rated, event=event.name, source=event) for event, rated in several]).encode("utf-8")
