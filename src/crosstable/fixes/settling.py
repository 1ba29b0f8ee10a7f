"""Which findings of the reader a fix answers: they do not come again by themselves, as those of the checks do."""

from __future__ import annotations

from collections.abc import Sequence

from crosstable.fixes.base import Values
from crosstable.fixes.places import place_of
from crosstable.formats.crosstable import number_in
from crosstable.model import Event, Finding

#: What reading found about a game; a fix that says how it ended settles all of it
_OF_A_GAME = frozenset(
    (
        "result-clash",
        "not-mirrored",
        "unreadable-cell",
        "uneven-rounds",
        "no-result",
        "asymmetric-result",
        "invalid-line",
    )
)
#: Kind of fix → what it settles of what reading found at that player
_OF_A_PLAYER = {
    "rating": {"unreadable-rating"},
    "adult": {"missing-rating"},
    "born": {"missing-rating"},
    "new-member": {"missing-rating"},
}


def settled(
    event: Event, reading: Sequence[Finding], kind: str, values: Values, answered: Finding | None
) -> list[Finding]:
    """Return what reading found and this fix does not settle. `answered`: the finding that the fix belongs to."""

    def stays(finding: Finding) -> bool:
        if finding == answered:
            return kind == "keep"
        place = place_of(finding, event)
        if kind == "result" and finding.code == "nothing-played" and place.section is None:
            return False
        if kind == "dates" and finding.code == "unreadable-date":
            return bool(finding.place.players) or finding.place.row is not None  # a birth date, not the event's
        if str(place.section) != values.get("section", str(place.section)):
            return True
        if kind in ("result", "no-game") and finding.code in _OF_A_GAME:
            pair = {values.get("one"), values.get("other")}
            return str(place.round) != values.get("round") or not {str(one) for one in place.players} <= pair
        if kind == "cell" and finding.code in _OF_A_GAME:
            return str(place.round) != values.get("round") or not {str(one) for one in place.players} & _typed(values)
        if kind == "remove-section":
            return False
        if kind == "remove":
            return str(place.player) != values.get("player")
        if kind == "opponent" and finding.code == "not-mirrored":
            pair = {values.get("one"), values.get("new")}
            return str(place.round) != values.get("round") or {str(one) for one in place.players} != pair
        if kind == "bye" and finding.code == "uneven-rounds":
            return (str(place.player), str(place.round)) != (values.get("player"), values.get("round"))
        if finding.code in _OF_A_PLAYER.get(kind, ()):
            return bool(values.get("player")) and str(place.player) != values.get("player")
        return True

    return [finding for finding in reading if stays(finding)]


def _typed(values: Values) -> set[str]:
    """Return the numbers of a typed cell: the row's own, and the opponent's."""
    opponent = number_in(values.get("cell", ""))
    return {values.get("player", ""), "" if opponent is None else str(opponent)} - {""}
