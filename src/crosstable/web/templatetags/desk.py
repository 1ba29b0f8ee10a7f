"""How the director's desk writes fixes into its buttons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from crosstable.model import Event, Fix, Input
from crosstable.office.queries.officer_queue import Line
from crosstable.office.reports.draft_page import Cell, Part, Row, Shown
from crosstable.words.fixes import candidate_text, fix_text, input_text, reason_text

register = template.Library()


@register.filter
def as_form(fix: Fix, key: str = "") -> str:
    """Return a button's value: the kind of fix, its values, and the finding that it answers."""
    return urlencode({"action": fix.kind, **({"finding": key} if key else {}), **fix.values})


@register.simple_tag
def fix_label(fix: Fix, shown: Shown, event: Event) -> str:
    """Return what a button says."""
    return fix_text(fix, shown.finding, event)


@register.filter
def whose(fix: Fix) -> str:
    """Return what is known of the player whose id a fix would set."""
    return candidate_text(fix)


@register.filter
def reason(fix: Fix) -> str:
    """Return why we suggest a fix, or whose id it would set."""
    return reason_text(fix)


@register.filter
def input_label(one: Input, fix: Fix) -> str:
    """Return the label of a field."""
    return input_text(one, fix)


@register.filter
def by_inputs(fixes: Iterable[Fix]) -> list[tuple[tuple[Input, ...], list[Fix]]]:
    """Return the buttons that need the same values typed, behind one field."""
    return [(inputs, list(some)) for inputs, some in groupby(fixes, key=lambda fix: fix.inputs)]


@register.filter
def typed_or_offered(field: Input, typed: Mapping[str, str]) -> str:
    """Return what a field holds: what was typed before the office refused it, else the suggestion."""
    return typed.get(field.name, field.value)


#: The page of an officer's desk for each kind of thing that waits
_PAGES = {"event": "desk-review", "correction": "desk-correction", "floor": "desk-floor", "proposal": "desk-proposal"}


@register.filter
def desk_address(waits: Line) -> str:
    """Return the page on which an officer decides."""
    return reverse(_PAGES.get(waits.kind, "request"), args=[waits.number])


@register.simple_tag
def typed_before(refused: Any, actions: str, section: int | str = "") -> Mapping[str, str]:
    """Return what was typed into the form of these actions, in this section,
    if it is the one that the office refused.
    """
    if not refused or refused["key"] or refused["action"] not in actions.split():
        return {}
    typed: Mapping[str, str] = refused["typed"]
    return typed if typed.get("section", "") == str(section) else {}


@register.simple_tag
def round_cells(row: Row, part: Part, is_open: bool) -> SafeString:
    """Return the cells of a row. Made here, not in the template: a large report has thousands."""
    return mark_safe("".join(_cell(cell, row, part, is_open) for cell in row.cells))  # noqa: S308  escaped parts


def _cell(cell: Cell, row: Row, part: Part, is_open: bool) -> str:
    inner = _inner(cell)
    if cell.bad or cell.typed:
        inner = format_html('<span class="bad"><span class="hide">In doubt: </span>{}</span>', inner)
    if not is_open:
        return format_html('<td role="cell" class="c rd">{}</td>', inner)
    return format_html(
        '<td role="cell" class="c rd"><a class="cell" href="edit/?section={}&amp;player={}&amp;round={}"'
        ' data-cell="{}">{}<span class="hide">, round {} of {}. Edit</span></a></td>',
        part.number,
        row.player.number,
        cell.round,
        cell.text,
        inner,
        cell.round,
        row.player.name or row.player.number,
    )


def _inner(cell: Cell) -> SafeString:
    if cell.typed:
        return format_html("{}", cell.typed)
    side = format_html('<span class="side" aria-hidden="true">{}</span>', cell.side) if cell.side else ""
    if cell.opponent and cell.letter:
        return format_html("<b>{}</b>{}{}", cell.letter, cell.opponent, side)
    if cell.opponent:
        return format_html("{} {}", cell.words, cell.opponent)
    return format_html("{}", cell.words) if cell.words else mark_safe('<span class="soft">–</span>')
