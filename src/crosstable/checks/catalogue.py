"""The catalogue of all codes: docs/checks.md is written by `python -m crosstable.checks.catalogue`."""

from __future__ import annotations

from crosstable.checks import CHECKS
from crosstable.checks.gate import TAKEN_AS_ESTABLISHED
from crosstable.formats import codes
from crosstable.formats.codes import Code
from crosstable.model import Level

_TITLES = {
    Level.ERROR: "Errors: must be fixed",
    Level.WARNING: "Warnings: fix it, or say that it is meant",
    Level.NOTICE: "Notices: good to know",
}


def _rate(name: str, level: Level, says: str, advice: str) -> Code:
    return Code(name, level, says, advice)


#: What `rate` says besides, by the US Chess rules: levels are those of the usual case.
RATE = (
    TAKEN_AS_ESTABLISHED,
    _rate("no-date", Level.WARNING, "The event has no date and was rated by the rules of today.", "Give it: --date."),
    _rate("nothing-to-rate", Level.WARNING, "There is no rated game.", "Enter the results; forfeits are not rated."),
    _rate("no-time-control", Level.ERROR,
          "The time control is missing. A warning where a published page shows what was rated.",
          "Give it: --time-control 'G/60;d5'."),
    _rate("no-rules", Level.ERROR, "No US Chess rules are known for that day.", "Correct the date, or use --system uscf_1996."),
    _rate("not-ratable", Level.ERROR, "US Chess rates no such time control, or not yet on that day.",
          "Correct the time control, the mode or the date."),
    _rate("not-yet", Level.ERROR, "A rating is of a system that did not exist yet.", "Leave it out, or correct the date."),
    _rate("negative-games", Level.ERROR, "The number of games behind a rating is negative.", "Correct it."),
    _rate("zero-games", Level.ERROR, "A rating stands on 0 games.", "Leave it out, or correct `games`."),
    _rate("negative-count", Level.ERROR, "A count of a rating record is negative.", "Correct it."),
    _rate("too-many-games", Level.ERROR, "A count is larger than any player's.", "Correct the counts."),
    _rate("counts-differ", Level.ERROR, "Wins, draws and losses do not add up to the games.",
          "Correct them, or leave them out."),
    _rate("below-own-floor", Level.WARNING, "A rating is below its own floor.", "The floor holds; check the record."),
    _rate("reentry-differs", Level.ERROR, "The same id has two different records in one section.",
          "Give both the same ratings."),
    _rate("no-quarter-k", Level.ERROR, "No US Chess formula for quarter-K events is known.", "Use weight full."),
    _rate("no-half-k", Level.ERROR, "Half-K events had ended by that day.", "Use weight full."),
    _rate("match-of-many", Level.ERROR, "A match has two players.", "Use kind swiss, round-robin or other."),
    _rate("match-not-established", Level.ERROR, "A player of a match has no established rating.",
          "Only established players may have a match rated."),
    _rate("match-gap", Level.ERROR, "The players of a match are too far apart.", "At most 400 points are allowed."),
    _rate("match-pool-left-out", Level.NOTICE, "A dual-rated match is not rated in a pool for which a player does not qualify.",
          "Nothing: the reason is given."),
    _rate("foreign-rating-unused", Level.NOTICE, "A converted foreign rating is no source of a first rating any more.",
          "Nothing: the 2025 edition starts from FIDE, CFC and US Chess ratings only."),
    _rate("floor-request", Level.NOTICE, "A match result is below the player's floor.", "The player may ask for a lower one."),
    _rate("fide-not-counted", Level.NOTICE, "A player of a FIDE section is not adjusted.", "Nothing: the reason is given."),
)  # fmt: skip


def format_codes() -> list[Code]:
    """What reading a file can find."""
    return [value for value in vars(codes).values() if isinstance(value, Code)]


def check_codes() -> list[Code]:
    """What the checks of an event can find, whatever file it came from."""
    return [code for code, _ in CHECKS.values()]


def page() -> str:
    lines = [
        "# Every finding of `crosstable check`",
        "",
        "Written by `python -m crosstable.checks.catalogue`; do not edit. A finding names its place, what was found and what",
        "to do. Each code has an example that brings it about, in `tests/events/checks/`.",
    ]
    for level, title in _TITLES.items():
        lines += ["", f"## {title}", "", "| code | from | what it says | what to do |", "|---|---|---|---|"]
        rows = [(code, "file") for code in format_codes()] + [(code, "event") for code in check_codes()]
        for code, source in sorted(rows, key=lambda row: row[0].name):
            if code.level is level:
                lines.append(f"| `{code.name}` | {source} | {code.says} | {code.advice} |")
    lines += ["", "## What `crosstable rate` says besides", "", "| code | level | what it says | what to do |"]
    lines.append("|---|---|---|---|")
    lines += [f"| `{code.name}` | {code.level} | {code.says} | {code.advice} |" for code in RATE]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page(), end="")
