"""A seeded little federation: events of all kinds, and the corrections, withdrawals and merges that an office lives
with.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from crosstable.errors import CrosstableError
from crosstable.office import players
from crosstable.office.ledger import models
from crosstable.office.people import users
from crosstable.office.people.models import Person
from crosstable.office.people.rights import Actor, Role
from crosstable.office.rating import states
from crosstable.office.rating.floors import binding as floor_of
from crosstable.office.reports import accepting, events, submissions
from crosstable.office.requests import adjustments, floors, lifecycle, registry

OFFICER = Actor("olga", Role.OFFICER)
SECOND = Actor("boris", Role.OFFICER)
ADMIN = Actor("ada", Role.ADMIN)


def officers() -> tuple[Actor, Actor]:
    """Olga and Boris as users of this office: what takes two officers takes two with names."""
    for one in (OFFICER, SECOND):
        if not Person.objects.filter(user__username=one.name).exists():
            users.add_user(ADMIN, one.name, one.role)
    return users.acting_as(OFFICER.name), users.acting_as(SECOND.name)


def adjusted(player: str, system: str, day: date, fields: dict[str, Any], reason: str) -> None:
    """An adjustment, proposed by one and approved by the other."""
    first, second = officers()
    registry.approve(second, adjustments.propose(first, player, system, day, fields, reason).id)


CONTROLS = ("G/90;d5", "G/60;d5", "G/45;d5", "G/25;d5", "G/15;d3", "G/5;d0", "40/90,SD/30;d5")
ONLINE = CONTROLS[:-1]  # there is nothing that slow on the internet
FIRST = date(2022, 1, 8)
Document = dict[str, Any]


def document(
    name: str,
    start: date,
    people: list[str],
    games: list[tuple[int, int, int, str]],
    *,
    end: date | None = None,
    kind: str = "swiss",
    control: str = "G/60;d5",
    facts: dict[str, dict[str, Any]] | None = None,
    **section: Any,
) -> Document:
    """An event of one section; `games` are (round, White's place, Black's place, result), from 1."""
    return {
        "format": "crosstable-event/1",
        "name": name,
        "start": start.isoformat(),
        "end": (end or start).isoformat(),
        "sections": [
            {
                "number": 1,
                "name": "Open",
                "kind": kind,
                "time_control": control,
                "players": [
                    {"number": place, "id": one, "name": f"Player {one}", **(facts or {}).get(one, {})}
                    for place, one in enumerate(people, 1)
                ],
                "games": [
                    {"round": number, "white": white, "black": black, "result": result}
                    for number, white, black, result in games
                ],
                **section,
            }
        ],
    }


def data(content: Document) -> bytes:
    return json.dumps(content).encode()


def rated(rating: float, games: int = 60, **more: Any) -> dict[str, Any]:
    """What a player brings: a regular rating."""
    return {"ratings": {"OTBR": {"rating": rating, "games": games, **more}}}


def accept(content: Document) -> str:
    """The id of an event that is submitted and rated."""
    number = submissions.submit(OFFICER, data(content), "event.json").event
    accepting.accept(OFFICER, number)
    return number


class Federation:
    """Makes events and changes, the same ones for the same seed."""

    def __init__(self, seed: int, size: int = 120) -> None:
        self.random = random.Random(seed)
        self.people = [str(20000000 + number) for number in range(size)]
        self.strength = {one: self.random.gauss(1400, 350) for one in self.people}
        self.made: dict[str, Document] = {}
        self.count = 0

    def event(self, day: date | None = None) -> Document:
        self.count += 1
        start = day or FIRST + timedelta(days=7 * self.random.randrange(150))
        field = self.random.sample(self.people, self.random.choice((6, 8, 8, 10, 12, 16)))
        games = [
            (number, 2 * pair + 1, 2 * pair + 2, self.result(field[2 * pair], field[2 * pair + 1]))
            for number, pair in ((1, pair) for pair in range(len(field) // 2))
        ]
        for number in range(2, 5):
            order = self.random.sample(range(1, len(field) + 1), len(field))
            games += [
                (number, white, black, self.result(field[white - 1], field[black - 1]))
                for white, black in zip(order[::2], order[1::2], strict=False)
            ]
        mode = self.random.choice(("otb", "otb", "otb", "online"))
        return document(
            f"Event {self.count}",
            start,
            field,
            games,
            end=start + timedelta(days=self.random.choice((0, 1, 1, 7))),
            control=self.random.choice(CONTROLS if mode == "otb" else ONLINE),
            mode=mode,
            facts={one: self.facts(one) for one in field},
        )

    def facts(self, player: str) -> dict[str, Any]:
        number = int(player)
        known: dict[str, Any] = {}
        if number % 3 == 0:
            known["birth_date"] = date(1950 + number % 60, 1 + number % 12, 5).isoformat()
        if number % 7 == 0:
            known["fide"] = {"rating": 1500 + number % 900, "date": "2021-12-01"}
        if number % 4 == 0:  # a floor at most four points below: a lost match asks for a lower one
            rating = 1300.0 + 100 * (number // 4 % 8) + number % 5
            known["ratings"] = {"OTBR": {"rating": rating, "games": 40, "peak": rating + 200}}
        elif number % 5 == 0:
            known["ratings"] = {"OTBR": {"rating": 1000.0 + number % 1300, "games": 1 + number % 60}}
        return known

    def result(self, white: str, black: str) -> str:
        chance = 1 / (1 + 10 ** ((self.strength[black] - self.strength[white]) / 400))
        draw = self.random.random()
        if draw < 0.15:
            return "1/2-1/2"
        return "1-0" if self.random.random() < chance else "0-1"

    def fill(self, count: int, step: int = 500) -> None:
        """So many events, submitted and accepted, some at a time."""
        while count:
            part = min(step, count)
            numbers = []
            for _ in range(part):
                content = self.event()
                done = submissions.submit(OFFICER, data(content), "event.json")
                if done.outcome == submissions.QUEUED:
                    numbers.append(done.event)
                    self.made[done.event] = content
            accepting.accept_many(OFFICER, numbers)
            count -= part

    def change(self) -> str:
        """One random correction, withdrawal, return or merge; its name."""
        acts = (
            self.correct,
            self.correct,
            self.withdraw,
            self.merge,
            self.partly,
            self.complete,
            self.match,
            self.grant,
            self.grant,
            self.reopen,
        )
        act: Callable[[], str] = self.random.choice(acts)
        try:
            return act()
        except CrosstableError as refused:
            return f"refused: {refused}"

    def correct(self) -> str:
        number = self.random.choice(sorted(self.made))
        content = json.loads(json.dumps(self.made[number]))
        section = content["sections"][0]
        for game in self.random.sample(section["games"], min(3, len(section["games"]))):
            game["result"] = self.random.choice(("1-0", "0-1", "1/2-1/2", "+/-"))
        if self.random.random() < 0.2:
            moved = date.fromisoformat(content["end"]) + timedelta(days=self.random.randrange(1, 30))
            content["end"] = moved.isoformat()
        if self.random.random() < 0.2:
            section["players"][0]["id"] = self.random.choice(self.people)
        content["city"] = f"Town {self.random.random()}"
        accepting.correct(OFFICER, number, data(content), "event.json", "the director found a mistake")
        self.made[number] = content
        return "correct"

    def withdraw(self) -> str:
        number = self.random.choice(sorted(self.made))
        if events.find(number).status == "withdrawn":
            accepting.accept(OFFICER, number, "it counts after all")
            return "accept"
        accepting.withdraw(OFFICER, number, "not rated after all")
        return "withdraw"

    def partly(self) -> str:
        """A new event of three sections, of which the second has an error: the two others are accepted."""
        content = self.event()
        for number in (2, 3):
            section = {**self.event(date.fromisoformat(content["start"]))["sections"][0], "number": number}
            content["sections"].append(section | {"name": f"Section {number}"})
        content["sections"][1]["games"].append({"round": 1, "white": 1, "black": 99, "result": "1-0"})
        done = submissions.submit(OFFICER, data(content), "event.json")
        accepting.accept(OFFICER, done.event, sections=[1, 3])
        self.made[done.event] = content
        return "partly"

    def complete(self) -> str:
        """The section that waits, mended; or all three again without it, which takes it away."""
        held = models.Event.objects.exclude(held="").values_list("number", flat=True)
        waiting = sorted(self.made.keys() & set(held))
        number = self.random.choice(waiting or sorted(self.made))
        content = json.loads(json.dumps(self.made[number]))
        for section in content["sections"][1:2]:
            section["games"] = [game for game in section["games"] if game["black"] != 99]
        accepting.correct(OFFICER, number, data(content), "event.json", "the game was never played")
        self.made[number] = content
        return "complete"

    def match(self) -> str:
        """A new match, lost by somebody who stands on a floor if there is one."""
        day = FIRST + timedelta(days=7 * self.random.randrange(150))
        rows = {players.find(one).id: one for one in self.random.sample(self.people, 20)}
        known = {rows[row]: own["OTBR"] for row, own in states.on(day, rows).items() if "OTBR" in own and row in rows}
        known = {one: record for one, record in known.items() if (record.games or 0) > 25}
        above = {one: record.rating - floor_of("OTBR", record, day).rating for one, record in known.items()}
        loser = min(above, key=lambda one: (above[one], one), default=self.people[0])
        near = [one for one in known if one != loser and abs(known[one].rating - known[loser].rating) <= 400]
        winner = self.random.choice(sorted(near) or self.people[1:2])
        games = [(number, 1, 2, "1-0") for number in range(1, 7)]
        facts = {one: self.facts(one) for one in (winner, loser)}
        self.count += 1
        content = document(
            f"Match {self.count}", day, [winner, loser], games, kind="match", control="G/120;d5", facts=facts
        )
        self.made[accept(content)] = content
        return "match"

    def grant(self) -> str:
        """A floor request, granted or refused."""
        waiting = list(floors.requests(OFFICER))
        if not waiting:
            return "no request"
        granted = self.random.random() < 0.8
        number = self.random.choice(waiting)["request"]
        lifecycle.decide(OFFICER, floors.FLOOR, number, granted=granted, words="decided")
        return "grant" if granted else "refuse"

    def reopen(self) -> str:
        """Another opening rating in a report: a floor may go, or come, under a match that was lost."""
        opened = sorted(number for number, content in self.made.items() if _with_peaks(content))
        number = self.random.choice(opened)
        content = json.loads(json.dumps(self.made[number]))
        for player in _with_peaks(content):
            record = player["ratings"]["OTBR"]
            record["rating"] += self.random.choice((-300.0, -100.0, 0.0, 40.0, 100.0))
            record["peak"] = record["rating"] + self.random.choice((1.0, 100.0, 200.0, 230.0))
        content["city"] = f"Town {self.random.random()}"
        accepting.correct(OFFICER, number, data(content), "event.json", "other ratings in the report")
        self.made[number] = content
        return "reopen"

    def merge(self) -> str:
        one, other = self.random.sample(self.people, 2)
        if players.find(one).merged_into_id is not None:
            players.unmerge(OFFICER, one, "two people after all")
            return "unmerge"
        players.merge(OFFICER, one, other, "one person")
        return "merge"


def _with_peaks(content: Document) -> list[dict[str, Any]]:
    """The players of a report with ratings that have earned a floor."""
    return [
        player
        for section in content["sections"]
        for player in section["players"]
        if "peak" in player.get("ratings", {}).get("OTBR", {})
    ]
