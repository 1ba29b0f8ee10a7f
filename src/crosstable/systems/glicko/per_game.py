"""Glicko as the Free Internet Chess Server ran it from 1995: every game its own period, in round order."""

from __future__ import annotations

from dataclasses import dataclass, field

from crosstable.model import Answer, Finding, Rating, Step
from crosstable.model.system_steps import NewRating
from crosstable.rulebook import Rulebook, Rules, rulebook
from crosstable.systems.field import PlayedPairing, SectionPlayers
from crosstable.systems.glicko import formulas
from crosstable.systems.glicko.system import Glicko, game_step, glicko_answer
from crosstable.systems.sections import cited


@dataclass(frozen=True)
class Glicko1995(Glicko):
    """The server never published the c of its ageing; a rulebook that knows it may say so."""

    book: Rulebook = field(default_factory=lambda: rulebook("glicko_1995"), repr=False)

    def rate_field(self, field: SectionPlayers, rules: Rules) -> tuple[list[Answer], list[Finding]]:
        begun = self.onset(field, rules)
        now = list(begun)
        steps: list[list[Step]] = [[] for _ in now]
        expected = [0.0 for _ in now]
        for pairing in field.pairings:
            before = list(now)
            for entrant in (pairing.white, pairing.black):
                opponent = before[pairing.opponent_of(entrant)]
                now[entrant], e, step = self._game(field, entrant, pairing, before[entrant], opponent, rules)
                expected[entrant] += e
                steps[entrant].append(step)
        answers = []
        for entrant, games in enumerate(field.schedule()):
            start, end = begun[entrant], now[entrant]
            change = end.rating - start.rating
            new = NewRating(before=start.rating, change=change, result=end.rating, cite=cited(rules, "start"))
            state = Rating(end.rating, games=(start.games or 0) + len(games), date=field.end, deviation=end.deviation)
            answers.append(
                glicko_answer(field, self.pool, entrant, games, state, expected[entrant], [*steps[entrant], new])
            )
        return answers, []

    def _game(
        self, field: SectionPlayers, entrant: int, pairing: PlayedPairing, own: Rating, opponent: Rating, rules: Rules
    ) -> tuple[Rating, float, Step]:
        deviation = own.deviation or 0.0
        g = formulas.weight(opponent.deviation or 0.0)
        e = formulas.expected(own.rating, opponent.rating, g)
        k = formulas.k_1995(deviation, g, e, rules["smallest_k"]["k"])
        gain = k * (pairing.score_of(entrant) - e)
        after = max(formulas.variance_after(deviation, formulas.information(g, e)) ** 0.5, rules["deviation"]["least"])
        step = game_step(field, entrant, pairing, opponent, g, e, gain, rules)
        return Rating(own.rating + gain, games=own.games, date=own.date, deviation=after), e, step

    def _aged(self, state: Rating, days: float, rules: Rules) -> Rating:
        rule, bounds = rules["ageing"], rules["deviation"]
        deviation = formulas.aged_1995(
            state.deviation or bounds["most"], rule["c"], days / rule["days"], bounds["most"]
        )
        return Rating(state.rating, games=state.games, date=state.date, deviation=max(deviation, bounds["least"]))
