"""The kinds of jobs: the right that each takes, and the office's function that it calls. Nothing else runs as a job."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crosstable.errors import CrosstableError, EventRejected
from crosstable.model import Finding
from crosstable.office import history
from crosstable.office.backup.proof import verify_all
from crosstable.office.lists.official import shown
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating.rerating import Rerated, rerate
from crosstable.office.reports import accepting
from crosstable.office.requests import corrections, registry
from crosstable.office.storage import watching
from crosstable.office.storage.database import reading
from crosstable.words.places import place_text

Arguments = Mapping[str, Any]
#: So many of those who moved stand in the result, the largest first
MOST = 12


@dataclass(frozen=True, slots=True)
class Kind:
    right: str
    run: Callable[[Actor, Arguments], dict[str, Any]]
    unit: str = "section"  # what its progress counts
    only_reads: bool = False  # then writers go on meanwhile


def _rerate(actor: Actor, given: Arguments) -> dict[str, Any]:
    return _ratings(rerate(actor, given.get("reason", "")))


def _look(actor: Actor, _: Arguments) -> dict[str, Any]:
    return _ratings(rerate(actor, preview=True)) | {"preview": True}


def _correct(actor: Actor, given: Arguments) -> dict[str, Any]:
    done = registry.decide(actor, f"correction:{given['request']}", granted=True, words=given.get("message", ""))
    return _ratings(done.outcome)


def _preview(actor: Actor, given: Arguments) -> dict[str, Any]:
    done = corrections.preview(actor, given["request"]).ratings
    return _ratings(done) | {"preview": True, "correction": given["request"]}


def _accept(actor: Actor, given: Arguments) -> dict[str, Any]:
    """All in one run; if one of them cannot be rated any more, each by itself, and it is said which."""
    numbers: Sequence[str] = given["events"]
    try:
        done = accepting.accept_many(actor, numbers, given.get("reason", ""))
        return _ratings(done) | {"accepted": list(numbers)}
    except EventRejected:
        return _accept_each(actor, numbers, given.get("reason", ""))


def _accept_each(actor: Actor, numbers: Sequence[str], reason: str) -> dict[str, Any]:
    accepted, refused, players, sections = [], {}, 0, 0
    for number in numbers:
        try:
            done = accepting.accept(actor, number, reason)
        except EventRejected as wrong:
            refused[number] = _words(wrong.findings)
        except CrosstableError as wrong:
            refused[number] = str(wrong)
        else:
            accepted.append(number)
            players, sections = players + done.players, sections + done.sections
    return {"accepted": accepted, "refused": refused, "players": players, "sections": sections}


def _approve(actor: Actor, given: Arguments) -> dict[str, Any]:
    done = registry.approve(actor, given["proposal"])
    return {"proposal": given["proposal"]} | {str(name): value for name, value in done.items() if _plain(value)}


def _import(actor: Actor, given: Arguments) -> dict[str, Any]:
    done = history.import_history(actor, Path(given["folder"]), watching.tell)
    return {"imported": done.sections, "entrants": done.players, "games": done.games, "ratings": done.ratings}


def _verify(actor: Actor, _: Arguments) -> dict[str, Any]:
    require(actor, "audit.read")
    with reading():
        found = verify_all()
    return {
        "ok": found.ok,
        "entries": found.entries,
        "anchors": found.anchors,
        "head": str(found.head),
        "problems": list(found.problems),
    }


KINDS = {
    "rerate": Kind("rating.rerate", _rerate, "game"),
    "look": Kind("rating.preview", _look, "game", only_reads=True),
    "correct": Kind("event.correct", _correct),
    "preview": Kind("rating.preview", _preview, only_reads=True),
    "accept": Kind("event.accept", _accept),
    "approve": Kind("proposal.read", _approve),  # the proposal's own right is asked for when it is carried out
    "import": Kind("history.import", _import, "game"),
    "verify": Kind("audit.read", _verify, "entry", only_reads=True),
}


def _ratings(done: Rerated) -> dict[str, Any]:
    """Return what a run did, for the result's page. Officers read it: nothing in it reveals an age."""
    moved = [
        {"player": one.player, "name": one.name, "pool": one.pool, "before": one.before, "after": one.after}
        for one in done.changes
        if not one.tells_an_age and _published(one.pool, one.before) != _published(one.pool, one.after)
    ]
    titles = list(dict.fromkeys(one.title_words for one in done.changes if one.title_words))
    return {
        "sections": done.sections,
        "players": done.players,
        "later": done.later,
        "moved": moved[:MOST],
        "norms": [str(one) for one in done.norms[:MOST]],
        "titles": titles[:MOST],
    }


def _published(pool: str, rating: float | None) -> float | None:
    return None if rating is None else shown(pool, rating)


def _words(found: Sequence[Finding]) -> str:
    return "; ".join(f"{place_text(one.place)}: {one.message}" for one in found[:3])


def _plain(value: Any) -> bool:
    return isinstance(value, str | int | float | bool)
