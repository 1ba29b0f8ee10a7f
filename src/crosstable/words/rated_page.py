"""A rated event as HTML: one page that needs no other file, with the crosstables and the work behind each rating.

`rate --html`, `Rated.to_html()` and the table that a notebook shows are made here.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from crosstable.errors import UnknownTimeControl
from crosstable.formats.crosstable import bye_letters, scores
from crosstable.formats.file_ratings import printed
from crosstable.formats.text_crosstable import published
from crosstable.model import PLAYED_RESULTS, Answer, Event, Game, Player, Rated, Section
from crosstable.systems.us_chess.pools import BY_KEY
from crosstable.systems.us_chess.time_controls import parse
from crosstable.words.derivation import citation, names_of, say
from crosstable.words.derivation import title as step_title

LETTERS = {2: "W", 1: "D", 0: "L"}
UNPLAYED = {"+/-": ("X", "F"), "-/+": ("F", "X"), "-/-": ("F", "F")}

#: On paper there is nothing to press: the derivations stand open.
_STYLE = """body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}
.wide{overflow-x:auto}p,li,summary{overflow-wrap:anywhere}
table{border-collapse:collapse;margin:1rem 0}th,td{white-space:nowrap;border-bottom:1px solid #ccc;padding:.25rem .5rem;
text-align:left}
details{margin:.5rem 0}summary{cursor:pointer}small{color:#555}
@media print{details::details-content{content-visibility:visible;height:auto}details,tr{break-inside:avoid}}
@media (prefers-color-scheme:dark){body{background:#111;color:#eee}th,td{border-color:#444}small{color:#aaa}}"""


def page(several: Sequence[Rated]) -> str:
    """Return the crosstables of the events, what was noticed, and behind each name the work."""
    title = ", ".join(rated.event for rated in several if rated.event) or "Rated event"
    parts = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>",
    ]
    for rated in several:
        parts += _event(rated)
    return "\n".join(parts) + "\n</body></html>\n"


def table(rated: Rated) -> str:
    """Return the new ratings alone, for a notebook."""
    caption = f"<caption>{escape(f'{rated.event} · {rated.system}')}</caption>"
    tables = [_table(section, own) for section, own in _sections(rated)]
    return "".join(tables).replace("<table>", f"<table>{caption}", 1)


def _event(rated: Rated) -> list[str]:
    event = rated.source
    parts = [f"<h1>{escape(rated.event or 'Rated event')}</h1>"]
    if event is not None and (about := _about(event)):
        parts.append(f"<p>{escape(about)}</p>")
    for section, own in _sections(rated):
        name = section.name or f"Section {section.number}"
        parts += [f"<h2>{escape(name)}</h2>", f"<p>{escape(_about_section(section, own))}</p>"]
        parts.append(
            f'<div class="wide" tabindex="0" role="region" aria-label="{escape(name)}">{_table(section, own)}</div>'
        )
        parts += [_derivation(section, answer) for answer in own if answer.derivation]
    if rated.findings:
        noticed = "".join(f"<li>{escape(str(finding))}</li>" for finding in rated.findings)
        parts.append(f"<h2>Noticed</h2><ul>{noticed}</ul>")
    return parts


def _about(event: Event) -> str:
    return ", ".join(part for part in (span(event), event.city, event.state) if part)


def _about_section(section: Section, answers: Sequence[Answer]) -> str:
    """`2025-08-02, G/60;d5 (60 minutes and 5 seconds a move), rated in OTBR (Regular)`."""
    pools = list(dict.fromkeys(answer.pool for answer in answers))
    rated_in = f"rated in {' and '.join(map(pool_words, pools))}" if pools else ""
    return ", ".join(part for part in (span(section), control_words(section), rated_in) if part)


def span(event: Event | Section) -> str:
    """`2025-08-02 to 2025-08-03`, one day, or nothing."""
    if event.start is None:
        return ""
    return str(event.start) if event.end in (None, event.start) else f"{event.start} to {event.end}"


def pool_words(key: str) -> str:
    """`OTBR (Regular)`: codes are short, and no one knows them at first."""
    return f"{key} ({BY_KEY[key].title})" if key in BY_KEY else key


def control_words(section: Section) -> str:
    """`G/60;d5 (60 minutes and 5 seconds)`."""
    if not section.time_control:
        return "no time control"
    try:
        controls = parse(section.time_control)
    except UnknownTimeControl:
        return f"time control {section.time_control!r}, which cannot be read"
    words = "; ".join(
        f"{control.minutes:g} minutes" + (f" and {control.seconds:g} seconds a move" if control.seconds else "")
        for control in controls
    )
    return f"{section.time_control} ({words})"


def _sections(rated: Rated) -> list[tuple[Section, list[Answer]]]:
    """Each section with its answers."""
    sections = rated.source.sections if rated.source is not None else ()
    return [(one, [answer for answer in rated.answers if answer.section == one.number]) for one in sections]


def _table(section: Section, answers: Sequence[Answer]) -> str:
    pools = list(dict.fromkeys(answer.pool for answer in answers))
    own = {(answer.pool, answer.number): answer for answer in answers}
    rounds = shown_rounds(section)
    pages = {pool: any(pool in published(p) for p in section.players) for pool in pools}
    totals = scores(section)
    heads = ["No.", "Name", *(f"Rd {number}" for number in rounds), "Total"]
    for pool in pools:
        heads += [f"{pool} before", f"{pool} after", *(["page shows"] if pages[pool] else [])]
    lines = ["<table><thead><tr>", *(f'<th scope="col">{escape(head)}</th>' for head in heads), "</tr></thead><tbody>"]
    for player in section.players:
        cells: list[object] = [player.number, player.name or player.id]
        cells += [cell_text(section.games, number, player) for number in rounds]
        cells.append(f"{totals[player.number] / 2:g}")
        for pool in pools:
            answer = own.get((pool, player.number))
            cells += before_and_after(answer) if answer else ("", "")
            if pages[pool]:
                cells.append(published(player).get(pool, {}).get("rating", ""))
        lines.append("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in cells) + "</tr>")
    return "".join([*lines, "</tbody></table>"])


def before_and_after(answer: Answer) -> tuple[str, str]:
    """`1641P17` and `1657P24`; systems with an interval print it."""
    values = answer.values
    if values.get("initialized") or answer.prior is None:
        before = "unrated"
    else:
        before = printed(answer.prior, values.get("prior_games"))
    after = "not shown" if answer.published is None else printed(answer.published, values.get("post_games"))
    interval = values.get("interval")
    return before, f"{after} ({printed(interval[0])} to {printed(interval[1])})" if interval else after


def _derivation(section: Section, answer: Answer) -> str:
    name = next((p.name or p.id for p in section.players if p.number == answer.number), answer.id)
    before, after = before_and_after(answer)
    names = names_of(section)
    steps = "".join(
        f"<li><b>{escape(step_title(step))}</b> {escape(say(step, names))}"
        + (f" <small>{escape(citation(step.cite))}</small>" if step.cite else "")
        + "</li>"
        for step in answer.derivation
    )
    head = f"{name or f'no. {answer.number}'}, {answer.pool}: {before} → {after}"
    return f"<details><summary>{escape(head)}</summary><ol>{steps}</ol></details>"


def shown_rounds(section: Section) -> list[int]:
    """Return the rounds in which someone played or had a bye: each total adds up from them."""
    byes = {number for player in section.players for number in bye_letters(player)}
    return sorted(byes | {game.round for game in section.games})


def cell_text(games: Sequence[Game], number: int, player: Player) -> str:
    """`W 5`: a win against number 5; X and F: a game that was not played; B and H: a bye."""
    met = ", ".join(f"{letter} {opponent}" for letter, opponent in round_games(games, number, player))
    return met or bye_letters(player).get(number, "")


def round_games(games: Sequence[Game], number: int, player: Player) -> list[tuple[str, int]]:
    """Return the games of a player in a round: the letter of the result and the opponent's number."""
    found = []
    for game in games:
        if game.round == number and player.number in (game.white, game.black):
            side = int(player.number == game.black)
            opponent = game.white if side else game.black
            letter = LETTERS[PLAYED_RESULTS[game.result][side]] if game.played else UNPLAYED[game.result][side]
            found.append((letter, opponent))
    return found
