"""Time controls as directors really type them: `G/60;d5`, `40/90,SD/30;d5`, `GAME/30`, `30/90 SD/1`, also per round.

Only the reading is here; what a section is rated in follows from the rules of its date (`classification`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from crosstable.errors import UnknownTimeControl

#: Longer than any real one (the longest of 90,614 published sections has under 1,000 characters).
LONGEST = 4000


@dataclass(frozen=True, slots=True)
class TimeControl:
    """One round's time: mm, the minutes of all controls added, and ss, the delay or increment (2025 §1, footnote 1)."""

    minutes: float
    seconds: float
    first_control_minutes: float
    text: str  # as typed

    @property
    def total(self) -> float:
        """mm + ss, as the documents add them: a second of delay counts as a minute."""
        return self.minutes + self.seconds


@dataclass(frozen=True, slots=True)
class _Stage:
    amount: float
    hours: bool
    sudden_death: bool
    game: bool  # spelt G/ or GAME/: never a later control of a `G/…`, so a second one is another round's


_HOURS = r"(?:H(?:OU)?RS?|H)\b"
_MINUTES = r"(?:MINUTES?|MINS?|M)\b\.?|'"
_SECONDS = r"(?:SECONDS?|SECS?|S)\b\.?|\"|''"
_DELAY = r"(?:DELAY|DEL|INC[A-Z]*|TD|T/D|D|T)\b\.?"
_SUDDEN = r"/?(?:SD|S/D|S\.D\.|SUDDEN DEATH|ALL|REST|REMAINING MOVES|REMAINING)"
_GAME = r"(?:GAMES?|GAM|G)"
_LINK = r"\s*+(?:IN\s++)?[/\-.,:]*+\s*+\.?"


def _number(name: str) -> str:
    return rf"(?P<{name}>\d{{1,4}}(?:\.\d{{1,4}})?)\.?"


def _time(kind: str) -> str:
    return rf"{_number(kind + '_minutes')}\s*(?P<{kind}_hours>{_HOURS})?(?:{_MINUTES})?"


#: Tried in this order at each place: the first that fits wins.
_TOKENS = [
    ("delay", rf"(?:DELAY|DEL|INC(?:REMENT)?|TD|T/D|D|T)\s*+[/\-=.]?+\s*+{_number('delay_after')}\s*(?:{_SECONDS})?"),
    # 1:30 and 1h30 are hours and minutes where they stand alone; G/1:30 is a minute and a half
    (
        "long",
        r"(?P<long_hours>\d)"
        r"(?::(?P<long_minutes>[0-5]\d)(?::00)?(?=\s*(?:$|[+,;|]|PLUS\b))|\s?H\s?(?P<h_minutes>[0-5]\d))",
    ),
    ("minute_increment", rf"\+?\s*{_number('increment_minutes')}\s*(?:{_MINUTES})\s*(?:INC[A-Z]*)\b\.?"),
    ("seconds", rf"\+?\s*{_number('delay_before')}\s*/?(?:(?:{_SECONDS})\s*/?\s*(?:{_DELAY})?|(?:{_DELAY}))"),
    # 90 min/40 moves, 100 min/40 + 50 min/20: FIDE's way to write 40/90
    (
        "per_moves",
        rf"\+?\s*{_number('per_moves_minutes')}\s*(?:{_MINUTES})\s*(?:/|FOR\b|IN\b)\s*\d{{1,3}}"
        rf"(?:\s*MOVES?\b|(?=\s*(?:\+|,|;|THEN\b)\s*\d+\s*(?:{_MINUTES})))",
    ),
    ("moves", rf"(?:{_GAME}[\s/]*)?\d{{1,3}}\s*(?:/|\bIN\b)\s*\.?{_time('moves')}"),
    ("clock", rf"{_GAME}{_LINK}(?P<clock_minutes>\d{{1,3}}):(?P<clock_seconds>[0-5]\d)\b"),
    ("game", rf"{_GAME}{_LINK}{_time('game')}"),
    ("sudden", rf"{_SUDDEN}{_LINK}{_time('sudden')}"),
    ("after", rf"(?:/|\+)\s*{_number('after_minutes')}\s*(?:{_MINUTES})(?:\s*+/?\s*+GAME)?"),
    ("plus", rf"[+|]\s*{_number('plus_seconds')}"),
    ("rest", rf"/\s*{_number('rest_minutes')}"),  # 40/90/30
    ("bare", rf"{_time('bare')}(?:\s*+SD\b)?(?:\s*+/?\s*+GAME\b)?"),
]
_TOKEN = re.compile("|".join(f"(?P<{name}>{pattern})(?!\\d)" for name, pattern in _TOKENS))
_FILLER = re.compile(
    r"(?:[\s,;&.:()\-]|\+(?=\s*/?[GSAR])|/(?=\s*G)|(?:THEN|AND|WITH|OR|PLUS|ADD)\b|W/"
    r"|/?\s*(?:PER\s+)?MOVES?\b|FROM (?:THE )?(?:FIRST |1ST )?MOVE\b(?:\s*(?:ONE|1)\b)?|ALL MOVES IN\b|A\b|OF\b"
    r"|(?:PER|FOR) (?:PLAYER|SIDE|EACH|GAME)S?\b|EACH\b|STARTING\b)+"
)
_ROUND = re.compile(
    r"(?:SCHEDULE\s*\d+,?\s*)?\b(?:ROUNDS?|RNDS?|RDS?|R)\.?\s*\d+(?:\s*(?:-|TO|THRU|&)\s*\d+)*\s*[:,]?", re.IGNORECASE
)


def parse(text: str) -> tuple[TimeControl, ...]:
    """Return the distinct time controls of a section's rounds, in the order typed; in the normal case one.

    >>> [(c.minutes, c.seconds) for c in parse("30/90 SD/1; d5")]
    [(150.0, 5.0)]
    """
    if len(text) > LONGEST:
        raise UnknownTimeControl(f"{text[:40]}…: {len(text)} characters are not a time control")
    before, *rounds = _ROUND.split(text)
    if not rounds:
        rounds = [before]
    elif before.strip(" ,;"):
        raise UnknownTimeControl(text)
    controls: dict[tuple[float, float, float], TimeControl] = {}
    for part in rounds:
        for control in _round_controls(part.strip(" ,;\t\r\n"), text):
            controls.setdefault((control.minutes, control.seconds, control.first_control_minutes), control)
    return tuple(controls.values())


def _round_controls(part: str, whole: str) -> Iterator[TimeControl]:
    """Usually one; `G/75, G/90` and `G/120 OR G/90;+30` name two."""
    groups: list[tuple[list[_Stage], list[float]]] = []
    for token in _tokens(part, whole):
        if isinstance(token, float):
            if not groups:
                raise UnknownTimeControl(whole)
            groups[-1][1].append(token)
        elif not groups or _starts_another(groups[-1][0], token):
            groups.append(([token], []))
        else:
            groups[-1][0].append(token)
    if not groups:
        raise UnknownTimeControl(whole)
    several = sum(len(stages) for stages, _ in groups) > 1
    for stages, delays in groups:
        if len(set(delays)) > 1:  # "differing settings are not accepted"
            raise UnknownTimeControl(f"{whole}: two different delays")
        minutes = [_minutes(stage, several) for stage in stages]
        yield TimeControl(sum(minutes), delays[0] if delays else 0.0, minutes[0], part)


def _starts_another(stages: list[_Stage], token: _Stage) -> bool:
    """After a sudden death only another control can follow; `G/75 SD/30` is so common that it reads as 75 + 30."""
    ended = stages[-1].sudden_death
    return ended and not (stages[-1].game and not token.game and token.sudden_death)


def _minutes(stage: _Stage, several: bool) -> float:
    """1 or 2 in a control of several stages, or for a number of moves, means hours: `40/2, SD/1` is 180 minutes."""
    hours = stage.hours or (stage.amount in (1, 2) and (several or not stage.sudden_death))
    return stage.amount * 60 if hours else stage.amount


def _tokens(part: str, whole: str) -> Iterator[_Stage | float]:
    text, place = part.upper(), 0
    before: list[str] = []  # the kinds of the tokens so far
    while place < len(text):
        if filler := _FILLER.match(text, place):
            place = filler.end()
            continue
        token = _TOKEN.match(text, place)
        if token is None:
            raise UnknownTimeControl(whole)
        kind, place = _kind(token), token.end()
        if kind == "bare" and before:
            yield _second_number(token, before, whole)
        else:
            yield _meaning(token)
        before.append(kind)


def _second_number(token: re.Match[str], before: list[str], whole: str) -> _Stage | float:
    """Return a number alone behind others: the rest of the game in `40/120, 60`, the increment in `90 30`."""
    amount = float(token["bare_minutes"])
    if before[-1] in ("moves", "per_moves"):
        return _Stage(amount, token["bare_hours"] is not None, True, False)
    if before == ["bare"] and re.fullmatch(r"\s*\d+ +\d+\s*", whole):
        return amount
    raise UnknownTimeControl(whole)


def _kind(token: re.Match[str]) -> str:
    return next(name for name, _ in _TOKENS if token.group(name) is not None)


def _meaning(token: re.Match[str]) -> _Stage | float:
    """Return a stage, or the seconds of a delay or increment."""
    kind, found = _kind(token), token.groupdict()
    match kind:
        case "delay":
            return float(found["delay_after"])
        case "seconds":
            return float(found["delay_before"])
        case "plus":
            return float(found["plus_seconds"])
        case "minute_increment":
            return float(found["increment_minutes"]) * 60
        case "long":
            return _Stage(
                60 * int(found["long_hours"]) + int(found["long_minutes"] or found["h_minutes"]), False, True, True
            )
        case "clock":
            return _Stage(int(found["clock_minutes"]) + int(found["clock_seconds"]) / 60, False, True, True)
        case "per_moves":
            return _Stage(float(found["per_moves_minutes"]), False, False, False)
        case "after" | "rest":
            return _Stage(float(found[f"{kind}_minutes"]), False, True, False)
    hours = found[f"{kind}_hours"] is not None
    return _Stage(float(found[f"{kind}_minutes"]), hours, kind != "moves", kind in ("game", "bare"))
