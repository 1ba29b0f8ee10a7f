"""Random event documents for the comparison: all dates, systems and kinds, odd histories, extreme ratings."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import Any

#: Days around which some rule changes, each tried from the day before to ten days after.
TURNS = [
    (2001, 1, 1),
    (2002, 1, 1),
    (2004, 1, 1),
    (2006, 1, 1),
    (2006, 3, 1),
    (2008, 6, 6),
    (2008, 8, 7),
    (2010, 4, 1),
    (2012, 8, 3),
    (2013, 3, 1),
    (2013, 5, 8),
    (2013, 5, 18),
    (2014, 3, 20),
    (2014, 9, 1),
    (2014, 10, 1),
    (2015, 3, 1),
    (2015, 6, 1),
    (2017, 4, 24),
    (2017, 5, 1),
    (2017, 6, 1),
    (2020, 6, 1),
    (2023, 2, 1),
    (2024, 3, 1),
    (2025, 1, 1),
]
FIRST, LAST = date(2001, 1, 1), date(2026, 12, 31)
OTB_CONTROLS = [
    "G/5;d0",
    "G/3;+2",
    "G/7;d3",
    "G/10;d0",
    "G/10;d1",
    "G/15;+2",
    "G/25;d4",
    "G/29;d0",
    "G/25;d5",
    "G/30",
    "G/45;d5",
    "G/60",
    "G/60;d5",
    "G/61;d5",
    "G/55;+10",
    "G/90;+30",
    "40/90,SD/30;d5",
    "40/120,SD/60;d10",
    "G/120;d5",
    "Round 1: G/45;d5, Round 4: G/60;d5",
    "Round 1: G/60;d5, Round 4: G/90;d5",
    "Round 1: G/10;d0, Round 2: G/90;d5",
]
ONLINE_CONTROLS = ["G/3;+2", "G/5;d0", "G/10;d0", "G/15;+2", "G/25;d4", "G/30;d0", "G/60;d5", "G/90;+30"]
#: The systems, and the day from which a player can have a rating there.
SYSTEMS = {
    "OTBR": FIRST,
    "OTBQ": FIRST,
    "OTBB": date(2013, 3, 1),
    "OLR": date(2020, 6, 1),
    "OLQ": date(2015, 3, 1),
    "OLB": date(2014, 10, 1),
}


def random_event(random: Random) -> dict[str, Any]:
    start = _start(random)
    end = start + timedelta(days=random.choice([0, 0, 0, 1, 2, 4, 9, 30]))
    kind = random.choices(["swiss", "round-robin", "other", "match", "fide"], [10, 2, 1, 3, 2])[0]
    mode = "online" if kind not in {"fide", "match"} and start > date(2014, 9, 25) and random.random() < 0.3 else "otb"
    size = 2 if kind == "match" else random.choice([2, 2, 3, 4, 5, 6, 8, 12, 20, 40])
    level = random.choice([None, None, 100, 300, 800, 1500, 2200, 2500, 2900])
    make = _Maker(random, start, level, kind)
    people = [make.player() for _ in range(size)]
    sections = [_section(random, 1, people, kind, mode, start, end)]
    if random.random() < 0.25:
        again = people if kind == "match" else random.sample(people, random.randint(2, size))
        newcomers = [] if kind == "match" else [make.player() for _ in range(random.choice([0, 0, 1, 3]))]
        sections.append(_section(random, 2, [*again, *newcomers], kind, mode, start, end))
        if random.random() < 0.3:
            sections.reverse()
    return {
        "format": "crosstable-event/1",
        "name": "Oracle",
        "start": start.isoformat(),
        "end": end.isoformat(),
        "sections": sections,
    }


def _start(random: Random) -> date:
    if random.random() < 0.5:
        return max(FIRST, date(*random.choice(TURNS)) + timedelta(days=random.randint(-1, 10)))
    return FIRST + timedelta(days=random.randrange((LAST - FIRST).days))


def _section(
    random: Random, number: int, people: list[dict[str, Any]], kind: str, mode: str, start: date, end: date
) -> dict[str, Any]:
    players = [{**person, "number": place} for place, person in enumerate(people, 1)]
    if random.random() < 0.15 and kind not in {"match", "fide"}:  # re-entries
        for twin in random.sample(players, min(len(players), random.randint(1, 3))):
            players.append({**twin, "number": len(players) + 1})
    random.shuffle(players)
    days = (end - start).days
    first = random.randint(0, days)
    section: dict[str, Any] = {
        "number": number,
        "name": f"Section {number}",
        "mode": mode,
        "kind": kind,
        "time_control": _control(random, kind, mode),
        "players": players,
        "games": _games(random, players, kind),
    }
    if random.random() < 0.6:
        section["start"] = (start + timedelta(days=first)).isoformat()
        section["end"] = (start + timedelta(days=random.randint(first, days))).isoformat()
    if start < date(2006, 1, 15) and random.random() < 0.3:
        section["weight"] = "half"
    if kind == "fide":
        section["youth"] = random.random() < 0.3
    return section


def _control(random: Random, kind: str, mode: str) -> str:
    if kind == "fide":
        return random.choice(["G/90;+30", "40/90,SD/30;d5", "G/120;d5", "G/25;+5", "G/15;+10", "G/3;+2"])
    if kind == "match" and random.random() < 0.6:
        return random.choice(["G/90;+30", "G/120;d5", "G/15;+2"])
    return random.choice(ONLINE_CONTROLS if mode == "online" else OTB_CONTROLS)


def _games(random: Random, players: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    by_id = {player["number"]: player["id"] for player in players}
    drawish, one_sided = random.random() * 0.6, random.random() < 0.25
    games = []
    for turn in range(1, random.choice([1, 2, 3, 3, 4, 5, 6, 7, 9, 12]) + 1):
        order = [player["number"] for player in players]
        random.shuffle(order)
        for white, black in zip(order[::2], order[1::2], strict=False):
            if by_id[white] == by_id[black]:
                continue
            if random.random() < 0.06:
                result = random.choice(["+/-", "-/+", "-/-"])
            elif one_sided:
                result = "1-0" if by_id[white] < by_id[black] else "0-1"
            else:
                result = "1/2-1/2" if random.random() < drawish else random.choice(["1-0", "0-1"])
            games.append({"round": turn, "white": white, "black": black, "result": result})
    return games


class _Maker:
    def __init__(self, random: Random, start: date, level: int | None, kind: str) -> None:
        self.random, self.start, self.level, self.kind = random, start, level, kind
        self.made = 0
        self.systems = [name for name, first in SYSTEMS.items() if first <= start]

    def player(self) -> dict[str, Any]:
        random = self.random
        self.made += 1
        player: dict[str, Any] = {"id": str(random.randint(10000000, 19999999)), "name": f"Player {self.made}"}
        if random.random() < 0.7:
            days = random.choice([400, 1000, 1090, 1100, 4000, 9490, 9500, 20000, random.randint(700, 12000)])
            player["birth_date"] = (self.start - timedelta(days=days)).isoformat()
        if random.random() < 0.6:
            player["adult"] = random.random() < 0.5
        player["ratings"] = self._ratings()
        if random.random() < (0.85 if self.kind == "fide" else 0.2):
            rating = random.choice([2000, 2001, 2150, 2151, 2200, random.randint(1000, 2800)])
            player["fide"] = {"rating": rating, "date": self._earlier(3000)}
        if random.random() < 0.15:
            rating = random.choice([1149, 1150, 1500, 1501, 1609, 1610, 1999, 2000, random.randint(300, 2600)])
            player["cfc"] = {"rating": rating, "date": self._earlier(3000)}
            player["canadian_resident"] = random.random() < 0.5
        if random.random() < 0.08:
            player["foreign_rating"] = random.randint(400, 2600)
        if self.kind == "fide":
            player |= {
                "member": random.random() < 0.9,
                "usa_flag": random.random() < 0.7,
                "fide_opt_in": random.random() < 0.5,
            }
        return player

    def _ratings(self) -> dict[str, Any]:
        random = self.random
        if self.kind == "match" and random.random() < 0.8:
            return {name: self._record(established=True) for name in self.systems if name.startswith("OTB")}
        names = set(random.sample(self.systems, min(len(self.systems), random.choice([0, 1, 1, 2, 3, 6]))))
        if random.random() < 0.5:
            names |= {"OTBR", "OTBQ"} if random.random() < 0.5 else {"OTBR"}
        return {name: self._record() for name in self.systems if name in names}

    def _record(self, established: bool = False) -> dict[str, Any]:
        random = self.random
        level = random.randint(100, 2900) if self.level is None else self.level + random.gauss(0, 80)
        rating: float = min(2900.0, max(100.0, level))
        if established:
            rating = 1500 + random.random() * random.choice([400.0, 405.0, 700.0])
        choices = [random.randint(1, 3), random.randint(4, 8), random.randint(9, 25), 26, random.randint(26, 1500)]
        games = random.randint(26, 400) if established else random.choice(choices)
        rating = round(rating, 3) if self.start >= date(2014, 9, 1) else float(round(rating))
        record: dict[str, Any] = {"rating": rating, "games": games, "date": self._earlier(4000)}
        record |= self._results(games)
        if random.random() < 0.7:
            record["three_game_events"] = random.randint(0, games // 3)
        if random.random() < 0.3:
            record["peak"] = round(min(2900.0, rating + random.random() * 300), 3)
            if self.start < date(2014, 9, 1):
                record["peak"] = float(round(record["peak"]))
        if random.random() < 0.08:
            record["prize_floor"] = random.randrange(1000, 2001, 100)
        if rating > 2100 and games > 300 and random.random() < 0.2:
            record["life_master"] = True
        if rating > 2150 and games > 26 and random.random() < 0.3:
            record["games_above_2200"] = random.randint(0, min(games, 305))
        if random.random() < 0.05:
            record["ceiling"] = int(rating) + random.randint(0, 60)
        if random.random() < 0.06:
            record["lowered_floor"] = random.randrange(1100, 2200, 100)
            if random.random() < 0.5:
                record["lowered_from"] = record["lowered_floor"] + random.randrange(100, 400, 100)
        if self.kind == "match" and random.random() < 0.6:
            record["match_changes"] = self._match_changes()
        return record

    def _results(self, games: int) -> dict[str, int]:
        """Wins, draws and losses so far: mixed, all of one kind, unknown, or fewer than the games credited."""
        random = self.random
        history = random.choices(["mixed", "wins", "losses", "draws", "absent", "fewer"], [6, 1, 1, 0.5, 2, 1])[0]
        if history == "absent":
            return {}
        played = games if history != "fewer" else random.randint(1, games)
        wins, draws = {"wins": (played, 0), "losses": (0, 0), "draws": (0, played)}.get(history, (-1, 0))
        if wins < 0:
            wins = random.randint(0, played)
            draws = random.randint(0, played - wins)
        counts = {"wins": wins, "draws": draws, "losses": played - wins - draws}
        return counts | ({"assigned_games": games - played} if played < games else {})

    def _match_changes(self) -> list[dict[str, Any]]:
        random = self.random
        size = [random.randint(-50, 50) for _ in range(random.randint(1, 8))]
        changes = [{"date": self._earlier(1300), "change": float(change)} for change in size]
        if random.random() < 0.4:  # a limit already reached
            sign = random.choice([-1, 1])
            late = [sign * random.randint(20, 50) for _ in range(3)]
            changes += [{"date": self._earlier(150), "change": float(change)} for change in late]
        return changes

    def _earlier(self, days: int) -> str:
        edge = self.random.choice([None, None, 180, 181, 1095, 1096, 1097])
        back = self.random.randint(0, days) if edge is None or edge > days else edge
        return (self.start - timedelta(days=back)).isoformat()
