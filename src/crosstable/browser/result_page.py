"""What the page shows of a rated file: the crosstables, the findings, and the files that can be saved."""

from __future__ import annotations

from collections.abc import Sequence

from crosstable.browser.desk import RatedFile
from crosstable.browser.markup import Markup, element, join
from crosstable.formats import registry
from crosstable.formats.crosstable import people, scores
from crosstable.model import Answer, Finding, Fix, Level, Player, Section
from crosstable.systems.us_chess.pools import POOLS
from crosstable.words.findings import message_text
from crosstable.words.fixes import fix_text, input_text
from crosstable.words.phrases import count, day, is_provisional, joined, points, pool, signed, whole
from crosstable.words.places import place_text
from crosstable.words.rated_page import cell_text, round_games, shown_rounds

#: What each level asks of a director
HEADINGS = {Level.ERROR: "Needs fixing.", Level.WARNING: "Please check.", Level.NOTICE: "For your information."}
#: So many findings of one kind are shown; the others open on a press
SHOWN = 3
#: The kinds of fields; numbers are typed as text, so that "12a" gets an answer
INPUTS = {"date": "date", "check": "checkbox"}
VERBS = {"W": "beat", "D": "drew with", "L": "lost to", "X": "won by forfeit against", "F": "forfeited against"}


def result(work: RatedFile) -> Markup:
    """Show everything about a file: what came out, what to check, the crosstables."""
    event = work.event
    title = (event.name if event else "") or work.name or "Your tournament"
    parts = [
        element(
            "div",
            element("h2", title, id="result", tabindex="-1"),
            element("p", element("a", "Rate another file", href="#main"), class_="links"),
            class_="head",
        ),
        element("p", _lead(work), class_="lead"),
        element("p", _about(work), class_="sub"),
        _findings(work),
    ]
    if event is not None:
        parts += [_section(section, work) for section in event.sections]
    return join(*parts)


def _lead(work: RatedFile) -> str:
    rated = work.rated
    if rated is None:
        errors = sum(finding.level is Level.ERROR for finding in work.findings)
        return f"Not rated yet: {count(errors, 'thing')} {'needs' if errors == 1 else 'need'} fixing."
    if not rated.answers:
        return "There is no rated game in this file."
    players = len({(one.section, one.number) for one in rated.answers})
    text = f"{count(players, 'player')} rated."
    gains = [one for one in rated.answers if _change(one) > 0]
    if not gains:
        return text
    most = max(gains, key=_change)
    return f"{text} {_name_of(work, most)} gained the most: {whole(most.prior or 0)} → {whole(most.published or 0)}."


def _about(work: RatedFile) -> str:
    event = work.event
    if event is None:
        return work.name
    games = sum(game.played for section in event.sections for game in section.games)
    pools = dict.fromkeys(answer.pool for answer in (work.rated.answers if work.rated else ()))
    parts = [work.name, f"{count(people(event.sections), 'player')}, {count(games, 'game')}"]
    parts += dict.fromkeys(section.time_control for section in event.sections if section.time_control)
    last = event.end or event.start
    if pools:
        dated = f" with the rules of {day(last)}" if last else ""
        parts.append(f"rated as {joined(map(pool, pools))}{dated}")
    return " · ".join(part for part in parts if part)


def _name_of(work: RatedFile, answer: Answer) -> str:
    sections = work.event.sections if work.event else ()
    players = next((one.players for one in sections if one.number == answer.section), ())
    return next((one.name or one.id for one in players if one.number == answer.number), f"No. {answer.number}")


def _change(answer: Answer) -> float:
    if answer.prior is None or answer.published is None or answer.values.get("initialized"):
        return 0.0
    return answer.published - round(answer.prior)


# Findings


def _findings(work: RatedFile) -> Markup:
    if not work.findings:
        return element("p", "Nothing to check.", class_="gap")
    kinds: dict[tuple[Level, str], list[tuple[int, Finding]]] = {}
    for place, finding in enumerate(work.findings):
        kinds.setdefault((finding.level, finding.code), []).append((place, finding))
    items = []
    for some in kinds.values():
        first = [_finding(work, place, finding) for place, finding in some[:SHOWN]]
        items += first
        if len(some) > SHOWN:
            rest = element("ul", *(_finding(work, place, finding) for place, finding in some[SHOWN:]))
            items.append(
                element(
                    "li",
                    element("details", element("summary", f"{len(some) - SHOWN} more of these"), rest, class_="work"),
                )
            )
    heading = element("h3", _counted(work.findings), id="findings", class_="gap")
    return join(heading, element("ol", *items, class_="todo gap"))


def _counted(findings: Sequence[Finding]) -> str:
    levels = [finding.level for finding in findings]
    parts = []
    for level, words in ((Level.ERROR, "to fix"), (Level.WARNING, "to check"), (Level.NOTICE, "to know")):
        if number := levels.count(level):
            parts.append(f"{number} {words}")
    return f"{joined(parts)}".capitalize()


def _finding(work: RatedFile, number: int, finding: Finding) -> Markup:
    level = finding.level
    css = "bad-level" if level is Level.ERROR else "look" if level is Level.WARNING else None
    where = place_text(finding.place, work.event)
    text = " ".join(part for part in (message_text(finding, work.event), finding.advice) if part)
    target = f"#s{finding.place.section or 1}p{finding.place.player}" if finding.place.player else None
    place = (element("a", f"{where}:", href=target) if target else f"{where}:", " ") if where else ""
    said = element("p", element("strong", HEADINGS[level], class_=css), " ", place, text)
    forms = [_fix(work, f"{number} {at}", fix, finding) for at, fix in enumerate(finding.fixes) if fix.kind != "keep"]
    return element("li", said, element("div", *forms, class_="row") if forms else "")


def _fix(work: RatedFile, key: str, fix: Fix, finding: Finding) -> Markup:
    """Show a fix as a button, with the fields that it needs."""
    fields = [
        element(
            "label",
            input_text(one, fix),
            " ",
            element("input", name=one.name, value=one.value, type=INPUTS.get(one.kind, "text"), required=one.needed),
        )
        for one in fix.inputs
    ]
    css = "btn main" if fix.suggested else "btn"
    return element(
        "form",
        *fields,
        element("button", fix_text(fix, finding, work.event), class_=css),
        class_="fix row",
        data_fix=key,
    )


# Crosstables


def _section(section: Section, work: RatedFile) -> Markup:
    answers = [one for one in (work.rated.answers if work.rated else ()) if one.section == section.number]
    pools = list(dict.fromkeys(answer.pool for answer in answers))
    turns, own = shown_rounds(section), {(one.pool, one.number): one for one in answers}
    totals = scores(section)
    heads = [_head("No.", "r"), _head("Player"), *(_head(f"Rd {turn}", "c nb") for turn in turns), _head("Score", "r")]
    for key in pools:
        before = f"{pool(key)} before → after" if len(pools) > 1 else "Before → after"
        heads += [_head(element("span", before, class_="hang"), "r"), _head("Change", "r")]
    names = {player.number: player.name or player.id or f"number {player.number}" for player in section.players}
    rows = []
    for player in sorted(section.players, key=lambda one: (-totals[one.number], one.number)):
        cells = [element("td", player.number, class_="r no", role="cell")]
        cells.append(element("th", names[player.number], scope="row", role="rowheader", class_="who"))
        cells += [_round(section, turn, player, names) for turn in turns]
        cells.append(element("td", points(totals[player.number] / 2), class_="r tot", role="cell"))
        for place, key in enumerate(pools):
            cells += _numbers(own.get((key, player.number)), key if len(pools) > 1 else "", more=place > 0)
        rows.append(element("tr", *cells, id=f"s{section.number}p{player.number}", role="row"))
    caption = "Sorted by score." + (" Select a new rating to see how it was calculated." if answers else "")
    wide = " scroll" if len(turns) > 7 or len(pools) > 1 else ""
    table = element(
        "table",
        element("caption", caption),
        element("thead", element("tr", *heads, role="row"), role="rowgroup"),
        element("tbody", *rows, role="rowgroup"),
        class_="ct cards",
        role="table",
    )
    title = section.name or f"Section {section.number}"
    return element(
        "section",
        element("h3", title) if work.event and len(work.event.sections) > 1 else "",
        element("div", table, class_=f"fit{wide}", tabindex="0", role="region", aria_label=title),
        class_="gap",
    )


def _head(text: str, css: str | None = None) -> Markup:
    return element("th", text, scope="col", role="columnheader", class_=css)


def _round(section: Section, turn: int, player: Player, names: dict[int, str]) -> Markup:
    met = round_games(section.games, turn, player)
    if len(met) != 1:
        text = cell_text(section.games, turn, player)
        return element("td", text or element("span", "–", class_="soft"), class_="c rd", role="cell")
    ((letter, opponent),) = met
    words = f"{letter}{opponent}: {VERBS[letter]} {names.get(opponent, opponent)} in round {turn}"
    link = element("a", element("b", letter), str(opponent), href=f"#s{section.number}p{opponent}", aria_label=words)
    return element("td", link, class_="c rd", role="cell")


def _numbers(answer: Answer | None, key: str, *, more: bool) -> list[Markup]:
    css = " more" if more else ""
    if answer is None:
        empty = element("span", "not rated", class_="hang soft")
        return [
            element("td", empty, class_=f"r pre{css}", role="cell"),
            element("td", class_=f"r chg{css}", role="cell"),
        ]
    values, new = answer.values, answer.prior is None or answer.values.get("initialized")
    before = "new" if new else join(whole(answer.prior or 0), _provisional(values.get("prior_games")))
    after = join(whole(answer.published or 0), _provisional(values.get("post_games")))
    link = element(
        "button",
        element("b", after, class_="hang"),
        type="button",
        class_="link why",
        data_why=f"{answer.section} {answer.number} {answer.pool}",
        aria_controls="why",
    )
    unit = element("span", f"{pool(key)} ", class_="unit") if key else ""
    shown = element("td", unit, element("span", before, class_="hang"), "→ ", link, class_=f"r pre{css}", role="cell")
    return [shown, element("td", "" if new else change(_change(answer)), class_=f"r chg{css}", role="cell")]


def _provisional(games: int | None) -> Markup | str:
    if games is None or not is_provisional(games):
        return ""
    return element("span", f"P{games}", class_="p", title=f"provisional, based on {count(games, 'game')}")


def change(value: float) -> Markup:
    """Write ▲ +31 or ▼ −31: sign and shape, never colour alone."""
    number = round(value)
    if number == 0:
        return element("span", "±0", class_="soft nb")
    side, arrow = ("up", "▲") if number > 0 else ("down", "▼")
    return element("span", f"{arrow} {signed(number)}", class_=f"{side} nb")


# What a person may say, and files to save


def said(work: RatedFile) -> dict[str, str]:
    """Return what the event says of itself, for the form that completes it."""
    event = work.event
    if event is None:
        return {}
    controls = [section.time_control for section in event.sections if section.time_control]
    return {
        "name": event.name,
        "start": event.start.isoformat() if event.start else "",
        "end": event.end.isoformat() if event.end else "",
        "time_control": controls[0] if controls else "",
        "mode": event.sections[0].mode if event.sections else "",
        "city": event.city,
        "state": event.state,
        "affiliate": event.affiliate,
        "chief_td": event.chief_td,
    }


def formats_to_write() -> list[dict[str, str]]:
    """Return the formats in which an event can be saved."""
    return [
        {"name": one.name, "title": one.title[0].upper() + one.title[1:], "suffix": one.suffixes[0]}
        for one in registry.each()
        if one.writes
    ]


def pools() -> list[dict[str, str]]:
    """Return the pools of ratings that a file may carry."""
    return [{"key": one.key, "title": one.title} for one in POOLS]
