"""What the page offers beside rating a file: the estimator, the rules of a day, and titles."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from itertools import zip_longest

from crosstable.arguments import day_of
from crosstable.browser.desk import RatedFile
from crosstable.browser.markup import Markup, element, join
from crosstable.browser.result_page import change
from crosstable.rulebook import browsing, rulebook, systems
from crosstable.systems.us_chess.pools import MAIN
from crosstable.titles.in_event import earned, rules_on, title_rules
from crosstable.words.estimator import NoPlayers, State, estimate
from crosstable.words.phrases import count, decimals, points, sections, short_day, signed, whole
from crosstable.words.steps import DOCUMENTS


def estimator(asked: Mapping[str, str], today: date) -> Markup:
    """Show what every score against some opponents would give."""
    opponents = [text.strip() for text in asked.get("opponents", "").replace(";", ",").split(",") if text.strip()]
    state = State(
        pool=asked.get("pool") or MAIN,
        rating=asked.get("rating", ""),
        games=asked.get("games", ""),
        opponents=tuple(zip_longest(opponents, (), fillvalue="")),
        score=asked.get("score", ""),
        target=asked.get("target", ""),
        on=day_of(asked["on"], "day") if asked.get("on") else today,
    )
    page = estimate(state, NoPlayers())
    parts = [element("p", page.lead, class_="lead")]
    if page.problems:
        parts.append(element("div", *(element("p", one) for one in page.problems), class_="alert", role="alert"))
    work = page.work
    if work is None:
        return join(*parts)
    rows = [
        element(
            "tr",
            element("th", points(one.score), scope="row", class_="r"),
            element("td", element("b", whole(one.after)), class_="r"),
            element("td", change(one.change), class_="r"),
            class_="here" if one.chosen else None,
        )
        for one in page.outcomes
    ]
    if work.gain is not None and work.k is not None and work.expected is not None:
        sum_of = (
            f"{decimals(work.k, 3)} × ({points(work.score)} − {decimals(work.expected, 4)}) = {signed(work.gain, 2)}"
        )
        parts.append(
            element("p", f"Games: {sum_of}. Bonus: {signed(work.bonus, 2) if work.bonus else 'none'}.", class_="n")
        )
    if page.assumed:
        parts.append(element("p", f"Assumed: {'; '.join(page.assumed)}.", class_="small soft"))
    table = element(
        "table",
        element("caption", "The new rating for every score"),
        element(
            "thead",
            element("tr", *(element("th", one, scope="col", class_="r") for one in ("Points", "After", "Change"))),
        ),
        element("tbody", *rows),
    )
    return join(*parts, table)


def rule_systems() -> list[dict[str, str]]:
    """Return the rulebooks by key and title."""
    return [{"key": one, "title": rulebook(one).title} for one in systems()]


def rules(asked: Mapping[str, str], today: date) -> Markup:
    """Show the rules in force on a day."""
    book = rulebook(asked.get("system") or "us_chess")
    day = day_of(asked["on"], "day") if asked.get("on") else today
    found = browsing.in_force(book, day)
    rows = [
        element(
            "tr",
            element("th", one.title, scope="row", class_="who"),
            element("td", one.says, class_="meta"),
            element("td", short_day(one.since), class_="nb"),
            element("td", _print(one.document, one.section), class_="wide-only small soft"),
        )
        for one in found
    ]
    heads = [element("th", one, scope="col") for one in ("Rule", "What it says", "Since")]
    heads.append(element("th", "Document", scope="col", class_="wide-only"))
    return element(
        "table",
        element("caption", f"{book.title}: {count(len(found), 'rule')} in force on {short_day(day)}"),
        element("thead", element("tr", *heads)),
        element("tbody", *rows),
        class_="events",
    )


def _print(document: str, section: str) -> str:
    short = DOCUMENTS.get(document, document)
    return f"{short}, {sections(section)}" if section else short


def titles(work: RatedFile | None) -> Markup:
    """Show the titles, and the norms that were earned in the open file."""
    if work is None or work.event is None or work.rated is None:
        return element("p", "Rate a file first to see the norms that were earned in it.", class_="prose")
    event, rules = work.event, rules_on(work.event)
    levels = title_rules(rules).levels
    lines = []
    for one in earned(event, rules, rated=work.rated):
        if one.norms:
            text = ", ".join(
                f"{levels[level]} ({level}): {count(number, 'norm')}" for level, number in one.norms.items()
            )
            player = one.result.player
            lines.append(element("li", element("b", player.name or player.id), f" {text}"))
    intro = f"Titles by the rules of {rules}: {', '.join(f'{name} ({level})' for level, name in levels.items())}."
    found = (
        element("ul", *lines, class_="todo gap")
        if lines
        else element("p", "No norms were earned in this event.", class_="gap")
    )
    return join(element("p", intro, class_="prose"), found)
