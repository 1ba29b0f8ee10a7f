"""The catalogue of translations: every sentence that a page, a derivation or the club's night can say.

`python -m tests.words.messages` (`make messages`) writes new sentences into the catalogues and compiles them.
"""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import crosstable
from crosstable.words.language import CATALOGUES, DOMAIN, LANGUAGES
from crosstable.words.steps import TITLES

SOURCE = Path(crosstable.__file__).parent
KEYWORDS = {"_": None, "gettext_noop": None, "ngettext": (1, 2)}
#: Templates of desks are English
TEMPLATES = ("web/public/templates", "web/club/templates", "web/templates")
#: Pages of federations with a system of their own: English, and marked as such
ENGLISH_PAGES = ("estimate_system.html", "help_system.html")
#: What `templatize` makes of a template's tags
CALL = re.compile(r"(?<!\w)(?:n?gettext|_)\((?=[u'\"])")
LITERAL = re.compile(r"\s*,?\s*u?('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")", re.DOTALL)
#: A compiled catalogue is the same whenever it is made
NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)
#: Lines of the header that would differ with every run
HEADER = re.compile(rb'"(?:POT-|PO-|Project-|Report-|Last-|Language-Team|Generated)')

Message = str | tuple[str, str]


def templates() -> list[Path]:
    """Return the templates of translated pages."""
    found = [path for folder in TEMPLATES for path in sorted((SOURCE / folder).rglob("*.html"))]
    return [path for path in found if "desks" not in path.parts and path.name not in ENGLISH_PAGES]


def in_python() -> Iterator[Message]:
    """Yield the sentences of the modules."""
    for path in sorted(SOURCE.rglob("*.py")):
        data = path.read_bytes()
        if b"words.language" in data:
            for _line, message, _comments, _context in extract("python", io.BytesIO(data), keywords=KEYWORDS):
                yield message
    yield from TITLES.values()


def in_templates() -> Iterator[Message]:
    """Yield the sentences of the templates."""
    from django.utils.translation.template import templatize

    for path in templates():
        code = templatize(path.read_text(), origin=str(path))
        for found in CALL.finditer(code):
            yield from _called(code, found)


def _called(code: str, found: re.Match[str]) -> Iterator[Message]:
    """Read the literal arguments of one call."""
    literals, at = [], found.end()
    while literal := LITERAL.match(code, at):
        literals.append(str(ast.literal_eval(literal[1])))
        at = literal.end()
    if literals:
        yield (literals[0], literals[1]) if len(literals) > 1 else literals[0]


def messages() -> set[Message]:
    """Return all sentences, a singular with its plural."""
    return {*in_python(), *in_templates()}


def path_of(code: str) -> Path:
    """Return the catalogue of a language."""
    return CATALOGUES / code / "LC_MESSAGES" / f"{DOMAIN}.po"


def catalogue(code: str) -> Catalog:
    """Read a catalogue."""
    with path_of(code).open("rb") as file:
        found = read_po(file, locale=code)
    found.creation_date = found.revision_date = NO_DATE
    return found


def compiled(code: str) -> bytes:
    """Return a catalogue as programs read it."""
    out = io.BytesIO()
    write_mo(out, catalogue(code))
    return out.getvalue()


def update(code: str) -> None:
    """Add new sentences, remove those that are no longer said, and compile."""
    known = catalogue(code) if path_of(code).exists() else Catalog(locale=code)
    made = Catalog(locale=code, fuzzy=False, header_comment=f"# {LANGUAGES[code]}")
    for message in sorted(messages(), key=str):
        key = message[0] if isinstance(message, tuple) else message
        old = known.get(key)
        text = old.string if old is not None else ("", "") if isinstance(message, tuple) else ""
        if isinstance(message, tuple) != isinstance(text, tuple | list):
            text = (text, "") if isinstance(message, tuple) else text[0]
        made.add(message, text)
    path_of(code).parent.mkdir(parents=True, exist_ok=True)
    out = io.BytesIO()
    write_po(out, made, width=110, sort_output=True, no_location=True)
    path_of(code).write_bytes(b"".join(line for line in out.getvalue().splitlines(True) if not HEADER.match(line)))
    path_of(code).with_suffix(".mo").write_bytes(compiled(code))


if __name__ == "__main__":
    from crosstable.web import settings

    settings.configure("sqlite:///none.db")
    for language in LANGUAGES:
        if language != "en":
            update(language)
