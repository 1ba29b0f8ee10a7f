"""The language in which sentences are written: English, or a catalogue of translations for it.

`_` and `ngettext` look a sentence up in the catalogue of the current language, which a page or a command chooses with
`speaking`. There is one catalogue for sentences in Python and in templates: `locale/es/LC_MESSAGES/django.po`, compiled
beside it by `make messages`. The name is the one under which Django looks for it.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

ENGLISH = "en"
LANGUAGES = {"en": "English", "es": "Español"}
#: What stands before the decimals of a number
DECIMAL_MARKS = {"en": ".", "es": ","}
#: What groups the thousands of a number, and from how many digits on. Spanish: a narrow space, from five digits on
#: (Ortografía de la lengua española 2010, VIII.2.1).
THOUSANDS = {"en": (",", 4), "es": ("\u202f", 5)}

CATALOGUES = Path(__file__).parent / "locale"
DOMAIN = "django"
_current: ContextVar[str] = ContextVar("language", default=ENGLISH)


def language() -> str:
    """Return the code of the language in which sentences are written now."""
    return _current.get()


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Write sentences in this language; in English where there is no catalogue for it."""
    token = _current.set(code if code in LANGUAGES else ENGLISH)
    try:
        yield
    finally:
        _current.reset(token)


@cache
def _catalogue(code: str) -> gettext.NullTranslations:
    return gettext.translation(DOMAIN, CATALOGUES, languages=[code], fallback=True)


def _(sentence: str) -> str:
    """Return a sentence in the current language."""
    code = _current.get()
    return sentence if code == ENGLISH or not sentence else _catalogue(code).gettext(sentence)


def ngettext(one: str, several: str, count: float) -> str:
    """Return the sentence for this count in the current language."""
    code = _current.get()
    if code == ENGLISH:
        return one if count == 1 else several
    return _catalogue(code).ngettext(one, several, int(count) if count == 1 else 2)


def gettext_noop(sentence: str) -> str:
    """Mark a sentence of a table for the catalogue; `_` translates it where it is used."""
    return sentence
