"""The steps of a derivation as parts of a story, read from the public form of the trace."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from crosstable.model import Answer, Step
from crosstable.office.reading import crosstable as tables
from crosstable.office.reading.cites import Cite, cite
from crosstable.office.reading.crosstable import CrosstablePage, Row
from crosstable.office.reading.opponents_met import SCORES, VERBS, Move, moves
from crosstable.office.reading.people import Person
from crosstable.office.reading.story_numbers import (
    equals,
    first_pass,
    is_long,
    points_above,
    read_number,
    shown,
    sum_of,
)
from crosstable.office.reading.story_words import (
    LEFT_OUT,
    SIDES,
    elsewhere,
    floor_holds,
    no_bonus,
    sentence,
    which_formula,
)
from crosstable.office.reading.words import count, day, is_provisional, points, signed, small, whole
from crosstable.systems.privacy import NOT_SHOWN, SHOWN, Rounded

_NUMBER = rf"({SHOWN})"
_GAME = re.compile(rf"(?:beat|drew with|lost to) #(\d+) \({_NUMBER}\)(?:, expected {_NUMBER})?", re.I)
_SUM = re.compile(rf"K [=≈] {_NUMBER}: {_NUMBER} ([+−]) {_NUMBER}")
ROUNDED = re.compile(r"\s*\(?Numbers that would give a player's age away are rounded or left out\.\)?")


@dataclass(frozen=True, slots=True)
class GameLine:
    """One game: the opponent's strength, what was expected, what was scored."""

    round: int
    verb: str
    person: Person | None
    number: int
    came: str  # the opponent's rating before; empty where there is none to show
    strength: str
    expected: str
    score: float
    words: tuple[str, ...]

    @property
    def bar(self) -> float | None:
        """The expected score as a number, for the bar."""
        return read_number(self.expected)


@dataclass(frozen=True, slots=True)
class Part:
    """One step of the story: the running figure, what happened, how it can be checked, and the rule."""

    title: str
    figure: str
    text: tuple[str, ...]
    cite: Cite | None
    unit: str = ""
    css: str = ""
    opens: str = "Show the sum"
    sums: tuple[str, ...] = ()
    games: tuple[GameLine, ...] = ()
    moves: tuple[Move, ...] = ()  # instead of the games, where their strengths would tell an age
    total: tuple[str, str] | None = None  # expected and scored, under the games
    bonus: tuple[float, float] | None = None  # threshold and bonus, for the drawing
    last: bool = False
    came: tuple[str, str] | None = None  # where the rating came from: address and name


@dataclass(frozen=True, slots=True)
class Told:
    """The public answer, taken apart."""

    answer: Answer
    table: CrosstablePage
    row: Row
    system: str
    facts: Mapping[str, str] = field(default_factory=dict)

    @property
    def steps(self) -> Mapping[str, Step]:
        return {step.title: step for step in self.answer.trace}

    def value(self, name: str) -> float | None:
        found = self.answer.values.get(name)
        if found is None or found != found:  # noqa: PLR0124  NaN is not itself
            return None
        return found if isinstance(found, Rounded) else float(found)

    def text(self, title: str) -> str:
        step = self.steps.get(title)
        return ROUNDED.sub("", step.text) if step else ""

    def cite(self, title: str, rule: str = "") -> Cite | None:
        step = self.steps.get(title)
        return cite(step, self.system, rule) if step else None


def _by_age(told: Told) -> bool:
    """A first rating that starts from an age: its start is shown for nobody, child or adult."""
    first = told.answer.trace[0] if told.answer.trace else None
    return first is not None and first.rule == "age_rating"


def us_chess(told: Told) -> tuple[Part, ...]:
    special = told.answer.values.get("formula") == "special"
    middle = [_games(told, special=special)]
    middle += [_balance(told)] if special else [_worth(told), _gain(told), _bonus(told)]
    return (_before(told), *middle, *_limits(told), _after(told))


def _before(told: Told) -> Part:
    formula, cited = which_formula(told.text("Which formula")), told.cite("Which formula")
    if told.answer.values.get("initialized"):
        text, sums = _first(told)
        figure = NOT_SHOWN if _by_age(told) else shown(told.value("prior"))
        return Part(
            "Before the event",
            "unrated" if _by_age(told) else figure,
            (*text, formula),
            told.cite("Initial rating (Step 1)") or cited,
            css="soft",
            opens="Where it starts",
            sums=sums,
        )
    prior, games = told.value("prior"), told.answer.values.get("prior_games")
    opened = "" if told.facts["from"] else "The rating is the one with which the record was opened. "
    text = (f"{opened}It stood on {count(games or 0, 'game')}. {formula}",)
    kept: tuple[str, ...] = ()
    if prior is not None and not isinstance(prior, Rounded) and is_long(prior):
        kept = (f"Stored as {shown(prior, 4)}, published as {whole(prior)}. Sums use the stored number.",)
    came = (f"/events/{told.facts['from']}/", told.facts["from_name"]) if told.facts["from"] else None
    return Part("Before the event", shown(prior), text, cited, opens="How it is kept", sums=kept, came=came)


def _first(told: Told) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Where a first rating starts: by age without telling it, otherwise with the work."""
    if _by_age(told):
        return (
            "There was no rating before: a first rating depends on the results of this event.",
            "The number that the formula starts from is not shown. It could tell a player’s age, so we show it for nobody, "
            "child or adult, and its absence says nothing.",
        ), ()
    start = told.text("Initial rating (Step 1)")
    return (f"There was no rating in this pool before, so one was made from {elsewhere(start)}.",), (start,)


def _games(told: Told, *, special: bool) -> Part:
    lines = game_lines(told)
    score, played = told.answer.values["score"], told.answer.values["games"]
    cited = told.cite("New rating (Step 5)")
    title = f"{small(played).capitalize()} {'game' if played == 1 else 'games'}"
    twice = "The section is rated twice: the second pass uses what the first one found."
    if told.steps.get("Intermediate rating (Step 4)") is None:
        twice = "Each opponent counts with a converted FIDE rating."
    if special and _by_age(told):
        return Part(
            title,
            points(score),
            (
                "The opponents with their ratings before and after the event, and the first rating as a line among them.",
            ),
            cited,
            unit=f"of {played}",
            moves=moves(told.table, told.row, told.answer.pool),
            total=("", points(score)),
        )
    if special:
        return Part(
            title,
            points(score),
            (f"Each opponent counts with the strength shown in this event. {twice}",),
            cited,
            unit=f"of {played}",
            games=lines,
            total=("", points(score)),
        )
    expected = told.value("expected")
    # An expected score in whole points says too little about what lies above it
    known = expected is not None and not (isinstance(expected, Rounded) and expected.parts == 1)
    return Part(
        title,
        signed(points_above(score, expected), 3 if is_long(expected) else 1)
        if expected is not None and known
        else points(score),
        (f"Each opponent counts with the strength shown in this event. {twice}",),
        cited,
        unit="points" if known else f"of {played}",
        games=lines,
        total=(shown(expected, 3), points(score)),
    )


def game_lines(told: Told) -> tuple[GameLine, ...]:
    """The games in the order of the rounds, as the public sentences give them."""
    after = _GAME.findall(told.text("New rating (Step 5)"))
    before = _GAME.findall(told.text("Intermediate rating (Step 4)"))
    cells = [cell for cell in told.row.cells if cell.opponent]
    if len(after) != len(cells):
        return tuple(_line(told, cell, "", "", "") for cell in cells)
    came = [one[1] for one in before] if len(before) == len(after) else [""] * len(after)
    return tuple(
        _line(told, cell, prior, strength, expected)
        for cell, prior, (_, strength, expected) in zip(cells, came, after, strict=True)
    )


def _line(told: Told, cell: tables.Cell, came: str, strength: str, expected: str) -> GameLine:
    people = {number: row.person for row in told.table.rows for number in (row.number, *row.again)}
    person = people.get(cell.opponent or 0)
    score, verb = SCORES[cell.letter], VERBS[cell.letter]
    words = _words(told, person, came, strength, expected, score)
    return GameLine(cell.round, verb, person, cell.opponent or 0, came, strength, expected, score, words)


def _words(told: Told, person: Person | None, came: str, strength: str, expected: str, score: float) -> tuple[str, ...]:
    """What opens under a game."""
    name = person.name if person else "The opponent"
    if strength in ("", NOT_SHOWN):
        return (f"The strength of {name} in this event is not shown: it would tell somebody’s age.",)
    prior, before, counted, hoped = told.value("prior"), read_number(came), read_number(strength), read_number(expected)
    found = [f"{name} counts with a strength of {strength}."]
    if before is not None and counted is not None:
        found = [
            f"{name} came with {came}{first_pass(counted - before, equals(before, counted))}: strength {strength}."
        ]
    if hoped is not None and prior is not None:
        left = f"Expected = 1 ÷ (1 + 10^(({strength} − {shown(prior, 2)}) ÷ 400))"
        above = signed(points_above(score, hoped), 3)
        found.append(f"{sum_of(left, hoped, expected, counted, prior)}. Scored {points(score)}: {above}.")
    return tuple(found)


def _worth(told: Told) -> Part:
    k, effective, prior = told.value("k"), told.value("effective_games"), told.value("prior")
    played, before = told.answer.values["games"], told.answer.values.get("prior_games") or 0
    near = f"A rating near {whole(prior)}" if prior is not None else "Such a rating"
    if effective is not None and effective < before:
        rests = f"{near} rests on at most {shown(effective).removesuffix('.0')} games, however many were played, because players of that strength still change"
    else:
        rests = f"The rating stands on {count(before, 'game')}, and all of them count"
    text = f"This factor is called K. {rests}; with the {count(played, 'game')} here, a point is worth {shown(k, 2)}."
    sums: tuple[str, ...] = (told.text("Effective games (Step 2)"),)
    if k is not None and effective is not None and abs(k * (effective + played) - 800) < 0.5 * k:
        sums += (sum_of(f"K = 800 ÷ ({shown(effective, 4)} + {played})", k, shown(k, 4), effective),)
    return Part(
        "What a point is worth",
        "× " + shown(k, 2) if k is not None else NOT_SHOWN,
        (text,),
        told.cite("Effective games (Step 2)"),
        sums=sums,
    )


def read_gain(told: Told) -> float | None:
    match = _SUM.search(told.text("New rating (Step 5)"))
    gain = read_number(match[4]) if match else None
    if match is None or gain is None or match[3] == "+":
        return gain
    return Rounded(-gain, gain.parts) if isinstance(gain, Rounded) else -gain


def _gain(told: Told) -> Part:
    gain, moved = read_gain(told), _moved(told)
    side = moved if gain is None else gain or moved
    word, css, where = SIDES[(side > 0) - (side < 0)]
    text: tuple[str, ...] = (f"K times the points {where} expectation.",)
    if gain is None and moved:
        went = f"The published rating {'rose' if moved > 0 else 'fell'} by {abs(moved):.0f}"
        text += (f"{went}; how much of it the games gave is not shown: it would tell somebody’s age.",)
    return Part(
        f"{word} from the games",
        NOT_SHOWN if gain is None else signed(gain, 1),
        text,
        told.cite("New rating (Step 5)"),
        css="soft" if gain is None else css,
        sums=(_product(told, gain) or LEFT_OUT,),
    )


def _product(told: Told, gain: float | None) -> str:
    """K × (S − E), where a reader who works it out comes near the gain."""
    k, expected, score = told.value("k"), told.value("expected"), told.answer.values["score"]
    if gain is None or k is None or expected is None:
        return ""
    if equals(gain, k, expected) == "≈" and abs(k * (score - expected) - gain) > k / 20 + 0.5:
        return ""  # farther away than an expected score in tenths can be
    left = f"{shown(k, 4)} × ({points(score)} − {shown(expected, 4)})"
    return sum_of(left, gain, signed(gain, 2), k, expected)


def _moved(told: Told) -> float:
    """By how much the published rating moved: public in any case. 0 where something else than the games moved it."""
    own = next((one for one in told.row.numbers if one.pool == told.answer.pool), None)
    if own is None or own.before is None or own.after is None or floor_holds(told.text("Floor")):
        return 0.0
    return own.after - own.before


def _bonus(told: Told) -> Part:
    bonus, text = told.value("bonus"), told.text("Bonus")
    cited = told.cite("Bonus")
    if not bonus:
        why = no_bonus(text) if bonus == 0 else ""
        work = (sentence(text),) if why and NOT_SHOWN not in text else ()
        return Part("Bonus", "0" if bonus == 0 else NOT_SHOWN, (why or sentence(text),), cited, css="soft", sums=work)
    match = re.search(rf"exceeds .* = {_NUMBER} by", text)
    threshold = float(match[1]) if match and match[1] != NOT_SHOWN else None
    games = told.answer.values["games"]
    words = f"In {small(games)} games, a gain above {shown(threshold)} is exceptional. What lies above it counts a second time."
    return Part(
        "Bonus",
        signed(bonus, 1),
        (words,),
        cited,
        css="up",
        sums=(sentence(text), "Nobody was met more than twice, and it was no match, so a bonus can be earned."),
        bonus=(threshold, bonus) if threshold is not None else None,
    )


def _balance(told: Told) -> Part:
    sums = [
        told.text(title) for title in ("First estimate (Step 3)", "Intermediate rating (Step 4)", "New rating (Step 5)")
    ]
    if _by_age(told):
        sums = ["The section is rated twice. Numbers that would lead back to the starting number are not shown."]
    after = told.answer.published
    text = "Against an equal opponent half a point is expected; against somebody 400 points weaker, a full one. Too low a rating, and the score would be more than expected; too high, and less."
    if after is not None:
        text += f" At {whole(after)} it is just right."
    first = "Expected against one opponent = ½ + (rating − opponent) ÷ 800, never under 0 or over 1."
    return Part(
        "Where the two sides balance",
        "=",
        (text,),
        told.cite("New rating (Step 5)"),
        css="soft",
        opens="Show the formula",
        sums=(first, *(one for one in sums if one)),
    )


def _limits(told: Told) -> list[Part]:
    """Match limits, floor and ceiling."""
    found = []
    if "Match limits" in told.steps:
        found.append(_limit(told, "Match limits", "Limits of a match"))
    floor = told.steps.get("Floor")
    if floor is not None:
        level = shown(floor.value)
        text = f"The rating cannot fall below {level}." + (
            " It was stopped there." if floor_holds(floor.text) else " It did not come into play."
        )
        found.append(
            Part(
                "Floor",
                level,
                (text,),
                told.cite("Floor"),
                css="soft",
                opens=f"Why {level}",
                sums=(sentence(told.text("Floor")),),
            )
        )
    if "Ceiling" in told.steps:
        found.append(_limit(told, "Ceiling", "Ceiling"))
    return found


def _limit(told: Told, step: str, title: str) -> Part:
    return Part(title, shown(told.steps[step].value), (told.text(step),), told.cite(step), css="soft")


def _after(told: Told) -> Part:
    published, games = told.answer.published, told.answer.values.get("post_games")
    post = told.value("post")
    if published is None:
        return Part(
            "After the event",
            NOT_SHOWN,
            (
                "The new rating still is close to where an age put it, so it is not shown yet. Later events will show theirs.",
            ),
            told.cite("Published"),
            css="soft",
            last=True,
        )
    text = f"Published as {whole(published)}, on {count(games or 0, 'game')}."
    if games is not None and is_provisional(games):
        text = f"Published as {whole(published)}, provisional, based on {count(games, 'game')}. It is established from the 26th game on."
    if told.facts["list"]:
        text += f" Official since the list of {day(date.fromisoformat(told.facts['list']))}."
    kept = told.text("Published")
    sums = (sentence(kept),) if kept.startswith("Stored") else ()  # else it says no more than the text
    return Part(
        "After the event",
        whole(published) if post is None or isinstance(post, Rounded) else shown(post),
        (text,),
        told.cite("Published"),
        sums=sums,
        last=True,
    )


def other(told: Told) -> tuple[Part, ...]:
    """Another system's steps, one after the other as it tells them."""
    steps = told.answer.trace
    return tuple(
        Part(step.title, shown(step.value, 2) if step.value is not None else "", (sentence(ROUNDED.sub("", step.text)),),
             cite(step, told.system), last=place == len(steps) - 1)
        for place, step in enumerate(steps)
    )  # fmt: skip
