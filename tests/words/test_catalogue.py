"""The Spanish catalogue: complete, compiled, and with the same fields as the English sentences."""

from __future__ import annotations

import re
from datetime import date

import pytest

from crosstable.rulebook import rulebook
from crosstable.words import counts, dates, numbers
from crosstable.words.language import LANGUAGES, _, ngettext, speaking
from tests.words import messages

TRANSLATIONS = [code for code in LANGUAGES if code != "en"]
FIELDS = re.compile(r"%\(\w+\)s|\{\w+(?:![rs])?\}|</?\w+")


@pytest.mark.parametrize("code", TRANSLATIONS)
def test_every_sentence_is_translated(code: str) -> None:
    known = messages.catalogue(code)
    empty, differ = [], []
    for message in messages.messages():
        first = message[0] if isinstance(message, tuple) else message
        found = known.get(first)
        texts = [] if found is None else found.string if isinstance(found.string, tuple | list) else [found.string]
        if not texts or not all(texts):
            empty.append(first)
        differ += [text for text in texts if set(FIELDS.findall(text)) != set(FIELDS.findall(first))]
    assert not empty, f"translate in {messages.path_of(code)} after `make messages`: {empty}"
    assert not differ


@pytest.mark.parametrize("code", TRANSLATIONS)
def test_the_catalogue_has_no_sentence_that_is_no_longer_said(code: str) -> None:
    said = {one[0] if isinstance(one, tuple) else one for one in messages.messages()}
    known = {one.id[0] if isinstance(one.id, tuple | list) else one.id for one in messages.catalogue(code) if one.id}
    assert known <= said, known - said


@pytest.mark.parametrize("code", TRANSLATIONS)
def test_the_compiled_catalogue_is_current(code: str) -> None:
    assert messages.path_of(code).with_suffix(".mo").read_bytes() == messages.compiled(code), "run `make messages`"


def test_plural_forms_numbers_and_dates_are_those_of_the_language() -> None:
    day = date(2025, 10, 1)
    with speaking("es"):
        assert [counts.count(number, "game") for number in (0, 1, 2)] == ["0 partidas", "1 partida", "2 partidas"]
        assert ngettext("section {sections}", "sections {sections}", 2) == "secciones {sections}"
        assert (dates.day(day), dates.short_day(day)) == ("1 de octubre de 2025", "1 oct 2025")
        assert (numbers.number(1591.72, 1), numbers.thousands(1234), numbers.thousands(12345)) == (
            "1591,7",
            "1234",
            "12\u202f345",
        )
        assert (_(""), counts.joined(["Ana", "Bo", "Cy"])) == ("", "Ana, Bo y Cy")
    assert (counts.count(1234, "game"), dates.day(day), numbers.number(1591.72, 1)) == (
        "1,234 games",
        "1 October 2025",
        "1591.7",
    )


def test_the_titles_of_the_rules_are_translated() -> None:
    """A derivation cites its rules by their titles."""
    titles = {rule.title for rule in rulebook("us_chess").rules.values()}
    with speaking("es"):
        assert {title for title in titles if _(title) == title} <= {"Matches"}  # the Spanish of chess has the same word
