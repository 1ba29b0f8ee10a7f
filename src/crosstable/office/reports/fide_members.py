"""Members among the players of a FIDE report: by FIDE ID, else by name with a question to the officer.

A player who is not a member stays under FIDE's ID, with `fide:` before it, and is not in the register.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from crosstable import formats
from crosstable.checks.names import equal_names
from crosstable.findings import declare
from crosstable.formats import trf
from crosstable.formats.base import Reading
from crosstable.formats.fide_entrants import FideEntrant, entrants, foreign_event
from crosstable.model import Finding, Level, Place
from crosstable.office.ledger import models
from crosstable.office.ledger.players import main_record
from crosstable.office.players.similar_players import look_alikes

USA = "USA"
QUESTION = declare(
    "fide-member",
    Level.ERROR,
    "A player of a FIDE report has the name of a member, or nearly, and no member has that FIDE ID.",
    "Enter the ID of the member, or that the player is not one.",
)
ANSWER = declare(
    "fide-answer",
    Level.ERROR,
    "An answer about a player of a FIDE report cannot be used.",
    "Give a FIDE ID of the report, and the ID of a member without another FIDE ID.",
)

#: FIDE ID, or `#` and the pairing number where the report has none → the member's ID; empty: not a member
Answers = Mapping[str, str]
Key = tuple[int, int]  # section and pairing number


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Who may be meant by a player of a report."""

    key: str  # for the answer
    name: str
    federation: str
    rating: float | None
    members: tuple[tuple[str, str], ...]  # ID and name
    place: Place

    def finding(self) -> Finding:
        """Return the question as a finding, with the members as a fact."""
        who = " or ".join(f"{name} ({number})" for number, name in self.members)
        words = f"FIDE ID {self.key}, {self.name}{f', {self.federation}' if self.federation else ''}: may be {who}"
        return QUESTION.at(self.place, words, fide_id=self.key, members=tuple(number for number, _ in self.members))


@dataclass(frozen=True, slots=True)
class Matched:
    """A report with members under our IDs, or the questions that have to be answered first."""

    reading: Reading
    questions: tuple[Question, ...] = ()
    wrong: tuple[Finding, ...] = ()  # answers that cannot be used
    told: tuple[tuple[str, str], ...] = ()  # member's ID and the FIDE ID that an answer has given
    keys: tuple[str, ...] = ()  # the players about whom there can be answers


def matched(data: bytes, name: str, answers: Answers) -> Matched:
    """Return a file with the members among its players found; one that is not a FIDE report as it is."""
    reading = formats.read(data, name)
    if reading.format != trf.NAME or reading.draft is None:
        return Matched(reading)
    people = entrants(reading)
    by_fide = _by_fide_id({one.fide_id for one in people if one.fide_id})
    open_ones = [one for one in people if one.fide_id not in by_fide]
    given = {one: answers[key_of(one)] for one in open_ones if key_of(one) in answers}
    wrong = tuple(found for one, member in given.items() if member for found in _unusable(one, member))
    asked = tuple(_questions([one for one in open_ones if one not in given]))
    members = {(one.section, one.number): by_fide[one.fide_id] for one in people if one.fide_id in by_fide}
    members |= {(one.section, one.number): member for one, member in given.items() if member}
    event = foreign_event(reading.draft, members)
    told = tuple((member, one.fide_id) for one, member in given.items() if member and one.fide_id)
    return Matched(replace(reading, draft=event), asked, wrong, told, tuple(map(key_of, open_ones)))


def key_of(one: FideEntrant) -> str:
    """Return what an answer names a player by."""
    return one.fide_id or f"#{one.number}"


def unused(answers: Answers, keys: Iterable[str]) -> list[Finding]:
    """Return the answers about players whom no report has."""
    known = set(keys)
    return [ANSWER.at("answers", f"no report has the FIDE ID {key}") for key in answers if key not in known]


def _by_fide_id(ids: set[str]) -> dict[str, str]:
    """Return FIDE ID → the member's own, of a merged record the one that is kept."""
    rows = models.Player.objects.filter(fide_id__in=ids).select_related("merged_into")
    return {row.fide_id: main_record(row).number for row in rows}


def _unusable(one: FideEntrant, member: str) -> Iterator[Finding]:
    where = Place(section=one.section, players=(one.number,))
    row = models.Player.objects.filter(number=member).first()
    if row is None:
        yield ANSWER.at(where, f"there is no member {member!r}")
    elif row.fide_id and row.fide_id != one.fide_id:
        yield ANSWER.at(where, f"member {member} has the FIDE ID {row.fide_id}, not {key_of(one)}")


def _questions(people: Sequence[FideEntrant]) -> Iterator[Question]:
    """Ask about everyone with a member's name; of players for the United States also if it is nearly the same.

    A member with another FIDE ID is another person.
    """
    alike = look_alikes({one: one.name for one in people})
    numbers = {number for known in alike.values() for number, _ in known}
    free = set(models.Player.objects.filter(number__in=numbers, fide_id="").values_list("number", flat=True))
    for one in people:
        ours = one.federation in ("", USA)
        members = tuple(
            (number, name)
            for number, name in alike.get(one, ())
            if number in free and (ours or equal_names(name, one.name))
        )
        if members:
            yield Question(
                key=key_of(one),
                name=one.name,
                federation=one.federation,
                rating=one.rating,
                members=members,
                place=Place(section=one.section, players=(one.number,)),
            )
