"""Charts as drawings of the server: where lines, points and labels go. Templates print them as SVG, with classes only.

Each chart is drawn twice, for wide pages and for phones, so that its words stay readable.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from crosstable.federations.current import current
from crosstable.office.players.profiles import DecidedLine
from crosstable.office.queries.history import Played
from crosstable.office.queries.player import PlayerPage, PoolPage
from crosstable.office.queries.ratings import Shown
from crosstable.office.queries.words import day, short_day
from crosstable.office.queries.words import pool as pool_name
from crosstable.web import addresses
from crosstable.words.dates import short_month
from crosstable.words.language import _
from crosstable.words.numbers import MINUS, decimal, plain
from crosstable.words.phrases import rating_text

#: What the lines go through
Point = Played | DecidedLine


@dataclass(frozen=True, slots=True)
class Label:
    x: float
    y: float
    text: str
    css: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """One SVG."""

    css: str
    width: int
    height: int
    left: float
    right: float
    base: float
    grid: tuple[tuple[float, str], ...]  # height and label
    years: tuple[tuple[float, str], ...]
    paths: tuple[tuple[str, str], ...]  # class and d
    circles: SafeString  # printed here: a busy player has a thousand, and a template takes its time over each
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    words: str  # the whole chart in a sentence
    drawings: tuple[Drawing, ...]
    data: str  # for uPlot
    main: str
    others: tuple[str, ...]
    lists_since: date | None
    band: bool  # of the deviation


def player(page: PlayerPage) -> Chart | None:
    main = page.main.pool if page.main else ""
    return _chart(_ending(page.played, page.set_since), page.listed.get(main, ()), main)


def pool(page: PoolPage) -> Chart | None:
    return _chart(_ending(tuple(reversed(page.played)), page.set_since), tuple(reversed(page.listed)), page.pool)


def _ending(played: Sequence[Played], since: DecidedLine | None) -> Sequence[Point]:
    """Return the line of the live rating, which ends where a decision has set it after the last event."""
    return played if since is None else (*played, since)


def _chart(played: Sequence[Point], listed: Sequence[Shown], main: str) -> Chart | None:
    shown = [one for one in played if one.after is not None]
    own = [one for one in shown if one.pool == main]
    if len(own) < 2:
        return None
    official = [(one.date, one.rating) for one in listed if one.date and one.rating is not None]
    others = tuple(dict.fromkeys(one.pool for one in shown if one.pool != main))
    told = [(one, escape(_words(one))) for one in sorted(shown, key=lambda one: one.pool == main)]
    drawings = tuple(
        _Draft(shown, official, main, *size).drawing(told) for size in (("broad", 1000, 400), ("narrow", 358, 290))
    )
    return Chart(
        words=_sentence(own, official, main),
        drawings=drawings,
        data=_data(shown, official, main),
        main=main,
        others=others,
        lists_since=official[0][0] if official else None,
        band=bool(_band(own)),
    )


def _band(own: Sequence[Point]) -> list[tuple[date, float, float]]:
    """Return how sure the rating was after each event: the day, the rating less its deviation, and with it added."""
    return [
        (one.date, one.after - one.spread, one.after + one.spread)
        for one in own
        if isinstance(one, Played) and one.after is not None and one.spread is not None
    ]


def _words(one: Point) -> str:
    before = f"{rating_text(one.before)} → " if one.before is not None else ""
    return f"{one.name}, {short_day(one.date)}: {pool_name(one.pool)} {before}{rating_text(one.after or 0)}"


def _sentence(own: Sequence[Point], official: Sequence[tuple[date, float]], main: str) -> str:
    high = max(own, key=lambda one: one.after or 0)
    words = _(
        "{pool} rating from {first} on {first_day} to {last} on {last_day}, with a high of {high} on {high_day}."
    ).format(
        pool=pool_name(main),
        first=rating_text(own[0].after or 0),
        first_day=day(own[0].date),
        last=rating_text(own[-1].after or 0),
        last_day=day(own[-1].date),
        high=rating_text(high.after or 0),
        high_day=day(high.date),
    )
    return f"{words} {_('The official rating follows on the first of each month.')}" if official else words


class _Draft:
    """A drawing on its way: scales first, then everything by them."""

    def __init__(
        self,
        shown: Sequence[Point],
        official: Sequence[tuple[date, float]],
        main: str,
        css: str,
        width: int,
        height: int,
    ) -> None:
        self.shown, self.official, self.main = shown, official, main
        self.css, self.width, self.height = css, width, height
        self.wide = css == "broad"
        self.left, self.right = (48.0, width - 178.0) if self.wide else (40.0, width - 66.0)
        self.top, self.base = 16.0, height - 27.0
        self.band = _band(self._of(main))
        ratings = [one.after or 0.0 for one in shown] + [rating for _, rating in official]
        ratings += [edge for _, low, high in self.band for edge in (low, high)]
        self.step = _step(max(ratings) - min(ratings), 6 if self.wide else 4)
        self.low, self.high = min(ratings) - self.step * 0.4, max(ratings) + self.step * 0.3
        self.first = shown[0].date - timedelta(days=30)
        self.last = max([one.date for one in shown] + [when for when, _ in official]) + timedelta(days=10)

    def x(self, when: date) -> float:
        return round(self.left + (when - self.first).days / (self.last - self.first).days * (self.right - self.left), 1)

    def y(self, rating: float) -> float:
        return round(self.base - (rating - self.low) / (self.high - self.low) * (self.base - self.top), 1)

    def drawing(self, told: Iterable[tuple[Point, str]]) -> Drawing:
        """`told`: the events with their words as a page may print them; what comes later lies on top."""
        start = int(self.low // self.step + 1) * self.step
        grid = tuple((self.y(level), _level(level)) for level in _range(start, self.high, self.step))
        return Drawing(
            css=self.css,
            width=self.width,
            height=self.height,
            left=self.left,
            right=self.right,
            base=self.base,
            grid=grid,
            years=tuple(self._marks()),
            paths=tuple(self._paths()),
            circles=mark_safe("".join(self._circles(told))),  # noqa: S308  what people typed is in `told`, escaped
            labels=tuple(self._labels()),
        )

    def _marks(self) -> Iterable[tuple[float, str]]:
        """Yield where years begin; of a history within one year, where months do."""
        gap = max(1, -(-(self.last.year - self.first.year + 1) // (8 if self.wide else 4)))
        years = range(self.first.year + 1, self.last.year + 1, gap)
        for year in years:
            yield self.x(date(year, 1, 1)), str(year)
        if not years:
            months = range(self.first.month + 1, self.last.month + 1)
            for month in months[:: max(1, -(-len(months) // (8 if self.wide else 4)))]:
                begins = date(self.last.year, month, 1)
                yield self.x(begins), short_month(begins)

    def _of(self, key: str) -> list[Point]:
        return [one for one in self.shown if one.pool == key]

    def _paths(self) -> Iterable[tuple[str, str]]:
        if self.band:
            upper = [(self.x(when), self.y(high)) for when, _, high in self.band]
            lower = [(self.x(when), self.y(low)) for when, low, _ in reversed(self.band)]
            yield "washed", f"{_line([*upper, *lower])}Z"
        for key in dict.fromkeys(one.pool for one in self.shown if one.pool != self.main):
            yield "other", _line((self.x(one.date), self.y(one.after or 0)) for one in self._of(key))
        if self.official:
            yield "list", self._steps()
        yield "live", _line((self.x(one.date), self.y(one.after or 0)) for one in self._of(self.main))

    def _steps(self) -> str:
        (day0, rating0), *later = self.official
        moves = [f"M{self.x(day0)} {self.y(rating0)}"]
        for when, rating in later:
            moves.append(f"H{self.x(when)}V{self.y(rating)}")
        return "".join(moves) + f"H{self.x(self.last)}"

    def _circles(self, told: Iterable[tuple[Point, str]]) -> Iterable[str]:
        """Yield a circle for each event; its words come up under the pointer."""
        own = 4.5 if self.wide else 4.0
        for one, words in told:
            css, size = ("dot", own) if one.pool == self.main else ("ring", 3.0)
            place = f'cx="{self.x(one.date)}" cy="{self.y(one.after or 0)}"'
            yield f'<circle class="{css}" {place} r="{size}"><title>{words}</title></circle>'

    def _labels(self) -> Iterable[Label]:
        """Yield the last number of each line beside its end, none over another."""
        ends = [
            (self._of(key)[-1].after or 0.0, pool_name(key), "")
            for key in dict.fromkeys(one.pool for one in self.shown)
            if key != self.main
        ]
        ends.append((self._of(self.main)[-1].after or 0.0, _("Live"), "acc"))
        if self.official:
            ends.append((self.official[-1][1], _("Official"), "ink"))
        room, lines = (18.0, 1) if self.wide else (32.0, 2)
        if not self.wide:
            ends = [end for end in ends if end[2]] or ends[:1]
        lowest = -1e9
        for rating, name, css in sorted(ends, key=lambda end: (-end[0], end[2] != "ink")):
            y = max(self.y(rating) + 4.5, lowest + room)
            lowest = y
            if lines == 1:
                yield Label(self.right + 12, y, f"{name} {rating_text(rating)}", css)
            else:
                yield Label(self.right + 10, y - 7, name, css)
                yield Label(self.right + 10, y + 8, rating_text(rating), css)


def _line(points: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x} {y}" for x, y in points)


def _range(start: float, end: float, step: float) -> Iterable[float]:
    level = start
    while level <= end:
        yield level
        level += step


def _level(level: float) -> str:
    return decimal(f"{level:g}").replace("-", MINUS)


def _step(span: float, lines: int) -> float:
    small: tuple[float, ...] = (0.1, 0.2, 0.5, 1, 2, 5) if current().shows.decimals else ()
    nice: tuple[float, ...] = (*small, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 5000)
    return next(step for step in nice if span / step <= lines)


def _data(shown: Sequence[Point], official: Sequence[tuple[date, float]], main: str) -> str:
    """Columns for uPlot: times, one column for each pool, the official list last; and what each point is."""
    days = sorted({one.date for one in shown} | {when for when, _ in official})
    places = {when: place for place, when in enumerate(days)}
    keys = list(dict.fromkeys([main, *(one.pool for one in shown)]))
    columns: list[list[float | None]] = [[None] * len(days) for _ in (*keys, "list")]
    notes: dict[str, list[str]] = {}
    for one in shown:
        place = places[one.date]
        columns[keys.index(one.pool)][place] = one.after
        page = addresses.derivation(one) if isinstance(one, Played) else ""
        notes[f"{keys.index(one.pool) + 1}:{place}"] = [one.name, page]
    steps = dict(official)
    columns[-1] = [steps.get(when) for when in days]
    edges: list[list[float | None]] = [[None] * len(days), [None] * len(days)]  # upper and lower
    for when, low, high in _band([one for one in shown if one.pool == main]):
        edges[0][places[when]], edges[1][places[when]] = high, low
    seconds = [(when - date(1970, 1, 1)).days * 86400 for when in days]
    said = {
        "live": _("Live"),
        "official": _("Official"),
        "hint": _("Drag to zoom in, double-click to zoom out. Press a point to see its calculation."),
    }
    return json.dumps(
        {
            "days": seconds,
            "columns": columns,
            "band": edges if any(one is not None for one in edges[0]) else [],
            "names": [pool_name(key) for key in keys],
            "notes": notes,
            "decimals": current().shows.decimals,
            "words": said,
        }
    )


@dataclass(frozen=True, slots=True)
class Steps:
    """A rule's number through the years: a box for each value."""

    css: str
    width: int
    height: int
    boxes: tuple[tuple[str, float, float, float, float], ...]  # class, x, y, width, height
    labels: tuple[Label, ...]
    line: str
    years: tuple[tuple[float, str], ...]
    words: str


def steps(values: Sequence[tuple[date, float]], today: date) -> tuple[Steps, ...]:
    """For a wide page and for a phone; nothing where there is no one number to draw."""
    if len(values) < 2:
        return ()
    return tuple(_steps(values, today, *size) for size in (("broad", 1000, 300), ("narrow", 358, 230)))


def _steps(values: Sequence[tuple[date, float]], today: date, css: str, width: int, height: int) -> Steps:
    first, last = values[0][0], max(today, values[-1][0] + timedelta(days=200))
    base, highest = height - 26.0, max(value for _, value in values)

    def x(when: date) -> float:
        return round((when - first).days / (last - first).days * (width - 2), 1)

    boxes, labels = [], []
    line: list[str] = []
    ends = [when for when, _ in values[1:]] + [last]
    for place, ((since, value), until) in enumerate(zip(values, ends, strict=True)):
        y, now = round(base - value / highest * (base - 26), 1), place == len(values) - 1
        boxes.append(("fill" if now else "washed", x(since), y, round(x(until) - x(since), 1), round(base - y, 1)))
        labels.append(Label((x(since) + x(until)) / 2, y - 8, f"{value:g}", "acc" if now else "ink"))
        line.append(f"{'V' if line else f'M{x(since)} '}{y}H{x(until)}")
    gap = max(1, -(-(last.year - first.year) // (8 if width > 500 else 4)))
    begin = first.year + (1 if width > 500 else gap)  # on a phone a year at the edge would be cut off
    years = tuple((x(date(year, 1, 1)), str(year)) for year in range(begin, last.year + 1, gap))
    each = _("{value} from {day}")
    found = ", ".join(each.format(value=plain(value), day=day(since)) for since, value in values)
    words = _("By date: {values}.").format(values=found)
    return Steps(
        css=css,
        width=width,
        height=height,
        boxes=tuple(boxes),
        labels=tuple(labels),
        line="".join(line),
        years=years,
        words=words,
    )
