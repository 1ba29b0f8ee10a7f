"""No function over a screen, no module over 450 lines: what grows past that is split where the domain splits.

Compiled code is apart: formulas (`@formula`) take what the documents name, one number each, and kernels keep a loop in one piece.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "crosstable"
LINES, PARAMETERS, MODULE = 45, 8, 450

#: A module that must be longer says why in a comment that begins so.
REASON = "# Long because"

#: What was over the limit when the limit came. This list only gets shorter: split one and take it off.
LONG_FUNCTIONS = {
    "formats/swisssys.py _section",
    "replay/aga.py _tournament",
    "systems/aga/explain.py explain",
    "systems/fide/system.py _step",
}
LONG_MODULES = {
    "formats/grid.py",
    "formats/text_crosstable.py",
    "formats/trf.py",
    "formats/us_chess_report.py",
}


def modules() -> Iterator[tuple[str, str]]:
    for path in sorted(SOURCE.rglob("*.py")):
        if "migrations" not in path.parts:  # Django writes those
            yield path.relative_to(SOURCE).as_posix(), path.read_text(encoding="utf-8")


def functions(text: str) -> Iterator[tuple[str, int, int]]:
    """Each function that is not compiled: its name, lines and parameters (self and cls apart)."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if any(isinstance(mark, ast.Name) and mark.id == "formula" for mark in node.decorator_list):
            continue
        arguments = node.args
        named = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        count = len(named) - (named[:1] in (["self"], ["cls"])) + bool(arguments.vararg) + bool(arguments.kwarg)
        yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1, count


def test_functions_fit_a_screen() -> None:
    found = {
        f"{module} {name}": f"{lines} lines, {parameters} parameters"
        for module, text in modules()
        for name, lines, parameters in functions(text)
        if lines > LINES or parameters > PARAMETERS
    }
    new = [f"{where}: {size}" for where, size in found.items() if where not in LONG_FUNCTIONS]
    assert not new, f"more than {LINES} lines or {PARAMETERS} parameters; split these:\n" + "\n".join(new)
    assert LONG_FUNCTIONS - set(found) == set(), "well done: take these off LONG_FUNCTIONS"


def test_modules_are_small() -> None:
    found = {
        module: len(text.splitlines())
        for module, text in modules()
        if len(text.splitlines()) > MODULE and REASON not in text
    }
    new = [f"{where}: {lines} lines" for where, lines in found.items() if where not in LONG_MODULES]
    assert not new, f"more than {MODULE} lines; split these, or say why in a comment '{REASON} …':\n" + "\n".join(new)
    assert LONG_MODULES - set(found) == set(), "well done: take these off LONG_MODULES"
