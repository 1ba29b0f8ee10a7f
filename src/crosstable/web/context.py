"""What every page's frame says."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from crosstable.office.queries import status

NAV = (
    ("/players/", "Players"),
    ("/events/", "Events"),
    ("/lists/", "Lists"),
    ("/rules/", "Rules"),
    ("/estimate/", "Estimate"),
    ("/help/", "Help"),
)


def office(request: HttpRequest) -> dict[str, Any]:
    """The office's name, the last re-rate, the next list and the log's head; asked for where a page shows them."""
    here = next((address for address, _ in NAV if request.path.startswith(address)), "")
    return {"office": status.frame, "nav": NAV, "here": here}
