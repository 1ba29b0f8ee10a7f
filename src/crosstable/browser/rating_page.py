"""One new rating: the story in a sentence, the numbers, each game, each step with its rule, and the what-if."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crosstable.browser.desk import SCORES, RatedFile, scores_of
from crosstable.browser.markup import Markup, element, join
from crosstable.browser.result_page import change
from crosstable.model import Answer, Section
from crosstable.systems.us_chess.pools import KEYS
from crosstable.words.account import Account
from crosstable.words.derivation import citation, names_of, say, title
from crosstable.words.figures import figure
from crosstable.words.lead import lead
from crosstable.words.numbers import number
from crosstable.words.phrases import joined, points, pool, signed, whole
from crosstable.words.rated_page import before_and_after

#: The words of the buttons
CHOICES = {"won": "Won", "drew": "Drew", "lost": "Lost"}
#: So many others are named in a what-if
NAMED = 6


def why(work: RatedFile, answer: Answer) -> Markup:
    """Show how one rating was calculated."""
    section = section_of(work, answer)
    name, (before, after) = name_in(section, answer.number), before_and_after(answer)
    story = lead(name, answer, answer.published) if answer.pool in KEYS else ""
    return join(
        element("h2", f"{name}: ", element("span", f"{before} → {after}", class_="nb"), id="why", tabindex="-1"),
        element("p", story) if story else "",
        _facts(answer) if answer.pool in KEYS else "",
        _games(answer, section),
        _steps(answer, section),
    )


def section_of(work: RatedFile, answer: Answer) -> Section:
    """Return the section of an answer."""
    sections = work.event.sections if work.event else ()
    return next(one for one in sections if one.number == answer.section)


def name_in(section: Section, pairing_number: int) -> str:
    """Name a player of a section."""
    found = (one.name or one.id for one in section.players if one.number == pairing_number)
    return next(found, "") or f"Number {pairing_number}"


def _facts(answer: Answer) -> Markup:
    """Show the sum in four lines; of the special formula, where it starts and ends."""
    account = Account(answer)
    k, expected, bonus, floor = (account.value(one) for one in ("k", "expected", "bonus", "floor"))
    rows = [("Pool", pool(answer.pool))]
    if answer.prior is not None:
        rows.append(("Before", figure(answer.prior)))
    if account.gained is not None and k is not None and expected is not None:
        difference = answer.values["score"] - expected
        rows.append(("Games", f"{number(k, 3)} × {number(difference, 3)} = {signed(account.gained, 1)}"))
        rows.append(("Bonus", signed(bonus, 1) if bonus else "none"))
    if floor is not None:
        rows.append(("Floor", f"{figure(floor)}, {'reached' if account.floor_holds else 'not reached'}"))
    rows.append(("After", f"{figure(answer.post)}, published as {whole(answer.published or 0)}"))
    return element("dl", *(join(element("dt", name), element("dd", text)) for name, text in rows), class_="facts n")


def _games(answer: Answer, section: Section) -> Markup | str:
    last = Account(answer).passes.get(5)
    if last is None or not last.games:
        return ""
    expected = any(game.expected is not None for game in last.games)
    heads = ["Opponent", "Strength", *(["Expected"] if expected else []), "Scored"]
    rows = []
    for game in last.games:
        cells = [number(game.rating, 1, fixed=True)]
        cells += [number(game.expected, 3, fixed=True)] if expected else []
        cells.append(points(game.score))
        rows.append(
            element(
                "tr",
                element("th", name_in(section, game.opponent), scope="row"),
                *(element("td", cell, class_="r") for cell in cells),
            )
        )
    sums = [""] + ([number(last.expected, 3, fixed=True)] if expected else []) + [points(last.score)]
    rows.append(element("tr", element("th", "Total", scope="row"), *(element("td", one, class_="r") for one in sums)))
    table = element(
        "table",
        element("caption", "The score in each game", class_="hide"),
        element(
            "thead",
            element(
                "tr", *(element("th", one, scope="col", class_="r" if at else None) for at, one in enumerate(heads))
            ),
        ),
        element("tbody", *rows),
        class_="tight",
    )
    return element("details", element("summary", "Show each game"), table, class_="work", open=True)


def _steps(answer: Answer, section: Section) -> Markup:
    names = names_of(section)
    items = []
    for step in answer.derivation:
        rule = element("small", citation(step.cite)) if step.cite else ""
        items.append(element("li", element("b", title(step)), " ", say(step, names), " ", rule))
    return element(
        "details",
        element("summary", "Full calculation with rules"),
        element("ol", *items, class_="steps"),
        class_="work",
    )


def what_if_form(work: RatedFile, answer: Answer) -> Markup | str:
    """Show a player's games with their results as buttons."""
    if work.event is None:
        return ""
    section, scored = section_of(work, answer), scores_of(work.event, answer.section, answer.number)
    if not scored:
        return ""
    fields = []
    for game in sorted(section.games, key=lambda one: one.round):
        if game.round not in scored or answer.number not in (game.white, game.black):
            continue
        opponent = game.black if game.white == answer.number else game.white
        buttons = [
            element(
                "label",
                element("input", type="radio", name=f"r{game.round}", value=word, checked=word == scored[game.round]),
                text,
            )
            for word, text in CHOICES.items()
        ]
        legend = element("legend", element("span", game.round, class_="n"), " ", name_in(section, opponent))
        fields.append(element("fieldset", legend, element("div", *buttons, class_="pick"), class_="ask"))
    name = name_in(section, answer.number)
    return join(
        element("h2", "What if?", id="whatif-title", class_="ruled"),
        element(
            "p",
            f"Change one of {name}’s results to rate the whole event again. Your file is not changed.",
            class_="prose",
        ),
        element("div", *fields, class_="gap"),
        element("div", id="whatif-answer", class_="sumup gap", role="status", hidden=True),
        element("p", element("button", "Reset", class_="btn", type="reset"), class_="gap"),
    )


def what_if_answer(work: RatedFile, pairs: Sequence[tuple[Answer, Answer]], results: Mapping[int, str]) -> Markup:
    """Say what the changed results would give, and who else would change."""
    (actual, mine), *others = pairs
    section = section_of(work, actual)
    name, new, old = name_in(section, actual.number), mine.published or 0, actual.published or 0
    words = {"won": "a win", "drew": "a draw", "lost": "a loss"}
    changed = joined(f"{words[word]} in round {turn}" for turn, word in sorted(results.items()))
    parts = [f"With {changed}, {name} would have ", element("output", element("b", whole(new))), ": "]
    parts += [change(new - old), f" compared with the actual {whole(old)}"]
    if actual.prior is not None and not actual.values.get("initialized"):
        parts += [", ", change(new - round(actual.prior)), f" compared with {whole(actual.prior)} before the event"]
    found = [element("p", *parts, ".")]
    if others:
        named = joined(
            f"{name_in(section_of(work, one), one.number)} {whole(one.published or 0)} → {whole(two.published or 0)}"
            for one, two in others[:NAMED]
        )
        more = f", and {len(others) - NAMED} more" if len(others) > NAMED else ""
        found.append(element("p", f"Others would change: {named}{more}.", class_="soft"))
    return join(*found)


def changed_results(work: RatedFile, answer: Answer, asked: Mapping[str, str]) -> dict[int, str]:
    """Return the results that differ from the file: {4: "drew"}."""
    if work.event is None:
        return {}
    scored = scores_of(work.event, answer.section, answer.number)
    return {
        turn: word for turn, was in scored.items() if (word := asked.get(f"r{turn}", was)) != was and word in SCORES
    }
