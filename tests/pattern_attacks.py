"""Regular expressions of the package, how each is used, and texts on which a bad one takes longer than it should."""

from __future__ import annotations

import ast
import importlib
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]  # of the library's own parser, without stubs
from re import _parser as parser  # type: ignore[attr-defined]  # of the library itself, without stubs
from typing import Any

import crosstable

ROOT = Path(crosstable.__file__).parent
METHODS = ("match", "search", "sub", "subn", "split", "findall", "finditer", "fullmatch")
#: From the start of the text only; all others try every place
ANCHORED = frozenset({"match", "fullmatch"})
REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
#: Letters that many patterns have in classes
USUAL = ("a", "A", "1", "0", " ", "-", ".", ",", ":", "/", "'", "(", "\n", "_")
#: What follows the repeated part, so that a match fails at the end
TAILS = ("", "!", "\x00a!")
#: In small steps first: where each letter doubles the time, a long step would never end
LENGTHS = (14, 18, 24, 32, 44, 64, 96, 160, 512, 2048)
#: A text that takes less than this, in seconds, is not looked at: the clock is not good enough
NOTICED = 0.008


@dataclass(frozen=True, slots=True)
class Used:
    """A pattern where it stands, and how it is tried: `search` at every place of a text, `match` and `fullmatch`
    once.
    """

    where: str
    pattern: re.Pattern[str]
    method: str


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(ROOT.rglob("*.py")):
        if "migrations" not in path.parts and path.name != "__main__.py":
            name = ".".join(("crosstable", *path.relative_to(ROOT).with_suffix("").parts))
            yield name.removesuffix(".__init__"), path


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def calls() -> Iterator[tuple[Path, ast.Call, str]]:
    """Every call of a function of `re`, with the function's name."""
    for _, path in modules():
        yield from ((path, *call) for call in _calls(tree(path)))


def built() -> Iterator[str]:
    """Functions that build a pattern when they run. What a module makes as it is loaded is found in the module."""
    for _, path in modules():
        for function in ast.walk(tree(path)):
            made = _calls(function) if isinstance(function, ast.FunctionDef) else ()
            if isinstance(function, ast.FunctionDef) and any(
                not isinstance(call.args[0], ast.Constant) for call, _ in made
            ):
                yield f"{path.relative_to(ROOT)}:{function.name}"


def _calls(inside: ast.AST) -> Iterator[tuple[ast.Call, str]]:
    for node in ast.walk(inside):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id == "re" and node.func.attr in (*METHODS, "compile"):
                yield node, node.func.attr


def methods_used() -> dict[tuple[str, str], set[str]]:
    """(module, name) → the methods that are called on it there; under the module "" those of all modules together."""
    found: dict[tuple[str, str], set[str]] = {}
    for module, path in modules():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Attribute) and node.attr in METHODS:
                owner = node.value
                name = (
                    owner.id if isinstance(owner, ast.Name) else owner.attr if isinstance(owner, ast.Attribute) else ""
                )
                for where in (module, ""):
                    found.setdefault((where, name), set()).add(node.attr)
    return found


def in_modules() -> Iterator[Used]:
    """Patterns that modules keep, alone or in tables."""
    used = methods_used()
    for name, _ in modules():
        for own, value in vars(importlib.import_module(name)).items():
            called = used.get((name if own.startswith("_") else "", own), set())
            if not isinstance(value, re.Pattern):  # of a table: as a loop over it calls each
                called = used.get((name, "pattern"), set())
            ways = {method if method in ANCHORED else "search" for method in called} or {"search", "fullmatch"}
            for pattern in _patterns(value):
                yield from (Used(f"{name}.{own}", pattern, way) for way in sorted(ways))


def _patterns(value: Any, depth: int = 0) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, bytes):
            value = re.compile(value.pattern.decode("latin-1"), value.flags)
        yield value
    elif depth < 3 and isinstance(value, dict):
        for one in (*value.keys(), *value.values()):
            yield from _patterns(one, depth + 1)
    elif depth < 3 and isinstance(value, tuple | list | set | frozenset):
        for one in value:
            yield from _patterns(one, depth + 1)


def in_calls() -> Iterator[Used]:
    """Literal patterns in calls of functions of `re`."""
    for path, call, function in calls():
        first = call.args[0]
        if function != "compile" and isinstance(first, ast.Constant):
            text = first.value.decode("latin-1") if isinstance(first.value, bytes) else first.value
            flags = re.IGNORECASE if "IGNORECASE" in ast.dump(call) else re.NOFLAG
            flags |= re.MULTILINE if "MULTILINE" in ast.dump(call) else re.NOFLAG
            where = f"{path.relative_to(ROOT)}:{call.lineno}"
            yield Used(where, re.compile(text, flags), function if function in ANCHORED else "search")


def everything() -> list[Used]:
    found: dict[tuple[str, int, str], Used] = {}
    for one in (*in_modules(), *in_calls()):
        found.setdefault((one.pattern.pattern, one.pattern.flags, one.method), one)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Attack:
    before: str
    repeated: str
    after: str

    def text(self, length: int) -> str:
        return self.before + self.repeated * max(1, length // len(self.repeated)) + self.after


def attacks(pattern: re.Pattern[str]) -> Iterator[Attack]:
    """Each repetition of the pattern, driven by its own letters; nothing where none is without a bound."""
    parsed = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    repeats = list(_repeats(parsed, ""))
    letters = dict.fromkeys((*_letters(parsed), *USUAL))
    for before, body in repeats:
        for pump in dict.fromkeys((*filter(None, _samples(body)), *(one for one in letters if _may_fit(body, one)))):
            for tail in TAILS:
                yield Attack(before, pump, tail)


def _may_fit(body: Any, letter: str) -> bool:
    """Whether a repeated part can match the letter; of longer parts that is not looked at."""
    (code, value), *more = body
    if more or code not in (codes.LITERAL, codes.IN):
        return True
    return letter == chr(value) if code is codes.LITERAL else bool(re.fullmatch(_class(value), letter))


def _repeats(parsed: Any, before: str) -> Iterator[tuple[str, Any]]:
    """What may stand before a repetition without a bound, and what it may repeat."""
    sofar = before
    for code, value in parsed:
        if code in REPEATS:
            _, most, inner = value
            if most == codes.MAXREPEAT or most > 50:
                yield sofar, inner
            yield from _repeats(inner, sofar)
        elif code is codes.SUBPATTERN:
            yield from _repeats(value[-1], sofar)
        elif code is codes.BRANCH:
            for one in value[1]:
                yield from _repeats(one, sofar)
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            yield from _repeats(value[1], sofar)
        sofar += next(iter(_samples([(code, value)])), "")


def _samples(parsed: Any) -> list[str]:
    """A few short texts that a part of a pattern matches."""
    found = [""]
    for item in parsed:
        found = [a + b for a in found for b in _sample(*item)][:4]
    return found


def _sample(code: Any, value: Any) -> list[str]:
    if code is codes.LITERAL:
        return [chr(value)]
    if code in REPEATS:
        least, _, inner = value
        return [one * max(1, min(least, 50)) for one in _samples(inner)]
    if code is codes.SUBPATTERN:
        return _samples(value[-1])
    if code is codes.BRANCH:
        return [one for branch in value[1] for one in _samples(branch)[:1]][:4]
    if code is codes.IN:
        return [one for one in USUAL if re.fullmatch(_class(value), one)][:4] or [_first(value)]
    if code is codes.NOT_LITERAL:
        return [one for one in USUAL if one != chr(value)][:2]
    return ["a", " "] if code is codes.ANY else [""]


def _class(items: Any) -> str:
    """A class of letters as it is written."""
    names = {
        codes.CATEGORY_DIGIT: r"\d",
        codes.CATEGORY_SPACE: r"\s",
        codes.CATEGORY_WORD: r"\w",
        codes.CATEGORY_NOT_DIGIT: r"\D",
        codes.CATEGORY_NOT_SPACE: r"\S",
        codes.CATEGORY_NOT_WORD: r"\W",
    }
    parts = ""
    for code, value in items:
        if code is codes.NEGATE:
            parts += "^"
        elif code is codes.LITERAL:
            parts += re.escape(chr(value))
        elif code is codes.RANGE:
            parts += f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
        elif code is codes.CATEGORY:
            parts += names[value]
    return f"[{parts}]"


def _first(items: Any) -> str:
    code, value = items[0]
    return chr(value) if code is codes.LITERAL else chr(value[0]) if code is codes.RANGE else "a"


def _letters(parsed: Any) -> Iterator[str]:
    """The letters that a pattern names, and one of each of its classes."""
    for code, value in parsed:
        if code is codes.LITERAL:
            yield chr(value)
        elif code is codes.IN:
            yield from (one for one in _sample(code, value) if one)
        elif code in REPEATS:
            yield from _letters(value[2])
        elif code is codes.SUBPATTERN:
            yield from _letters(value[-1])
        elif code is codes.BRANCH:
            for one in value[1]:
                yield from _letters(one)


def slow(used: Used) -> str:
    """How the time grows on the worst text, in words; nothing where it grows with the length alone."""
    for attack in attacks(used.pattern):
        times = [0.0]
        for length in LENGTHS:
            times.append(_seconds(used, attack.text(length)))
            if times[-1] > max(NOTICED, 3 * times[-2]) and _grows(used, attack, length):
                return f"{used.where}: {attack!r} takes {times[-1] * 1000:.0f} ms at {length} letters"
    return ""


def _grows(used: Used, attack: Attack, length: int) -> bool:
    """Whether half the text takes less than a third of the time, the best of three: others may be using the machine."""
    half, whole = (min(_seconds(used, attack.text(n)) for _ in range(3)) for n in (length // 2, length))
    return whole > 3 * half


def _seconds(used: Used, text: str) -> float:
    start = time.process_time()
    if used.method == "search":
        for _ in used.pattern.finditer(text):
            pass
    else:
        getattr(used.pattern, used.method)(text)
    return time.process_time() - start
