"""One JSON line for each request, without anything private: the route, not the address; no query, no visitor.

What goes wrong is told by its kind and its place in the code. An error's own words may hold a name or a date.
"""

from __future__ import annotations

import json
import logging
import logging.config
import time
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse

REQUESTS = logging.getLogger("crosstable.web.requests")
CONFIG: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"()": "crosstable.web.logs.Plain"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "loggers": {
        "crosstable.web": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        # a refused address or host is the visitor's affair, and its words hold the address
        "django": {"handlers": ["stderr"], "level": "ERROR", "propagate": False},
        "django.security": {"handlers": ["stderr"], "level": "CRITICAL", "propagate": False},
        # its messages hold the names that people typed; `Plain` prints none of them
        "axes": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
    },
}


def configure(_: Any = None) -> None:
    """Configure logging for Django."""
    logging.config.dictConfig(CONFIG)


class Plain(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
        }
        line |= getattr(record, "facts", {})
        if record.name.startswith("crosstable") and record.msg:
            line["message"] = record.getMessage()
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            line["where"] = [f"{one.filename}:{one.lineno} {one.name}" for one in _frames(record.exc_info[2])]
        return json.dumps(line)


def _frames(trace: Any) -> list[traceback.FrameSummary]:
    return list(traceback.extract_tb(trace, limit=-6))


class Requests:
    """The line for each request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        begun = time.perf_counter()
        response = self.get_response(request)
        match = request.resolver_match
        REQUESTS.info(
            "",
            extra={
                "facts": {
                    "method": request.method,
                    "route": match.route if match else "-",
                    "status": response.status_code,
                    "ms": round((time.perf_counter() - begun) * 1000, 1),
                }
            },
        )
        return response


def quiet() -> None:
    """For tests and demonstrations: only what goes wrong."""
    CONFIG["loggers"][REQUESTS.name] = {"level": "WARNING"}  # Django configures logging again when the pages are loaded
    REQUESTS.setLevel(logging.WARNING)
