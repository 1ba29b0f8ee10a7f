"""How the director's desk writes mends into its buttons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from crosstable.office.reports.draft_page import Cell
from crosstable.office.reports.suggested_fixes import Input, Offer

register = template.Library()


@register.filter
def as_mend(offer: Offer, key: str = "") -> str:
    """A button's value: the action, its values, and the finding that it answers."""
    return urlencode({"action": offer.action, **({"finding": key} if key else {}), **offer.values})


@register.filter
def by_inputs(offers: Iterable[Offer]) -> list[tuple[tuple[Input, ...], list[Offer]]]:
    """Buttons that need the same words typed stand behind one field."""
    return [(inputs, list(some)) for inputs, some in groupby(offers, key=lambda offer: offer.inputs)]


@register.filter
def typed_or_offered(field: Input, typed: Mapping[str, str]) -> str:
    """What stands in a field: what was typed before the office refused it, else what we offer."""
    return typed.get(field.name, field.value)


@register.simple_tag
def typed_before(refused: Any, actions: str, section: int | str = "") -> Mapping[str, str]:
    """What was typed into the form of these actions, in this section, if it is the one that the office refused."""
    if not refused or refused["key"] or refused["action"] not in actions.split():
        return {}
    typed: Mapping[str, str] = refused["typed"]
    return typed if typed.get("section", "") == str(section) else {}


@register.filter
def round_cells(cells: Iterable[Cell]) -> SafeString:
    """The cells of a row. Made here, not in the template: a large report has thousands."""
    return mark_safe("".join(_cell(cell) for cell in cells))  # noqa: S308 — each part is escaped


def _cell(cell: Cell) -> str:
    if cell.typed:
        return format_html(
            '<td role="cell" class="c rd"><span class="bad" title="as it stands in the file">{}</span></td>', cell.typed
        )
    side = format_html('<span class="side" aria-hidden="true">{}</span>', cell.side) if cell.side else ""
    if cell.opponent and cell.letter:
        inner = format_html("<b>{}</b>{}{}", cell.letter, cell.opponent, side)
    elif cell.opponent:
        inner = format_html("{} {}", cell.words, cell.opponent)
    else:
        inner = format_html("{}", cell.words) if cell.words else mark_safe('<span class="soft">–</span>')
    bad = mark_safe(' class="bad"') if cell.bad else ""
    return format_html('<td role="cell" class="c rd"><span{}>{}</span></td>', bad, inner)
