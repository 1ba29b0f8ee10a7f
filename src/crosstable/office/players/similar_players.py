"""Newcomers of a report who may be someone whom the register has under another id: by their names alone.

Birth dates are left out: who sends reports with one date after another could read from the answers when someone was
born.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from crosstable.checks.names import nearly_same_word
from crosstable.formats.given import first_name_first
from crosstable.office.ledger.names import having, one_letter_off, words_of

Known = tuple[str, str]  # id and name
Who = TypeVar("Who", bound=Hashable)
SHORTEST = 3  # letters of a short form


def look_alikes(newcomers: Mapping[Who, str]) -> dict[Who, list[Known]]:
    """Id → those of the register with the same name, or with one that is nearly the same in its last word or in
    another.
    `newcomers`: id, or whatever names a person → name."""
    last = {number: words_of(first_name_first(name))[-1:] for number, name in newcomers.items()}
    near = {
        number: {*words, *(one for word in words for one in one_letter_off(word))} for number, words in last.items()
    }
    named: dict[str, list[Known]] = {}
    for word, _, number, name in having(set().union(*near.values())):
        named.setdefault(word, []).append((number, name))
    found = {
        number: sorted({known for word in near[number] for known in named.get(word, ()) if _alike(name, known[1])})
        for number, name in newcomers.items()
    }
    return {number: known for number, known in found.items() if known}


def _alike(one: str, other: str) -> bool:
    mine, theirs = words_of(one), words_of(other)
    if len(mine) < 2:
        return False
    same = set(mine) == set(theirs) or same_but_for_initials(mine, theirs)
    return same or one_word_nearly_the_same(mine, theirs) or _one_word_cut_short(mine, theirs)


def without_initials(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a name that are more than a letter, in order;
    nothing where they are not first and last name.
    """
    whole = tuple(sorted(word for word in words if len(word) > 1))
    return whole if len(whole) > 1 else ()


def same_but_for_initials(one: Sequence[str], other: Sequence[str]) -> bool:
    """`Lee, Ann` and `Lee, Ann M`: one has an initial that the other has not. `Ann B` and `Ann M` are two people."""
    mine, theirs = ({word for word in words if len(word) == 1} for words in (one, other))
    return (
        bool(whole := without_initials(one)) and whole == without_initials(other) and (mine < theirs or theirs < mine)
    )


def _one_word_cut_short(one: Sequence[str], other: Sequence[str]) -> bool:
    """Pete for Peter, Alex for Alexander."""
    mine, theirs = sorted(set(one) - set(other)), sorted(set(other) - set(one))
    if len(mine) != 1 or len(theirs) != 1:
        return False
    short, long = sorted((mine[0], theirs[0]), key=len)
    return len(short) >= SHORTEST and long.startswith(short)


def one_word_nearly_the_same(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two names differ in a single word, and in that by little."""
    mine, theirs = set(one) - set(other), set(other) - set(one)
    return len(mine) == len(theirs) == 1 and nearly_same_word(mine.pop(), theirs.pop())
