"""Sentences for users are in standard English: no word of the project's former dialect."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import crosstable

SOURCE = Path(crosstable.__file__).parent
ROOT = Path(__file__).parents[2]
#: The former word, and what to write instead
DIALECT = {
    r"mend(?:s|ed|ing)?": "fix",
    r"whoever": "a player, a director, anyone who",
    r"(?:some|no)body(?:['’]s)?": "someone, no one, no player",
    r"(?<!there )is no (?:number|date|name|id|rating|result)": "is not a number",
    r"(?:is|are) like that": "No matching events.",
    r"did not fit|signing in rests": "is wrong; sign-in is locked",
    r"another content|byte by byte": "a new version; saved unchanged",
    r"(?:games|players|ratings|lists|it|they) stands? (?:on|in|there|twice)": "is based on, is in, appears",
    r"passed over": "ignored",
    r"held against": "compared with",
    r"computed? anew|read anew": "recomputed, read again",
    r"tells? an age|give an age away": "reveals an age",
    r"stays as it is": "does not change; not overwritten",
    r"announces another number": "states a different number",
    r"changed places": "swapped",
}
WORDS = re.compile(rf"\b(?:{'|'.join(DIALECT)})\b", re.IGNORECASE)
#: Where such a word is right
ALLOWED = {
    "nobody-of-that-name": "a finding's code: codes do not change",
    "Nobody under 300": "the St. Charles sheet's own words, in the table of coverage",
}


def sentences_of_a_module(path: Path) -> Iterator[str]:
    """Yield the texts of a module that are more than a word; docstrings and comments are not for users."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        shown = isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
        if shown and " " in node.value.strip():
            yield node.value


def text_of_a_template(path: Path) -> Iterator[str]:
    """Yield what a template shows, without tags, comments and addresses."""
    text = re.sub(r"{#.*?#}|{%.*?%}|{{.*?}}|<[^>]*>", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    yield re.sub(r"\s+", " ", text)


def prose(path: Path) -> Iterator[str]:
    """Yield a page of the documents without code and links."""
    text = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    yield re.sub(r"\s+", " ", text)


def texts() -> Iterator[tuple[str, str]]:
    """Yield every text that a user can read, with its file."""
    readers = {
        "*.py": (sentences_of_a_module, [SOURCE]),
        "*.html": (text_of_a_template, [SOURCE, ROOT / "site" / "rate"]),
        "*.md": (prose, [ROOT / "docs", ROOT / "README.md", ROOT / "CONTRIBUTING.md"]),
    }
    for pattern, (read, folders) in readers.items():
        for folder in folders:
            for path in [folder] if folder.is_file() else sorted(folder.rglob(pattern)):
                if "migrations" not in path.parts:
                    yield from ((path.relative_to(ROOT).as_posix(), text) for text in read(path))


def former_words(text: str) -> list[str]:
    """Return the words of the dialect in a text, each with its neighbours."""
    for right in ALLOWED:
        text = text.replace(right, "")
    return [text[max(0, found.start() - 30) : found.end() + 30] for found in WORDS.finditer(text)]


def test_users_read_standard_english() -> None:
    found = [f"{path}: {words}" for path, text in texts() for words in former_words(text)]
    assert not found, "write it in standard English (CONTRIBUTING.md):\n" + "\n".join(found)


@pytest.mark.parametrize(
    "text", ["It must be mended.", "'x' is no number", "Nobody’s rating moves.", "two digits changed places"]
)
def test_the_dialect_is_recognized(text: str) -> None:
    assert former_words(text)


@pytest.mark.parametrize(
    "text", ["Fix it.", "The recommended order", "There is no rating yet.", "`nobody-of-that-name`"]
)
def test_standard_english_is_allowed(text: str) -> None:
    assert not former_words(text)
