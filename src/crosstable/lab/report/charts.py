"""Charts of a report: Vega-Lite through Altair, drawn as SVG by vl-convert. Nothing comes from the network."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import as_file, files
from textwrap import wrap
from typing import Any

import polars as pl

INK, SOFT, LINE, ACCENT = "#1c1b18", "#5b564b", "#ddd7c9", "#1b4d89"
#: One accent, then greys and a few quiet colours that colour-blind readers can tell apart
COLOURS = (ACCENT, "#b0541c", "#5b564b", "#3a7d5c", "#8a6bb1", "#a8a091", "#c39a2d", "#86b3d1")
#: And a stroke of its own: where lines coincide, the one below shows through the gaps of the one above
STROKES = ([1, 0], [7, 5], [2, 4], [9, 3, 2, 3])
WIDTH, HEIGHT = 360, 250
#: The last label of the axis below is centred on the right edge, and Vega leaves no room for its second half
PADDING = {"left": 6, "top": 6, "right": 32, "bottom": 6}
#: How many letters of a legend stand side by side, and how many years' names under an axis
LETTERS, YEARS = 48, 8


#: Measured with the font that the page embeds, so that nothing is cut off; a reader without it gets the next one
FONT, FONTS = "Inter", "Inter, system-ui, sans-serif"


@cache
def _converter() -> Any:
    """vl-convert with our font; of a list of fonts it would measure the wrong one."""
    import vl_convert

    with as_file(files("crosstable.lab.report") / "fonts") as folder:
        vl_convert.register_font_directory(str(folder))
    return vl_convert


def svg(chart: Any) -> str:
    config = {
        "background": None,
        "font": FONT,
        "padding": PADDING,
        "view": {"stroke": None},
        "axis": {
            "labelColor": SOFT,
            "titleColor": SOFT,
            "domainColor": INK,
            "tickColor": LINE,
            "gridColor": LINE,
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": 400,
            "labelFlush": False,
            "labelOverlap": True,
            "labelSeparation": 8,
        },
        "legend": {
            "labelColor": INK,
            "title": None,
            "orient": "bottom",
            "labelFontSize": 12,
            "symbolStrokeWidth": 3,
            "symbolSize": 600,
            "labelLimit": 0,
        },
        "title": {"anchor": "start", "fontSize": 14, "fontWeight": 600, "color": INK},
        "range": {"category": list(COLOURS)},
    }
    spec = chart.to_dict() | {"config": config}
    drawn = str(_converter().vegalite_to_svg(spec, show_warnings=False))
    return drawn.replace(f'font-family="{FONT}"', f'font-family="{FONTS}"')


def title_lines(title: str) -> list[str]:
    """Return a title in lines that are no wider than the chart."""
    return wrap(title, LETTERS) or [""]


def _data(frame: pl.DataFrame) -> Any:
    return _values(frame.to_dicts())


def _values(rows: Sequence[dict[str, Any]]) -> Any:
    import altair as alt

    return alt.Data(values=list(rows))  # type: ignore[no-untyped-call]  # Altair's own classes have no types


def _colour(names: Sequence[str]) -> Any:
    import altair as alt

    return alt.Color("system:N", sort=list(names), scale=_each(names, COLOURS), legend=_legend(names))


def _stroke(names: Sequence[str]) -> Any:
    import altair as alt

    return alt.StrokeDash("system:N", sort=list(names), scale=_each(names, STROKES), legend=_legend(names))


def _each(names: Sequence[str], looks: Sequence[Any]) -> Any:
    import altair as alt

    return alt.Scale(domain=list(names), range=[looks[place % len(looks)] for place in range(len(names))])


def _legend(names: Sequence[str]) -> Any:
    """As many columns as its longest name leaves room for."""
    import altair as alt

    longest = max(map(len, names), default=1)
    return alt.Legend(columns=max(1, min(4, LETTERS // max(longest, 1))), symbolType="stroke")


def years_under(frame: pl.DataFrame) -> list[int]:
    """Return the years to name under an axis: each once, every second or third of many."""
    first, last = int(frame["year"].min() or 0), int(frame["year"].max() or 0)  # type: ignore[arg-type]  # untyped
    return list(range(first, last + 1, 1 + (last - first) // YEARS))


def lines(
    frame: pl.DataFrame, x: str, y: str, names: Sequence[str], title: str, *, across: str, up: str, zero: bool = False
) -> str:
    """Return a line for each `system` of the frame."""
    import altair as alt

    whole = alt.Scale(zero=False, nice=False, padding=8)
    if x == "year":
        column = alt.X("year:Q", title=across, axis=alt.Axis(format="d", values=years_under(frame)), scale=whole)
    elif x == "month":
        column = alt.X("month:T", title=across, axis=alt.Axis(format="%b %Y", tickCount=6))
    else:
        column = alt.X(f"{x}:Q", title=across, scale=alt.Scale(zero=False))
    # in the order of the names, so that the first line lies at the bottom and is the whole one
    frame = frame.sort(
        pl.col("system").replace_strict({name: place for place, name in enumerate(names)}, default=None), x
    )
    base = alt.Chart(_data(frame)).encode(
        x=column, y=alt.Y(f"{y}:Q", title=up, scale=alt.Scale(zero=zero)), color=_colour(names)
    )
    drawn = base.mark_line(strokeWidth=2).encode(strokeDash=_stroke(names)) + base.mark_point(filled=True, size=20)
    return svg(drawn.properties(width=WIDTH, height=HEIGHT, title=title_lines(title)))


def calibration(frame: pl.DataFrame, names: Sequence[str]) -> str:
    """Return what favourites scored against what was expected of them;
    on the grey line a predictor means what it says.
    """
    import altair as alt

    truth = alt.Chart(_values([{"e": 0.5, "s": 0.5}, {"e": 1.0, "s": 1.0}])).mark_line(color=SOFT, strokeDash=[4, 4])
    truth = truth.encode(x="e:Q", y=alt.Y("s:Q", scale=alt.Scale(zero=False)))
    base = alt.Chart(_data(frame)).encode(
        x=alt.X("expected:Q", title="expected score of the favourite", scale=alt.Scale(domain=[0.5, 1])),
        color=_colour(names),
    )
    span = alt.Scale(zero=False)
    y = alt.Y("score:Q", title="what the favourite scored", scale=span)
    points = base.mark_line(strokeWidth=1.5, point=True).encode(y=y)
    bars = base.mark_rule().encode(y=alt.Y("low:Q", scale=span), y2="high:Q")
    return svg((truth + bars + points).properties(width=WIDTH, height=HEIGHT, title="Calibration"))


def ranking(frame: pl.DataFrame, title: str, up: str) -> str:
    """One dot a system, the best on top."""
    import altair as alt

    chart = alt.Chart(_data(frame)).mark_point(filled=True, size=70, color=ACCENT)
    chart = chart.encode(
        x=alt.X("deviance:Q", title=up, scale=alt.Scale(zero=False)),
        y=alt.Y(
            "system:N",
            sort=alt.EncodingSortField("deviance"),
            title=None,
            axis=alt.Axis(labelLimit=0, labelOverlap=False),
        ),
    )
    return svg(chart.properties(width=WIDTH, height=24 * len(frame) + 10, title=title_lines(title)))


def intervals(frame: pl.DataFrame, title: str, up: str) -> str:
    """Return a difference and its interval for each `name`."""
    import altair as alt

    names = alt.Axis(labelLimit=0, labelOverlap=False)
    base = alt.Chart(_data(frame)).encode(y=alt.Y("name:N", sort=None, title=None, axis=names))
    bars = base.mark_rule(color=ACCENT, strokeWidth=2).encode(x=alt.X("low:Q", title=up), x2="high:Q")
    dots = base.mark_point(filled=True, size=50, color=ACCENT).encode(x="difference:Q")
    nought = alt.Chart(_values([{"x": 0}])).mark_rule(color=INK).encode(x="x:Q")
    return svg((nought + bars + dots).properties(width=WIDTH, height=22 * len(frame) + 10, title=title_lines(title)))
