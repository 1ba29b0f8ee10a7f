"""Norms and titles in the ledger are what `crosstable.titles` says of the same results, and follow every change."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest
from django.db import transaction

from crosstable.office import titles
from crosstable.office.ledger import documents
from crosstable.office.ledger.models import Event, Office, Player, RatingRow, Revision, Section
from crosstable.office.ledger.order import day_of
from crosstable.office.lists.models import Title, TitleNorm
from crosstable.office.queries.titles import standing_of
from crosstable.titles import EventRecord, Met, Titles1996, Titles2010, standing

pytestmark = pytest.mark.both_databases

FIRST = date(2012, 1, 7)


def players(n: int) -> list[Player]:
    made = [Player(number=f"2{i:07}", name=f"Player {i}") for i in range(n)]
    Player.objects.bulk_create(made)
    return list(Player.objects.order_by("number"))


def hold(
    n: int, people: list[Player], ratings: dict[int, float], rounds: int, rng: random.Random, keys: str = "OTBR"
) -> Section:
    """A section of random games, strong players winning more; every rating moves a little."""
    day = FIRST + timedelta(days=7 * n)
    event = Event.objects.create(number=f"E{n}", name="U.S. Open" if n % 3 == 0 else f"Open {n}", start=day, end=day)
    field = rng.sample(people, min(len(people), 8))
    games = []
    for r in range(1, rounds + 1):
        order = rng.sample(range(len(field)), len(field))
        for a, b in zip(order[::2], order[1::2], strict=False):
            chance = 1 / (1 + 10 ** ((ratings[field[b].id] - ratings[field[a].id]) / 400))
            games.append((r, a + 1, b + 1, rng.choices((2, 1, 0), (chance, 0.3, 1 - chance))[0]))
    section = Section.objects.create(
        event=event,
        number=1,
        start=day,
        end=day,
        event_end=day,
        rounds=rounds,
        position=day_of(day) + 1000,
        keys=keys,
        entries=np.array([(i + 1, who.id) for i, who in enumerate(field)], "<i4").tobytes(),
        games=np.array(sorted(games), "<i4").tobytes(),
    )
    rate(section, ratings, rng)
    return section


def rate(section: Section, ratings: dict[int, float], rng: random.Random) -> None:
    """Made-up ratings: what matters here is only that norms go by the rows in the ledger."""
    RatingRow.objects.filter(section=section).delete()
    for number, who in np.frombuffer(bytes(section.entries), "<i4").reshape(-1, 2).tolist():
        prior = ratings[who]
        ratings[who] = prior + rng.uniform(-30, 30)
        for key in section.keys.split(","):
            RatingRow.objects.create(
                section=section,
                pool=key,
                player_id=who,
                position=section.position,
                number=number,
                prior=prior,
                prior_games=40,
                games=4,
                score=2,
                post=ratings[who],
                state_games=44 if who % 3 else 20,
            )


def records() -> dict[int, list[EventRecord]]:
    """The same results, read in the plainest way."""
    found: dict[int, list[EventRecord]] = {}
    for section in Section.objects.select_related("event").order_by("position"):
        rows = {row.player_id: row for row in RatingRow.objects.filter(section=section, pool="OTBR")}
        who = dict(np.frombuffer(bytes(section.entries), "<i4").reshape(-1, 2).tolist())
        met: dict[int, list[Met]] = {}
        score: dict[int, float] = {}
        for _, a, b, half in np.frombuffer(bytes(section.games), "<i4").reshape(-1, 4).tolist():
            for own, rival, points in ((who[a], who[b], half / 2), (who[b], who[a], 1 - half / 2)):
                met.setdefault(own, []).append(Met(rows[rival].prior, rows[rival].post, str(rival)))
                score[own] = score.get(own, 0) + points
        for own, opponents in met.items():
            row = rows[own]
            found.setdefault(own, []).append(
                EventRecord(
                    section.end,
                    section.rounds,
                    score[own],
                    tuple(opponents),
                    weight=section.weight,
                    supernorm="U.S. Open" in section.event.name,
                    rating=row.post,
                    established=(row.state_games or 0) > 25,
                    name=f"{section.position:020}",
                )
            )
    return found


def check(rules: Titles1996 | Titles2010) -> int:
    """Hold the stored norms and titles against the plain reading; returns how many titles there are."""
    levels = sorted(rules.levels)
    wanted_norms, wanted_titles = set(), set()
    for player, history in records().items():
        for record in history:
            counts = [0 if rules.barred(record) else rules.norms(record, level) for level in levels]
            if any(counts):
                wanted_norms.add((player, int(record.name), "".join(map(str, counts)).rstrip("0")))
        for level, found in standing(history, rules).titles.items():
            if found.earned:
                wanted_titles.add((player, level, found.title, found.earned))
    assert set(TitleNorm.objects.values_list("player_id", "position", "counts")) == wanted_norms
    assert set(Title.objects.values_list("player_id", "level", "title", "earned")) == wanted_titles
    return len(wanted_titles)


def award(changed: dict[int, set[int]] | None) -> None:
    with transaction.atomic():
        titles.after_rating(changed)


def everybody_in(section: int) -> dict[int, set[int]]:
    return {section: {*RatingRow.objects.filter(section_id=section).values_list("player_id", flat=True)}}


@pytest.mark.parametrize(("choice", "rules"), [("1996", Titles1996()), ("2010", Titles2010())])
def test_stored_titles_are_those_of_the_pure_function(office: str, choice: str, rules: Titles1996 | Titles2010) -> None:
    rng = random.Random(5)
    Office.objects.create(id=1, titles=choice)
    people = players(14)
    ratings = {who.id: rng.uniform(900, 2300) for who in people}
    held = [hold(n, people, ratings, rng.choice((3, 4, 5)), rng) for n in range(40)]
    award(None)
    assert check(rules) > 5
    for n in range(40, 46):  # new events, one at a time
        award(everybody_in(hold(n, people, ratings, 4, rng).id))
        check(rules)
    for section in (held[3], held[20]):  # a correction: other ratings in an old section
        rate(section, ratings, rng)
        award(everybody_in(section.id))
        check(rules)
    for section in held[10:16]:  # one player comes out with another rating: only norms against that player can move
        row = RatingRow.objects.filter(section=section)[0]
        row.post = (row.post or 0) + 300
        row.save()
        award({section.id: {row.player_id}})
        check(rules)
    gone = held[7].id  # a withdrawal
    changed = everybody_in(gone)
    RatingRow.objects.filter(section_id=gone).delete()
    Section.objects.filter(id=gone).delete()
    award(changed)
    check(rules)
    before = set(Title.objects.values_list("player_id", "level", "earned"))
    award(None)
    assert set(Title.objects.values_list("player_id", "level", "earned")) == before


def test_an_office_without_titles_has_none(office: str) -> None:
    rng = random.Random(5)
    chosen = Office.objects.create(id=1, titles="2010")
    people = players(8)
    ratings = {who.id: 1000.0 + 200 * i for i, who in enumerate(people)}
    for n in range(20):
        hold(n, people, ratings, 4, rng)
    award(None)
    assert TitleNorm.objects.exists()
    chosen.titles = ""
    chosen.save()
    with transaction.atomic():
        titles.replace_all(chosen)
    assert not TitleNorm.objects.exists()
    assert not Title.objects.exists()


def test_other_systems_and_online_chess_earn_no_norms_since_2010(office: str) -> None:
    rng = random.Random(6)
    Office.objects.create(id=1, titles="2010")
    people = players(8)
    ratings = {who.id: 1000.0 + 200 * i for i, who in enumerate(people)}
    for n, keys in enumerate(("OTBQ", "OTBB", "GLICKO", "AGA")):
        hold(n, people, ratings, 4, rng, keys)
    online = hold(9, people, ratings, 4, rng, "OLR")
    Section.objects.filter(id=online.id).update(mode="online")
    award(None)
    assert not TitleNorm.objects.exists()
    hold(10, people, ratings, 4, rng, "OTBR,OTBQ")
    award(None)
    assert TitleNorm.objects.exists()


@pytest.mark.parametrize(
    "said",
    [
        ({"supernorm": True}, {"supernorm": False}),
        # 5.3: 20 guaranteed Grand Prix points; the reader keeps them in the section's notes
        ({"notes": {"grand_prix_points": "020"}}, {"notes": {"grand_prix_points": "019"}}),
    ],
    ids=["the document's own word", "Grand Prix points"],
)
def test_a_document_can_say_that_its_norms_are_supernorms(office: str, said: tuple[dict[str, Any], ...]) -> None:
    rng = random.Random(6)
    Office.objects.create(id=1, titles="1996")
    people = players(8)
    ratings = {who.id: 1000.0 + 200 * i for i, who in enumerate(people)}
    for n, words in enumerate(said, start=1):
        event = hold(n, people, ratings, 4, rng).event
        document = documents.pack({"sections": [{"number": 1, **words}]})
        Revision.objects.create(event=event, number=1, kind="submitted", document=document)
    award(None)
    found = dict(TitleNorm.objects.values_list("position", "supernorm"))
    assert [found[position] for position in sorted(found)] == [True, False]


def test_what_a_player_holds_and_what_is_missing(office: str) -> None:
    """Norms of 1996 last three years: a player's page names the event of each, its last day, and what the title
    takes.
    """
    rng = random.Random(5)
    Office.objects.create(id=1, titles="1996")
    people = players(14)
    ratings = {who.id: rng.uniform(900, 2300) for who in people}
    for n in range(30):
        hold(n, people, ratings, 4, rng)
    award(None)
    on = FIRST + timedelta(days=7 * 29)
    rules = Titles1996()
    for player, history in records().items():
        wanted = standing(history, rules, on)
        shown = standing_of(Player.objects.get(id=player).number, on)
        assert {one.level: one.earned for one in shown.earned} == {
            level: title.earned for level, title in wanted.titles.items() if title.earned
        }
        for title in shown.open:
            same = wanted.titles[title.level]
            assert (title.need, [n.expires for n in title.held]) == (same.need, [n.expires for n in same.held])
            assert all(norm.event.endswith(")") for norm in title.held)
    assert any("missing:" in line for line in shown.lines())


def test_a_choice_that_does_not_exist_is_named(office: str) -> None:
    Office.objects.create(id=1, titles="1492")
    with pytest.raises(titles.TitleRulesError, match="1492"):
        award(None)
