"""HTML that cannot be broken by a name: text is escaped, and only what was made here is taken as it is."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


class Markup(str):
    """HTML that is already safe."""

    __slots__ = ()


Child = str | int | float | None | Iterable["Child"]

#: Elements without an end
_EMPTY = frozenset({"br", "input", "progress-bar"})


def element(name: str, /, *children: Child, **attributes: str | int | bool | None) -> Markup:
    """Make an element. `class_` and `for_` are written without the underscore, `aria_label` with a hyphen.

    >>> element("td", "1 < 2", class_="r")
    '<td class="r">1 &lt; 2</td>'
    """
    shown = "".join(_attribute(key, value) for key, value in attributes.items() if value not in (None, False))
    if name in _EMPTY:
        return Markup(f"<{name}{shown}>")
    return Markup(f"<{name}{shown}>{join(*children)}</{name}>")


def join(*children: Child) -> Markup:
    """Put pieces one after another; text among them is escaped."""
    return Markup("".join(_text(child) for child in children))


def _text(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Markup):
        return child
    if isinstance(child, str | int | float):
        return escape(str(child))
    return "".join(_text(one) for one in child)


def _attribute(key: str, value: str | int | bool | None) -> str:
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(str(value))}"'
