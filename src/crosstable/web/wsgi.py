"""For gunicorn: `gunicorn crosstable.web.wsgi`. `crosstable serve` uses the same."""

from __future__ import annotations

import gc

from django.conf import settings
from django.core.checks.urls import check_url_config
from django.core.handlers.wsgi import WSGIHandler
from django.core.wsgi import get_wsgi_application

from crosstable.web.settings import configure
from crosstable.web.static_files import collect


def _application() -> WSGIHandler:
    if not settings.configured:
        configure()
    collect()
    made = get_wsgi_application()
    check_url_config(None)  # imports every page now; the first visitors would wait for it
    spare_the_collector()
    return made


def spare_the_collector() -> None:
    """Let the garbage collector pass over what stays for good, the program itself, and come by less often.

    It would walk the program during requests. A large page makes ten thousands of objects, and next to none in circles.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)


application = _application()
