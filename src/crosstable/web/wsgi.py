"""For gunicorn: `gunicorn crosstable.web.wsgi`. `crosstable serve` uses the same."""

from __future__ import annotations

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.wsgi import get_wsgi_application

from crosstable.web.settings import configure
from crosstable.web.static_files import collect


def _application() -> WSGIHandler:
    if not settings.configured:
        configure()
    collect()
    return get_wsgi_application()


application = _application()
