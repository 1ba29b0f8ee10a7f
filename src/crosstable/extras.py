"""The optional parts of an installation: which extra brings a package, and one line that says what to install."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from crosstable.errors import MissingExtra

#: A package that we import → the extra of pyproject.toml that brings it (the smallest one)
EXTRA_OF: Mapping[str, str] = {
    **dict.fromkeys(("numpy", "scipy", "numba", "polars"), "replay"),
    **dict.fromkeys(("django", "psycopg", "argon2", "rustworkx", "segno"), "office"),
    **dict.fromkeys(
        ("allauth", "axes", "csp", "django_htmx", "ninja", "django_tasks", "django_tasks_db", "waitress", "whitenoise"),
        "web",
    ),
    **dict.fromkeys(("altair", "distributed", "matplotlib", "optuna", "vl_convert"), "lab"),
}


def missing(problem: ModuleNotFoundError, what: str = "this") -> MissingExtra | None:
    """The error that says which extra to install; None if the package is none of an extra's."""
    package = (problem.name or "").partition(".")[0]
    if package not in EXTRA_OF:
        return None
    return MissingExtra(f'{what} needs {package}: pip install "crosstable[{EXTRA_OF[package]}]"')


@contextmanager
def needed_for(what: str) -> Iterator[None]:
    """Around imports of optional packages: `with needed_for("fit"): import numpy`."""
    try:
        yield
    except ModuleNotFoundError as problem:
        error = missing(problem, what)
        if error is None:
            raise
        raise error from None
