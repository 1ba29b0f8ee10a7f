"""How the director's desk writes mends into its buttons."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from urllib.parse import urlencode

from django import template

from crosstable.office.drafts.offers import Input, Offer

register = template.Library()


@register.filter
def as_mend(offer: Offer, key: str = "") -> str:
    """A button's value: the action, its values, and the finding that it answers."""
    return urlencode({"action": offer.action, **({"finding": key} if key else {}), **offer.values})


@register.filter
def by_inputs(offers: Iterable[Offer]) -> list[tuple[tuple[Input, ...], list[Offer]]]:
    """Buttons that need the same words typed stand behind one field."""
    return [(inputs, list(some)) for inputs, some in groupby(offers, key=lambda offer: offer.inputs)]
