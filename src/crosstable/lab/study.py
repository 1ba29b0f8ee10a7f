"""A study's file: a line for the question, then a line for each trial in its order, written as soon as the trial is
done.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from crosstable.errors import CrosstableError

Trial = tuple[dict[str, float], float]  # parameters and deviance


def open_study(study: Path | None, question: str) -> list[Trial]:
    """Return the trials that the file holds, if it holds the same question.

    A new one is begun, a line cut off by a stop dropped.
    """
    if study is None:
        return []
    try:
        text = study.read_text(encoding="utf-8") if study.exists() else ""
        whole = text[: text.rfind("\n") + 1]
        lines = [json.loads(line) for line in whole.splitlines()]
        asked, trials = (lines[0]["question"], lines[1:]) if text else (question, [])
        found = [(dict(values), float(deviance)) for values, deviance in trials]
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        raise CrosstableError(f"{study}: not a study of `lab tune`: {error}") from error
    if asked != question:
        raise CrosstableError(
            f"{study} holds a study of another question or of other games: give a new file, or ask the same of the same"
            " games"
        )
    if not text or whole != text:
        _rewrite(study, [json.dumps({"question": question}), *map(json.dumps, found)])
    return found


def append_trial(study: Path | None, trial: Trial) -> None:
    if study is not None:
        with study.open("a", encoding="utf-8") as file:
            file.write(json.dumps(trial) + "\n")


def _rewrite(study: Path, lines: Sequence[str]) -> None:
    """Written beside its place and moved there whole."""
    fresh = study.with_name(f".{study.name}.new")
    try:
        fresh.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        fresh.replace(study)
    except OSError as error:
        raise CrosstableError(f"{study}: cannot be written: {error}") from error
