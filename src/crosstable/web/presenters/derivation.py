"""The derivation page: the steps of one rating as a story from top to bottom.

Before, the games, what a point is worth, gain, bonus, floor, after. Every number comes from the public form of the
steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from crosstable.formats.file_ratings import established_games
from crosstable.model.derivation import Citation, Published, Step
from crosstable.model.us_chess_steps import (
    Blend,
    Bonus,
    BonusReason,
    Ceiling,
    EffectiveGames,
    FirstEstimate,
    Floor,
    FormulaChoice,
    FormulaReason,
    GameFact,
    HiddenStart,
    MatchLimits,
    Pass,
    TakenOver,
)
from crosstable.model.values import Rounded, exact, known
from crosstable.office.players.person import Person
from crosstable.office.queries.derivation import DerivationPage
from crosstable.office.queries.opponents_met import SCORES, VERBS, Move, moves
from crosstable.office.queries.words import count, day, is_provisional, joined, points, pool, signed, small, some, whole
from crosstable.office.reports.crosstable_cells import Cell
from crosstable.systems import system as rating_system
from crosstable.systems.us_chess.pools import KEYS
from crosstable.web import addresses
from crosstable.words.account import Account
from crosstable.words.derivation import is_partial, sentence, title
from crosstable.words.figures import above, digits_of, figure, is_long, or_none, sum_of
from crosstable.words.language import _, gettext_noop
from crosstable.words.numbers import digits, not_shown, number, signed_digits

# The games of a derivation page: each opponent's strength, what was expected, and the sum behind it.


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """A formula with a raised power."""

    before: str
    power: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLine:
    """One game: the opponent's strength, what was expected, what was scored."""

    round: int
    verb: str
    person: Person | None
    number: int
    strength: str
    expected: str
    bar: float | None  # the expected score as a number, for the bar
    score: float
    words: tuple[str | Raised, ...]


def game_lines(story: Story) -> tuple[GameLine, ...]:
    """Return the games in the order of the rounds."""
    cells = [cell for cell in story.row.cells if cell.opponent]
    after, before = _games_of(story, 5), _games_of(story, 4)
    if len(after) != len(cells):
        return tuple(_line(story, cell, None, None) for cell in cells)
    earlier: Sequence[GameFact | None] = before if len(before) == len(after) else [None] * len(after)
    return tuple(_line(story, cell, first, last) for cell, first, last in zip(cells, earlier, after, strict=True))


def _games_of(story: Story, step: int) -> tuple[GameFact, ...]:
    return story.passes[step].games if step in story.passes else ()


def _line(story: Story, cell: Cell, first: GameFact | None, last: GameFact | None) -> GameLine:
    people = {number: row.person for row in story.page.table.rows for number in (row.number, *row.again)}
    person = people.get(cell.opponent or 0)
    strength = None if last is None else or_none(last.rating)
    expected = None if last is None else or_none(last.expected)
    return GameLine(
        round=cell.round,
        verb=_(VERBS[cell.letter]),
        person=person,
        number=cell.opponent or 0,
        strength="" if strength is None else number(strength, 1, fixed=True),
        expected="" if expected is None else number(expected, 3, fixed=True),
        bar=expected,
        score=SCORES[cell.letter],
        words=_game_words(story, person, first, last, SCORES[cell.letter]),
    )


def _game_words(
    story: Story, person: Person | None, first: GameFact | None, last: GameFact | None, score: float
) -> tuple[str | Raised, ...]:
    """Say what opens under a game."""
    name = person.name if person else _("The opponent")
    strength = None if last is None else or_none(last.rating)
    if last is None or strength is None:
        hidden = _("The strength of {name} in this event is not shown: it would reveal a player’s age.")
        return (hidden.format(name=name),)
    shown, before = number(strength, 1, fixed=True), None if first is None else or_none(first.rating)
    found = [_("{name} counts with a strength of {strength}.").format(name=name, strength=shown)]
    if before is not None:
        moved = _first_pass(strength - before, about=not exact(before, strength))
        came = number(before, 1, fixed=True)
        text = _("{name} started with {before}; {first_pass}: strength {strength}.")
        found = [text.format(name=name, before=came, first_pass=moved, strength=shown)]
    prior, expected = story.value("prior"), or_none(last.expected)
    if expected is not None and prior is not None:
        formula = sum_of(")", expected, digits(expected, 3, fixed=True), strength, prior)
        more = _("Scored {score}: {change}.").format(score=points(score), change=signed(above(score, expected), 3))
        power = f"({shown} − {figure(prior, 2)}) ÷ 400"
        return *found, Raised(before=f"{_('Expected')} = 1 ÷ (1 + 10", power=power, after=f"{formula}. {more}")
    return tuple(found)


def _first_pass(moved: float, *, about: bool) -> str:
    least, places = (0.5, 0) if about else (0.05, 1)
    if abs(moved) < least:
        return _("the first pass left it about there") if about else _("the first pass left it there")
    points_moved = number(abs(moved), places, fixed=True)
    by = _("about {number}").format(number=points_moved) if about else points_moved
    text = _("the first pass raised it by {points}") if moved > 0 else _("the first pass lowered it by {points}")
    return text.format(points=by)


#: What the games gave: title, CSS class and sentence, by the sign
SIDES = {
    1: (gettext_noop("Gain from the games"), "up", gettext_noop("K times the points above expectation.")),
    0: (gettext_noop("Change from the games"), "soft", gettext_noop("K times the points above or below expectation.")),
    -1: (gettext_noop("Loss from the games"), "down", gettext_noop("K times the points below expectation.")),
}
LEFT_OUT = gettext_noop(
    "The sum is left out: its exact numbers would reveal a player’s age, and rounded ones do not add up."
)
SHOW_THE_SUM = gettext_noop("Show the sum")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """The rule behind a part of the story, and the page that shows it."""

    rule: str
    title: str
    english: bool  # the title has no translation
    document: str
    section: str
    since: date | None
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part of the story: the running figure, what happened, how it can be checked, and the rule."""

    title: str
    figure: str
    text: tuple[str, ...]
    cite: Rule | None
    unit: str = ""
    css: str = ""
    opening: str = ""  # what the details are called, where it is not "Show the sum"
    sums: tuple[str, ...] = ()
    games: tuple[GameLine, ...] = ()
    moves: tuple[Move, ...] = ()  # instead of the games, where their strengths would reveal an age
    total: tuple[str, str] | None = None  # expected and scored, under the games
    bonus: tuple[float, float] | None = None  # threshold and bonus, for the drawing
    last: bool = False
    came: tuple[str, str] | None = None  # where the rating came from: address and name

    @property
    def opens(self) -> str:
        """What a reader presses to see the sums."""
        return self.opening or _(SHOW_THE_SUM)


def cite(citation: Citation | None, system: str) -> Rule | None:
    """Return a rule's title, document and page."""
    if citation is None or not citation.rule:
        return None
    book, name = rating_system(system).book, citation.rule
    heading = book.rules[name].title if name in book.rules else name.replace("_", " ")
    edition = citation.document.removeprefix("us-chess-")
    document = citation.document
    if edition.isdigit():
        document = _("US Chess Rating System, {year} edition").format(year=edition)
    return Rule(
        rule=name,
        title=_(heading),
        english=_(heading) == heading,
        document=document,
        section=citation.section,
        since=citation.since if system == "us_chess" else None,
        address=addresses.rule(name, system),
    )


def parts(page: DerivationPage) -> tuple[Part, ...]:
    """Return the parts of a derivation page, from top to bottom."""
    return Story(page).parts() if page.pool in KEYS else other_system(page)


def other_system(page: DerivationPage) -> tuple[Part, ...]:
    """Show another system's steps one after the other, as its words say them."""
    steps = page.answer.derivation
    return tuple(
        Part(
            title=title(step),
            figure="" if step.value is None else figure(step.value, 2),
            text=(_capital(sentence(step, page.names)),),
            cite=cite(step.cite, page.system),
            last=place == len(steps) - 1,
        )
        for place, step in enumerate(steps)
    )


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


class Story(Account):
    """A US Chess derivation, told part by part."""

    def __init__(self, page: DerivationPage) -> None:
        super().__init__(page.answer)
        self.page, self.row = page, page.row

    def rule(self, *kinds: type[Step]) -> Rule | None:
        """Cite the rule of the first of these steps that is shown."""
        found = (self.step(kind) for kind in kinds)
        return next((cite(step.cite, self.page.system) for step in found if step is not None), None)

    def parts(self) -> tuple[Part, ...]:
        """Return the whole story."""
        special = self.answer.values.get("formula") == "special"
        middle = [self.games(special=special)]
        middle += [self.balance()] if special else [self.worth(), self.gain(), self.bonus()]
        return (self.before(), *middle, *self.limits(), self.after())

    def before(self) -> Part:
        """Where the player starts."""
        formula, cited = self.which_formula(), self.rule(FormulaChoice)
        if self.answer.values.get("initialized"):
            text, sums = self.first_rating()
            return Part(
                title=_("Before the event"),
                figure=_("unrated") if self.by_age else figure(self.value("prior")),
                text=(*text, formula),
                cite=self.rule(HiddenStart, Blend, TakenOver) or cited,
                css="soft",
                opening=_("Where it starts"),
                sums=sums,
            )
        prior, games = self.value("prior"), self.answer.values.get("prior_games")
        origin = self.page.origin
        opened = "" if origin else _("This rating was entered when the record was opened.")
        stored: tuple[str, ...] = ()
        if prior is not None and not isinstance(prior, Rounded) and is_long(prior):
            words = _("Stored as {stored}, published as {published}. Sums use the stored number.")
            stored = (words.format(stored=figure(prior, 4), published=whole(prior)),)
        based = _("It is based on {games}.").format(games=count(games or 0, "game"))
        return Part(
            title=_("Before the event"),
            figure=figure(prior),
            text=(" ".join(part for part in (opened, based, formula) if part),),
            cite=cited,
            opening=_("How it is stored"),
            sums=stored,
            came=(addresses.event(origin[0]), origin[1]) if origin else None,
        )

    def which_formula(self) -> str:
        """Say why this formula applies. The number of games has just been said."""
        step = self.step(FormulaChoice)
        if step is None:
            return ""
        if step.reason is FormulaReason.ESTABLISHED_RECORD:
            return _(
                "The record before this event decides: more than {limit} games, and these earlier games were neither"
                " all won nor all lost. So it is the standard formula, whatever the score here."
            ).format(limit=step.limit)
        if step.reason is FormulaReason.FEW_GAMES:
            return _("Not more than {limit} games: the special formula.").format(limit=step.limit)
        return sentence(step, {})

    def first_rating(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Say where a first rating starts: by age without revealing it, otherwise with the sum."""
        if self.by_age:
            return (
                _("There was no rating before: a first rating depends on the results of this event."),
                _(
                    "The number that the formula starts from is not shown. It could reveal a player’s age, so it is"
                    " hidden for every player, child or adult, and its absence says nothing."
                ),
            ), ()
        start = self.answer.derivation[0]
        made_from = _("the player’s other ratings")
        if isinstance(start, Blend) and start.sources:
            made_from = joined(
                f"{pool(one.pool)} {figure(one.rating)}"
                + (
                    _(" (converted: {rating})").format(rating=figure(one.converted, 0))
                    if one.converted != one.rating
                    else ""
                )
                for one in start.sources
            )
        text = _("There was no rating in this pool before, so one was made from {sources}.").format(sources=made_from)
        return (text,), (sentence(start, self.page.names),)

    def games(self, *, special: bool) -> Part:
        """Return the games, with expected and actual scores."""
        score, played = self.answer.values["score"], self.answer.values["games"]
        heading = some(played, "game").capitalize()
        cited, unit = self.rule(Pass), _("of {games}").format(games=played)
        if special and self.by_age:
            text = _(
                "The opponents with their ratings before and after the event, and the first rating as a line among"
                " them."
            )
            met = moves(self.page.table, self.row, self.answer.pool)
            return Part(
                title=heading,
                figure=points(score),
                text=(text,),
                cite=cited,
                unit=unit,
                moves=met,
                total=("", points(score)),
            )
        twice = _("The section is rated twice: the second pass uses the results of the first.")
        fide = self.step(FormulaChoice)
        if fide is not None and fide.reason is FormulaReason.FIDE_EVENT:
            twice = _("Each opponent counts with a converted FIDE rating.")
        shown = _("Each opponent counts with the strength shown in this event.")
        text, lines = f"{shown} {twice}", game_lines(self)
        expected = None if special else self.value("expected")
        # An expected score in whole points says too little about what lies above it
        coarse = isinstance(expected, Rounded) and expected.parts == 1
        if expected is None or coarse:
            total = ("" if special else figure(expected, 3), points(score))
            return Part(
                title=heading, figure=points(score), text=(text,), cite=cited, unit=unit, games=lines, total=total
            )
        return Part(
            title=heading,
            figure=signed(above(score, expected), 3 if is_long(expected) else 1),
            text=(text,),
            cite=cited,
            unit=_("points"),
            games=lines,
            total=(figure(expected, 3), points(score)),
        )

    def worth(self) -> Part:
        """Return what a point is worth: K."""
        k, effective, prior = self.value("k"), self.value("effective_games"), self.value("prior")
        played, before = self.answer.values["games"], self.answer.values.get("prior_games") or 0
        near = _("A rating near {rating}").format(rating=whole(prior)) if prior is not None else _("Such a rating")
        if effective is not None and effective < before:
            based = _(
                "{rating} counts as at most {games} games, however many were played, because players of that strength"
                " still change"
            ).format(rating=near, games=number(effective, 1))
        else:
            based = _("The rating is based on {games}, and all of them count").format(games=count(before, "game"))
        text = _("This factor is called K. {based}; with the {games} here, a point is worth {k}.").format(
            based=based, games=count(played, "game"), k=figure(k, 2)
        )
        step = self.step(EffectiveGames)
        sums: tuple[str, ...] = () if step is None else (sentence(step, {}),)
        if k is not None and effective is not None and abs(k * (effective + played) - 800) < 0.5 * k:
            sums += (sum_of(f"K = 800 ÷ ({figure(effective, 4)} + {played})", k, digits_of(k, 4), effective),)
        return Part(
            title=_("What a point is worth"),
            figure="× " + figure(k, 2) if k is not None else not_shown(),
            text=(text,),
            cite=self.rule(EffectiveGames),
            sums=sums,
        )

    def gain(self) -> Part:
        """Return what the games gave."""
        gain, moved = self.gained, self._moved()
        side = moved if gain is None else gain or moved
        heading, css, product = SIDES[(side > 0) - (side < 0)]
        text: tuple[str, ...] = (_(product),)
        if gain is None and moved > 0:
            hidden = _(
                "The published rating rose by {points}; how much of it the games gave is not shown: it would reveal a "
                "player’s age."
            )
            text += (hidden.format(points=whole(moved)),)
        elif gain is None and moved < 0:
            hidden = _(
                "The published rating fell by {points}; how much of it the games gave is not shown: it would reveal a "
                "player’s age."
            )
            text += (hidden.format(points=whole(-moved)),)
        return Part(
            title=_(heading),
            figure=not_shown() if gain is None else signed(gain, 1),
            text=text,
            cite=self.rule(Pass),
            css="soft" if gain is None else css,
            sums=(self._product() or _(LEFT_OUT),),
        )

    def _product(self) -> str:
        """Write K × (S − E), where a reader who works it out comes near the gain."""
        k, expected, score, gain = self.value("k"), self.value("expected"), self.answer.values["score"], self.gained
        if gain is None or k is None or expected is None:
            return ""
        if not exact(gain, k, expected) and abs(k * (score - expected) - gain) > k / 20 + 0.5:
            return ""  # farther away than an expected score in tenths can be
        left = f"{figure(k, 4)} × ({points(score)} − {figure(expected, 4)})"
        return sum_of(left, gain, signed_digits(gain, 2), k, expected)

    def _moved(self) -> float:
        """Return by how much the published rating moved, which is public; 0 where the floor moved it."""
        own = next((one for one in self.row.numbers if one.pool == self.answer.pool), None)
        if own is None or own.before is None or own.after is None or self.floor_holds:
            return 0.0
        return own.after - own.before

    def bonus(self) -> Part:
        """Return the bonus, or why there is none."""
        step, cited = self.step(Bonus), self.rule(Bonus)
        if step is None or not known(step.bonus):
            text = _("Not shown: it would reveal a player's age.")
            return Part(title=_("Bonus"), figure=not_shown(), text=(text,), cite=cited, css="soft")
        full = sentence(step, {})
        if step.reason is not BonusReason.EARNED:
            why = _no_bonus(step)
            sums = (full,) if why and not is_partial(step) else ()
            return Part(title=_("Bonus"), figure="0", text=(why or full,), cite=cited, css="soft", sums=sums)
        threshold, bonus = or_none(step.threshold), float(step.bonus)
        words = _(
            "In {games} games, a gain above {threshold} is exceptional. What lies above it counts a second time."
        ).format(games=small(step.games), threshold=figure(threshold))
        return Part(
            title=_("Bonus"),
            figure=signed(step.bonus, 1),
            text=(words,),
            cite=cited,
            css="up",
            sums=(full, _("No opponent was met more than twice, and it was not a match, so a bonus can be earned.")),
            bonus=(threshold, bonus) if threshold is not None else None,
        )

    def balance(self) -> Part:
        """Return the special formula: the rating at which the expected score is the actual one."""
        shown: list[Step | None] = [self.step(FirstEstimate), self.passes.get(4), self.passes.get(5)]
        sums = [sentence(step, self.page.names) for step in shown if step is not None]
        if self.by_age:
            sums = [_("The section is rated twice. Numbers that would lead back to the starting number are not shown.")]
        text = _(
            "Against an equal opponent half a point is expected; against an opponent 400 points weaker, a full one. If"
            " the rating were too low, the score would be more than expected; too high, and less."
        )
        if self.answer.published is not None:
            text += " " + _("At {rating} it is just right.").format(rating=whole(self.answer.published))
        first = _("Expected against one opponent = ½ + (rating − opponent) ÷ 800, never under 0 or over 1.")
        return Part(
            title=_("Where the two sides balance"),
            figure="=",
            text=(text,),
            cite=self.rule(Pass),
            css="soft",
            opening=_("Show the formula"),
            sums=(first, *sums),
        )

    def limits(self) -> list[Part]:
        """Match limits, floor and ceiling."""
        found = []
        match, floor, ceiling = self.step(MatchLimits), self.step(Floor), self.step(Ceiling)
        if match is not None:
            found.append(self._limit(match, _("Limits of a match")))
        if floor is not None:
            level = figure(floor.floor)
            text = _("The rating cannot fall below {floor}.").format(floor=level)
            text += " " + (_("It was stopped there.") if floor.holds else _("It did not come into play."))
            found.append(
                Part(
                    title=_("Floor"),
                    figure=level,
                    text=(text,),
                    cite=cite(floor.cite, self.page.system),
                    css="soft",
                    opening=_("Why {floor}").format(floor=level),
                    sums=(_capital(sentence(floor, {})),),
                )
            )
        if ceiling is not None:
            found.append(self._limit(ceiling, _("Ceiling")))
        return found

    def _limit(self, step: Step, heading: str) -> Part:
        rule = cite(step.cite, self.page.system)
        return Part(title=heading, figure=figure(step.value), text=(sentence(step, {}),), cite=rule, css="soft")

    def after(self) -> Part:
        """Return what is published."""
        published, games, step = self.answer.published, self.answer.values.get("post_games"), self.step(Published)
        cited = self.rule(Published)
        if published is None:
            text = _(
                "The new rating is still close to where an age put it, so it is not shown yet. Later events will show"
                " theirs."
            )
            return Part(title=_("After the event"), figure=not_shown(), text=(text,), cite=cited, css="soft", last=True)
        text = _("Published as {rating}, based on {games}.")
        if games is not None and is_provisional(games):
            text = _(
                "Published as {rating}, provisional, based on {games}. It is established from {established} games on."
            )
        text = text.format(rating=whole(published), games=count(games or 0, "game"), established=established_games())
        if self.page.official_since:
            text += " " + _("Official since the list of {date}.").format(date=day(self.page.official_since))
        exact = step is not None and not is_partial(step)
        post = self.value("post")
        return Part(
            title=_("After the event"),
            figure=whole(published) if post is None or isinstance(post, Rounded) else figure(post),
            text=(text,),
            cite=cited,
            sums=(sentence(step, {}),) if step is not None and exact else (),  # else it says no more than the text
            last=True,
        )


def _no_bonus(step: Bonus) -> str:
    """Say in round numbers why there was no bonus; nothing where the step's own sentence says it."""
    gain, threshold = or_none(step.gain), or_none(step.threshold)
    if step.reason is BonusReason.LOSS:
        return _("None: a loss earns none.")
    if step.reason is BonusReason.BELOW_THRESHOLD and gain is not None and threshold is not None:
        text = _("None: a gain of {gain} is not above {threshold}.")
        return text.format(gain=figure(gain), threshold=figure(threshold))
    return _("None: the gain was not exceptional.") if step.reason is BonusReason.BELOW_THRESHOLD else ""
