"""What every page's frame says."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from crosstable.office.queries import status
from crosstable.web import languages
from crosstable.words.language import _, gettext_noop, language

#: The menu: names of addresses, and what they are called
NAV = (
    ("players", gettext_noop("Players")),
    ("events", gettext_noop("Events")),
    ("lists", gettext_noop("Lists")),
    ("rules", gettext_noop("Rules")),
    ("estimate", gettext_noop("Estimate")),
    ("help", gettext_noop("Help")),
)


def office(request: HttpRequest) -> dict[str, Any]:
    """Return the office's name, the last re-rate, the next list and the log's head;
    asked for where a page shows them.
    """
    nav = [(reverse(name), _(title)) for name, title in NAV]
    here = next((address for address, _title in nav if request.path.startswith(address)), "")
    return {
        "office": lambda: status.frame(getattr(request, "ledger_head", None)),
        "nav": nav,
        "here": here,
        "language": language(),
        "languages": languages.of_page(request),
    }
