"""Birth dates and ages stand nowhere: forty ways to write each are looked for on every page, in headers and in CSV."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

import pytest
from django.test import Client

from crosstable.office.ledger.models import Player
from tests.web.test_pages import PAGES

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def forms(day: date) -> set[str]:
    """Ways to write a birth date."""
    d, m, y = day.day, day.month, day.year
    name, short = MONTHS[m - 1], MONTHS[m - 1][:3]
    joined = {
        f"{a}{sep}{b}{sep}{c}"
        for sep in ("-", "/", ".", " ", "")
        for a, b, c in ((f"{y}", f"{m:02}", f"{d:02}"), (f"{d:02}", f"{m:02}", f"{y}"), (f"{m:02}", f"{d:02}", f"{y}"))
    }
    loose = {
        f"{a}{sep}{b}{sep}{c}"
        for sep in ("-", "/", ".")
        for a, b, c in ((y, m, d), (d, m, y), (m, d, y), (m, d, f"{y % 100:02}"), (d, m, f"{y % 100:02}"))
    }
    words = {
        f"{d} {name} {y}",
        f"{d} {short} {y}",
        f"{name} {d}, {y}",
        f"{short} {d}, {y}",
        f"{d}-{short}-{y}",
        f"{d}. {name} {y}",
        f"{name} {y}-born",
        f"born {y}",
        f"born in {y}",
        f"{y}-{m:02}-{d:02}T00:00",
    }
    return joined | loose | words


@pytest.fixture
def canary(office: str, sample: Mapping[str, str]) -> date:
    """A birth date that nothing else on any page can look like: the player was born on a day no event has."""
    day = date(2013, 7, 23)
    player = Player.objects.get(number=sample["player"])
    before, player.birth_date = player.birth_date, day
    Player.objects.filter(id=player.id).update(birth_date=day)
    yield day
    Player.objects.filter(id=player.id).update(birth_date=before)


def test_there_are_forty_forms() -> None:
    assert len(forms(date(2013, 7, 23))) >= 40


@pytest.mark.parametrize("address", PAGES)
def test_no_page_header_or_csv_has_a_birth_date(
    address: str, visitor: Client, sample: Mapping[str, str], canary: date
) -> None:
    wanted = address.format(**sample)
    joiner = "&" if "?" in wanted else "?"
    for one in (wanted, f"{wanted}{joiner}format=csv"):
        answer = visitor.get(one)
        text = answer.content.decode() + "".join(f"{name}: {value}\n" for name, value in answer.headers.items())
        text = re.sub(r"[0-9a-f]{32,}", "", text)  # hashes hold any digits
        assert not [form for form in forms(canary) if form in text], one


@pytest.mark.parametrize("address", PAGES)
def test_no_page_tells_an_age(address: str, visitor: Client, sample: Mapping[str, str]) -> None:
    text = re.sub(r"<[^>]+>", " ", visitor.get(address.format(**sample)).content.decode())
    if address != "/rules/":  # the rules say how an age makes a rating: the law, not a person
        assert not re.search(r"\bAge \d|\baged? \d+|\bborn\b|\bbirth(day| date)\b.*\d|R0 = ", text), address


def test_nothing_about_private_facts_is_in_the_reading_rooms_records() -> None:
    """No record that a page is given has a field for a birth date, an age or a sex."""
    import dataclasses
    import importlib
    import pkgutil

    from crosstable.office import queries

    for module in pkgutil.iter_modules(queries.__path__):
        for item in vars(importlib.import_module(f"{queries.__name__}.{module.name}")).values():
            if (
                dataclasses.is_dataclass(item)
                and isinstance(item, type)
                and item.__module__.startswith(queries.__name__)
            ):
                names = {one.name for one in dataclasses.fields(item)}
                assert not names & {"birth_date", "born", "age", "sex", "membership", "adult"}, item
