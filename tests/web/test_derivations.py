"""The derivation page: the sums on it come out, it tells no age, and the what-if is the office's own rating."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.test import Client

from crosstable.model.us_chess_steps import Pass
from crosstable.model.values import known
from crosstable.office.ledger.models import RatingRow, Section
from crosstable.office.queries import crosstable as tables
from crosstable.office.queries import derivation as reading
from crosstable.office.rating import trace
from crosstable.web.presenters import derivation as presenter
from crosstable.web.presenters.derivation import Part
from crosstable.words.lead import lead
from crosstable.words.numbers import not_shown, number


def rows(**wanted: object) -> Iterator[RatingRow]:
    found = RatingRow.objects.filter(**wanted).select_related("section__event", "player").order_by("position", "number")
    yield from found[:400:23]


def page_of(row: RatingRow, **asked: object) -> reading.DerivationPage:
    return reading.derivation(row.section.event.number, row.section.number, row.number, row.pool, **asked)


def parts_of(row: RatingRow) -> tuple[Part, ...]:
    return presenter.parts(page_of(row))


def test_the_games_are_those_of_the_public_form(office: str) -> None:
    """Every strength and expected score that the public form shows stands on the page, in the order of the rounds."""
    for row in rows(pool="OTBR", initialized=False):
        page = page_of(row)
        games = next(part.games for part in presenter.parts(page) if part.games)
        played = [cell for cell in page.row.cells if cell.opponent]
        assert [game.round for game in games] == [cell.round for cell in played]
        answer = trace.Work(row.section, row.pool).answer(row.number)
        assert answer is not None
        last = next(step for step in answer.derivation if isinstance(step, Pass) and step.step == 5)
        ratings = [game.rating for game in last.games]
        assert [game.strength for game in games] == [
            number(one, 1, fixed=True) if known(one) else "" for one in ratings
        ]


def test_one_derivation_is_that_of_the_whole_section(office: str) -> None:
    """It is worked out from those alone who can move it, and shows and hides the same numbers."""
    chosen = [*rows(pool="OTBR", initialized=False), *rows(pool="OTBR", initialized=True), *rows(pool="OTBQ")]
    for row in chosen[::2]:
        whole = trace.answers(row.section, row.pool, public=True)
        expected = next(one for one in whole if (one.number, one.pool) == (row.number, row.pool))
        assert repr(trace.Work(row.section, row.pool).answer(row.number)) == repr(expected)


def test_the_sum_comes_out_on_a_calculator(office: str) -> None:
    """Before, gain and bonus are the new rating, within what rounding to tenths and whole points may take."""
    checked = 0
    for row in rows(pool="OTBR", initialized=False):
        page = page_of(row)
        if page.sums is not None:
            before, gain, bonus, after = page.sums
            assert before + gain + bonus == pytest.approx(after, abs=1.6)
            checked += 1
    assert checked > 5


def test_every_part_of_a_standard_rating_names_its_rule_with_print_and_date(visitor: Client) -> None:
    row = next(rows(pool="OTBR", initialized=False))
    for part in parts_of(row):
        assert part.cite is not None, part.title
        assert part.cite.since is not None
        assert part.cite.section
        assert part.cite.document.startswith("US Chess Rating System")


def test_a_first_rating_by_age_shows_no_start(office: str) -> None:
    seen = 0
    for row in rows(pool="OTBR", initialized=True, prior_games=0):
        page = page_of(row)
        words = " ".join(text for part in presenter.parts(page) for text in (*part.text, *part.sums, part.figure))
        assert not re.search(r"\b[Aa]ge \d|R0 =|N = 0", words), words
        assert presenter.parts(page)[0].figure == "unrated"
        assert not page.what_if.offered
        seen += 1
    assert seen


def test_the_opponents_of_a_first_rating_stand_as_in_the_crosstable(office: str) -> None:
    seen = 0
    for row in rows(pool="OTBR", initialized=True, prior_games=0):
        page = page_of(row)
        table = tables.crosstable(row.section.event.number, row.section.number)
        public = {number: one.numbers[0] for one in table.rows for number in (one.number, *one.again)}
        for move in (one for part in presenter.parts(page) for one in part.moves):
            assert (move.before, move.after) == (public[move.number].before, public[move.number].after)
            seen += 1
    assert seen


def test_what_if_is_what_the_same_function_rates(office: str) -> None:
    """The changed result goes into the event, and the office rates that."""
    for row in rows(pool="OTBR", initialized=False):
        page = page_of(row)
        if not page.what_if.offered:
            continue
        game = next(cell for cell in page.row.cells if cell.opponent)
        other = 0.5 if game.letter != "D" else 1.0
        asked = page_of(row, asked={game.round: other}).what_if
        found = trace.Work(row.section, row.pool).what_if(row.number, {game.round: other})
        assert found is not None
        assert asked.published == found.published
        assert asked.changed
        return
    pytest.fail("no rating of the example offers a what-if")


def test_the_what_if_works_by_its_address_alone(visitor: Client) -> None:
    for row in rows(pool="OTBR", initialized=False):
        page = page_of(row)
        if page.what_if.offered:
            game = next(cell for cell in page.row.cells if cell.opponent)
            result = "drew" if game.letter != "D" else "won"
            address = (
                f"/events/{row.section.event.number}/{row.section.number}/{row.number}/OTBR/?r{game.round}={result}"
            )
            text = visitor.get(address).content.decode()
            assert f"in round {game.round}" in text
            assert "compared with the" in text
            part = visitor.get(address, headers={"hx-request": "true"}).content.decode()
            assert "<html" not in part
            assert "compared with the" in part
            return


def test_the_what_if_says_what_it_cannot_use(visitor: Client) -> None:
    row = next(row for row in rows(pool="OTBR", initialized=False) if page_of(row).what_if.offered)
    address = f"/events/{row.section.event.number}/{row.section.number}/{row.number}/OTBR/?r99=won&r1=resigned"
    text = visitor.get(address).content.decode()
    assert "This player has no game in round 99." in text
    assert "“resigned” is not a result for round 1. Use won, drew or lost." in text


def test_every_kind_of_rating_in_the_example_has_its_story(office: str) -> None:
    """Standard, special and first ratings; Swiss sections, round robins and matches; all pools."""
    kinds = set()
    for kind, pool in Section.objects.values_list("kind", "keys").distinct():
        for key in pool.split(","):
            for flags in (0, 1):
                row = (
                    RatingRow.objects.filter(section__kind=kind, pool=key, flags=flags)
                    .select_related("section__event")
                    .first()
                )
                if row is not None:
                    page = page_of(row)
                    assert lead(page.person.name, page.answer, page.numbers.after).endswith(".")
                    assert presenter.parts(page)[-1].last
                    kinds.add((kind, key, flags))
    assert len(kinds) > 8


def test_what_is_not_shown_is_not_on_the_page(visitor: Client) -> None:
    """Where the public form hides the published rating, the page has it nowhere."""
    for row in rows(initialized=True):
        page = page_of(row)
        if page.numbers.after is None:
            address = f"/events/{row.section.event.number}/{row.section.number}/{row.number}/{row.pool}/"
            text = re.sub(r"<[^>]+>", " ", visitor.get(address).content.decode())
            assert not_shown() in text
            assert f" {int(row.post + 0.5)} " not in text.replace(str(row.section.event.number), "")


def test_sums_with_rounded_numbers_say_so_and_never_contradict_the_result(office: str) -> None:
    """`K × (S − E) ≈ gain`: with E in tenths a reader comes within K/20 of it; else the sum is left out, in words."""
    rounded = left_out = 0
    false = re.compile(r"= ≈|= not shown|[Ss]tored as not shown|≈[\d.]+( [+−×÷] [\d.≈]+)+ = |[+−×÷] ≈[\d.]+\)? = ")
    for row in RatingRow.objects.filter(pool="OTBR", flags=0).select_related("section__event", "player")[:900:18]:
        page = page_of(row)
        part = next((one for one in presenter.parts(page) if one.title.endswith("from the games")), None)
        if part is None:
            continue
        every = [text for one in presenter.parts(page) for text in (*one.text, *one.sums, one.figure)]
        assert not [text for text in every if false.search(text)]
        found = re.fullmatch(r"(\S+) × \((\S+) − (\S+)\) ([=≈]) ([+−])(\S+)", part.sums[0])
        if found is None:
            assert part.sums == (presenter.LEFT_OUT,)
            left_out += 1
            continue
        k, expected = (float(found[place].removeprefix("≈")) for place in (1, 3))
        score = float(found[2].replace("½", ".5"))
        gain = float(found[6]) * (1 if found[5] == "+" else -1)
        assert k * (score - expected) == pytest.approx(gain, abs=k / 20 + 0.5 if found[4] == "≈" else 0.02)
        assert (found[4] == "≈") == ("≈" in part.figure or "≈" in found[0][:-1].split("≈ ")[0])
        rounded += found[4] == "≈"
        if page.numbers.change:
            assert part.title.startswith("Gain" if page.numbers.change > 0 else "Loss")
    assert rounded
    assert left_out
