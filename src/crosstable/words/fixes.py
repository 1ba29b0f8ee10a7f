"""Fixes in words: what a button says, what a person gives with it, and why we suggest it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from crosstable.model import Event, Finding, Fix, Input, Section

#: Where the finding's code decides what "right as it stands" or "left out" means
_KEPT = {
    "unknown-id": "Keep it: a new member",
    "new-player": "Keep it: a new member",
    "re-entry": "It is a re-entry",
    "not-a-member": "Renewed, or paid with this report",
    "perhaps-match": "It is not a match",
    "expired-member": "Renewed, or paid with this report",
}
_RIGHT = "It is right"
_LEFT_OUT = {
    **dict.fromkeys(("last-number", "record-count", "round-count", "section-count", "stray-quote"), _RIGHT),
    "color-clash": "Leave the colors out",
    "no-result": "Not played",
}
_BYES = {"": "Did not play", "half": "Half-point bye", "full": "Full-point bye"}
_SCORES = {"won": "Won", "drew": "Drew", "lost": "Lost"}
_LABELS = {
    "start": "First day",
    "end": "Last day",
    "time_control": "Time control, as G/60;d5",
    "name": "Name",
    "city": "City",
    "state": "State, two letters",
    "country": "Country",
    "affiliate": "Affiliate’s ID",
    "chief_td": "Chief TD’s ID",
    "other": "Opponent’s number",
    "new": "Opponent’s number",
    "to": "To round",
    "id": "ID",
    "ids": "Their IDs, in this order; - for none",
    "day": "Born on",
    "rating": "Rating before the event",
    "sure": "I know that this office numbers its members as FIDE does",
}
_OWN_LABELS = {("facts", "name"): "Name of the event", ("section-name", "name"): "Name of the section"}
#: Values of a fix that are numbers
_NUMBERS = frozenset({"section", "player", "round", "one", "other", "new", "to", "white", "rounds"})


def fix_text(fix: Fix, finding: Finding, event: Event | None = None) -> str:
    """Return what a button that carries out the fix says."""
    return _WORDS[fix.kind](fix, finding, _section(fix, event))


def input_text(one: Input, fix: Fix) -> str:
    """Return the label of a field for a value that a person gives with a fix."""
    return _OWN_LABELS.get((fix.kind, one.name), _LABELS[one.name])


def reason_text(fix: Fix) -> str:
    """Return why we suggest a fix, or whose id it would set."""
    if fix.about.get("reason") == "totals":
        return "Both totals fit a draw." if fix.values.get("score") == "drew" else "Both totals fit this."
    if fix.about.get("reason") == "mirror":
        return "That row has this game."
    return candidate_text(fix)


def candidate_text(fix: Fix) -> str:
    """Return what is known of the player whose id a fix would set: name, ID, state, rating, last event."""
    about = fix.about
    if "name" not in about:
        return ""
    parts = [str(about["name"])]
    parts += [fix.values["id"]] if "id" in fix.values else []
    parts += [str(about["state"])] if "state" in about else []
    parts += [f"rated {about['rating']}"] if "rating" in about else []
    parts += [f"born {about['birth_year']}"] if "birth_year" in about else []
    parts += [f"last event {about['last_event']}"] if "last_event" in about else []
    return ", ".join(parts)


def fix_to_json(fix: Fix, finding: Finding, event: Event | None = None) -> dict[str, Any]:
    """Return a fix for programs: its kind and values, what a person must add, and its text."""
    values = {name: int(text) if name in _NUMBERS and text.isdecimal() else text for name, text in fix.values.items()}
    return {
        "kind": fix.kind,
        **values,
        **({"needs": [one.name for one in fix.inputs if one.needed]} if fix.inputs else {}),
        **({"about": dict(fix.about)} if fix.about else {}),
        "suggested": fix.suggested,
        "text": fix_text(fix, finding, event),
    }


def _section(fix: Fix, event: Event | None) -> Section | None:
    sections = event.sections if event else ()
    return next((one for one in sections if str(one.number) == fix.values.get("section")), None)


def _short(number: str, section: Section | None) -> str:
    """Return a player's last name for a button; the whole name where another has the same, else the number."""
    names = {str(player.number): player.name for player in section.players} if section else {}
    name = names.get(number, "")
    others = [other for one, other in names.items() if one != number]
    for words in (_last_name(name), name):
        if words and not words.isdecimal() and words not in others and words not in map(_last_name, others):
            return words
    return f"No. {number}"


def _last_name(name: str) -> str:
    """Return `Hunt`, of `Victor F Hunt` and of `Hunt, Victor F`."""
    words = (name.split(",", maxsplit=1)[0] if "," in name else name).split()
    return words[-1] if words else ""


def _result(fix: Fix, finding: Finding, section: Section | None) -> str:
    score = fix.values["score"]
    if fix.inputs:
        return _SCORES[score]
    if score == "drew":
        return "It was a draw"
    if finding.code == "improbable-result":
        return "The other way round"
    white, black = (" (White)", " (Black)") if "white" in fix.values and section and section.colors else ("", "")
    if score == "won":
        return f"{_short(fix.values['one'], section)} won{white}"
    return f"{_short(fix.values['other'], section)} won{black}"


def _pair(fix: Fix, section: Section | None) -> str:
    return f"{_short(fix.values['one'], section)} – {_short(fix.values['other'], section)}"


def _no_game(fix: Fix, finding: Finding, section: Section | None) -> str:
    if finding.code in ("two-games-in-round", "round-out-of-range", "impossible-round"):
        return f"Remove {_pair(fix, section)}"
    removes = finding.code in ("self-pairing", "unknown-player", "uneven-rounds")
    return "Remove the game" if removes else "Not played"


def _opponent(fix: Fix, finding: Finding, section: Section | None) -> str:  # noqa: ARG001 - one signature for all
    return "Use this opponent" if fix.inputs else f"The opponent was {_short(fix.values['new'], section)}"


def _dates(fix: Fix, finding: Finding, section: Section | None) -> str:  # noqa: ARG001 - one signature for all
    if fix.inputs:
        return "Use these days"
    if finding.code == "section-dates":
        return "The event’s days are right" if "section" in fix.values else "The section’s days are right"
    return "Swap the two days"


def _time_control(fix: Fix, finding: Finding, section: Section | None) -> str:  # noqa: ARG001 - one signature for all
    if fix.inputs:
        return "Use this time control"
    return f"Use {fix.values['time_control']}" if fix.values["time_control"] else "Leave it out"


def _facts(fix: Fix, finding: Finding, section: Section | None) -> str:  # noqa: ARG001 - one signature for all
    if fix.inputs:
        return "Use this name" if fix.inputs[0].name == "name" else "Add" if finding.level == "notice" else "Use this"
    return f"Use {', '.join(fix.values.values())}"


def _id(fix: Fix, finding: Finding, section: Section | None) -> str:  # noqa: ARG001 - one signature for all
    if fix.inputs and finding.code in ("re-entry", "reentry-differs"):
        return f"Number {fix.values['player']} is another player"
    return "Use this ID" if fix.inputs else f"Use {fix.values['id']}"


def _bye(fix: Fix, finding: Finding, section: Section | None) -> str:  # noqa: ARG001 - one signature for all
    return _BYES[fix.values["kind"]]


def _kept(fix: Fix, finding: Finding, section: Section | None) -> str:  # noqa: ARG001 - one signature for all
    return _KEPT.get(finding.code, _RIGHT)


def _left_out(fix: Fix, finding: Finding, section: Section | None) -> str:  # noqa: ARG001 - one signature for all
    if finding.code == "uneven-rounds":
        return "It was played" if finding.facts.get("has_cell") else _RIGHT
    return _LEFT_OUT.get(finding.code, "Leave it out")


def _either(given: str, without: str) -> Callable[[Fix, Finding, Section | None], str]:
    """Return one text for a fix that takes a value from a person, and another for one that does not."""
    return lambda fix, _finding, _section: given if fix.inputs else without


def _always(text: str) -> Callable[[Fix, Finding, Section | None], str]:
    return _either(text, text)


_WORDS: dict[str, Callable[[Fix, Finding, Section | None], str]] = {
    "keep": _kept,
    "leave-out": _left_out,
    "result": _result,
    "no-game": _no_game,
    "opponent": _opponent,
    "white": lambda fix, _finding, section: f"{_short(fix.values['one'], section)} had White",
    "round": lambda fix, _finding, section: f"Move {_pair(fix, section)}",
    "bye": _bye,
    "total": _always("The rounds are right"),
    "dates": _dates,
    "time-control": _time_control,
    "facts": _facts,
    "section-settings": _always("It is a match"),
    "section-name": _always("Use this name"),
    "section-number": _always("Give the last one a new number"),
    "id": _id,
    "ids": _always("Use these IDs"),
    "name": lambda fix, _finding, _section: "Use this name" if fix.inputs else f"Use {fix.values['name']}",
    "new-member": lambda fix, _finding, _section: (
        "A new adult member, no ID yet" if fix.values.get("adult") else "A new member, no ID yet"
    ),
    "new-members": _always("All are new members, no IDs yet"),
    "keep-numbers": _always("Keep the FIDE numbers as members’ IDs"),
    "swap-ids": _always("Swap the two IDs"),
    "re-entry": _always("It is a re-entry"),
    "join": _always("One row too many"),
    "number": _always("Give the last one a new number"),
    "adult": _always("An adult"),
    "born": _either("Use this birth date", "Leave it out"),
    "rating": _either("Use this rating", "Leave it out"),
    "games-known": _always("They are established"),
}
