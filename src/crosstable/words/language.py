"""The language in which sentences are written: English, or a catalogue of translations for it.

`_` and `ngettext` look a sentence up in the catalogue of the current language, which a page or a command chooses with
`speaking`. Catalogues are gettext's: `locale/es/LC_MESSAGES/crosstable.po`, compiled beside it.
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

_CATALOGUES = Path(__file__).parent / "locale"
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
    return gettext.translation("crosstable", _CATALOGUES, languages=[code], fallback=True)


def _(sentence: str) -> str:
    """Return a sentence in the current language."""
    code = _current.get()
    return sentence if code == ENGLISH else _catalogue(code).gettext(sentence)


def ngettext(one: str, several: str, count: float) -> str:
    """Return the sentence for this count in the current language."""
    code = _current.get()
    if code == ENGLISH:
        return one if count == 1 else several
    return _catalogue(code).ngettext(one, several, int(count) if count == 1 else 2)
