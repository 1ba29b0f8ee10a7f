"""What `rate` understood of a file, in a few lines: when, where, how long a game lasted, which pools, who was
unrated.
"""

from __future__ import annotations

from collections.abc import Iterator

from crosstable.formats.crosstable import people
from crosstable.formats.file_ratings import UNNAMED, readable
from crosstable.model import Answer, Event, Rated, Section
from crosstable.words.findings import plural
from crosstable.words.rated_page import control_words, pool_words, span

_SHOWN = 5  # unrated players who are named


def understood(event: Event, rated: Rated | None = None) -> list[str]:
    """One line for the event, and some for each section."""
    when = span(event) or "no date"
    lines = [", ".join(part for part in (event.name or "unnamed event", when, event.city, event.state) if part)]
    for section in event.sections:
        answers = [answer for answer in rated.answers if answer.section == section.number] if rated else []
        lines.append(_section(section, answers))
        lines += _taken_for(section)
        lines += _unrated(section, answers)
    return lines


def _section(section: Section, answers: list[Answer]) -> str:
    name = section.name or f"section {section.number}"
    pools = list(dict.fromkeys(answer.pool for answer in answers))
    parts = [plural(people([section]), "player"), plural(len(section.games), "game"), control_words(section)]
    rated_in = f", rated in {' and '.join(map(pool_words, pools))}" if pools else ""
    return f"{name}: {', '.join(part for part in parts if part)}{rated_in}"


def _taken_for(section: Section) -> Iterator[str]:
    """Of which pool the ratings are, where the file does not say it and the time control does."""
    pool = section.notes.get(UNNAMED)
    if isinstance(pool, str) and readable(section.time_control) and any(pool in p.ratings for p in section.players):
        yield f"the file's ratings are taken for {pool_words(pool)}; --ratings POOL says otherwise"


def _unrated(section: Section, answers: list[Answer]) -> Iterator[str]:
    """Describe the unrated players and the start that each got, a line for each pool, and list the unknown ages."""
    players = {player.number: player for player in section.players}
    starts: dict[str, list[str]] = {}
    ageless: list[str] = []
    for answer in answers:
        if not answer.values.get("initialized", answer.prior is None):
            continue
        player = players[answer.number]
        who = player.name or player.id or f"player {player.number}"
        begin = f" from {answer.prior:.0f}" if answer.prior is not None else ""
        starts.setdefault(answer.pool, []).append(f"{who}{begin}")
        known = player.birth_date or player.adult or player.ratings or player.fide or player.cfc
        if not known and "initialized" in answer.values and who not in ageless:
            ageless.append(who)
    for pool, names in starts.items():
        yield f"unrated in {pool}: {few(names)}"
    if ageless:
        yield f"age unknown: {few(ageless)}; --born WHO=DATE or --adult WHO (id, number or name) gives another start"


def few(names: list[str]) -> str:
    """Return the first names, and how many more there are."""
    return "; ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
