"""The optional parts of an installation: which extra brings a package, and one line that says what to install."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from crosstable.errors import MissingExtra

#: A package that we import → the extra of pyproject.toml that brings it (the smallest one)
EXTRA_OF: Mapping[str, str] = {
    **dict.fromkeys(("numpy", "scipy", "numba", "polars"), "replay"),
    **dict.fromkeys(("cryptography", "django", "psycopg", "argon2", "rustworkx", "segno"), "office"),
    **dict.fromkeys(
        ("allauth", "axes", "csp", "django_htmx", "ninja", "django_tasks", "django_tasks_db", "waitress", "whitenoise"),
        "web",
    ),
    "gunicorn": "production",
    **dict.fromkeys(("altair", "distributed", "matplotlib", "optuna", "vl_convert"), "lab"),
}


def missing(problem: ModuleNotFoundError, what: str = "this", extra: str = "") -> MissingExtra | None:
    """Return the error that names the extra to install (`extra`, or the package's own); None if no extra has the
    package.
    """
    package = (problem.name or "").partition(".")[0]
    if package not in EXTRA_OF:
        return None
    return MissingExtra(f'{what} needs {package}: pip install "crosstable[{extra or EXTRA_OF[package]}]"')


@contextmanager
def needed_for(what: str, extra: str = "") -> Iterator[None]:
    """Name what to install where an import fails: `with needed_for("fit"): import numpy`.

    `extra` is what it needs in all, where the first package that is missing belongs to a smaller extra.
    """
    try:
        yield
    except ModuleNotFoundError as problem:
        error = missing(problem, what, extra)
        if error is None:
            raise
        raise error from None
