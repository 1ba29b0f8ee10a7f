"""Everything that an office can prove about itself from its own data.

The chain of the log is read from end to end; then what the database says is compared with what the log says, or
computed anew: published lists, reports and their files, accounts, tokens and proposals, sections and every rating.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from crosstable.office.audit import ledger_against_log, signatures
from crosstable.office.audit.log import Head, details_of
from crosstable.office.audit.models import AuditEntry
from crosstable.office.audit.verify import Report, verify
from crosstable.office.ledger import documents, pending_sections, revisions
from crosstable.office.ledger.models import Event, Office, Player, Revision, Section
from crosstable.office.ledger.packing import Array, entries_of, games_of, pack_entries, pack_games
from crosstable.office.lists import read
from crosstable.office.lists.models import PublishedList
from crosstable.office.people import seals
from crosstable.office.people.models import Person, Token
from crosstable.office.people.second_person import ROLE_ACTS
from crosstable.office.rating import rules_behind, run
from crosstable.office.requests import two_officers
from crosstable.office.requests.models import Proposal

#: So many players are named whose ratings do not follow from the results
NAMED = 5
RESULTS_CHANGED = "its results changed"


def verify_all(heads: Iterable[tuple[str, Head]] = (), *, ratings: bool = True) -> Report:
    """Prove the whole office. `heads`: (where it was printed, a head of the log), besides those on published lists.

    `ratings=False` leaves out computing every rating anew, which takes as long as rating the whole history.
    """
    report = verify([*read.anchors(), *heads])
    problems = [*report.problems, *read.problems(), *_signatures(), *ledger_against_log.problems()]
    log = _Log.read()
    problems += [*_accounts(log), *_tokens(log), *_proposals(log), *_contents(log), *_sections()]
    notes: tuple[str, ...] = ()
    if ratings and Office.objects.filter(id=1).exists():
        wrong, notes = _ratings()
        problems += wrong
    return replace(report, problems=tuple(problems), notes=notes)


@dataclass(slots=True)
class _Log:
    """What the log says about accounts, tokens, proposals and the contents of events."""

    roles: dict[str, str] = field(default_factory=dict)
    active: dict[str, bool] = field(default_factory=dict)
    seals: dict[str, str] = field(default_factory=dict)  # subject → the last
    tokens: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    revoked: set[str] = field(default_factory=set)
    proposals: dict[str, str] = field(default_factory=dict)  # subject → its state
    proposers: dict[str, str] = field(default_factory=dict)
    contents: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    imports: set[str] = field(default_factory=set)  # hashes over all documents of an imported history

    @classmethod
    def read(cls) -> _Log:
        found = cls()
        for entry in AuditEntry.objects.order_by("seq").iterator(chunk_size=5000):
            found._take(entry, details_of(entry))
        return found

    def _take(self, entry: AuditEntry, details: Mapping[str, Any]) -> None:
        kind, _, name = entry.subject.partition(":")
        if isinstance(details.get(seals.SEAL), str):
            self.seals[entry.subject] = details[seals.SEAL]
        if kind == "user":
            self._take_account(entry.action, name, details)
        elif entry.action == "token.create":
            self.tokens[name] = details
        elif entry.action == "token.revoke":
            self.revoked.add(name)
        elif kind == "proposal":
            self._take_proposal(entry)
        elif kind in ("event", "events"):
            for one in [details, *(details.get("events") or ())]:
                self.contents[str(one.get("event", name))].add(str(one.get("content")))
        elif entry.action == "history.import" and "documents" in details:
            self.imports.add(str(details["documents"]))

    def _take_account(self, action: str, name: str, details: Mapping[str, Any]) -> None:
        if action in ROLE_ACTS and (role := details.get("after") or details.get("role")):
            self.roles[name] = str(role)
        if action in ("user.add", "user.activate", "user.deactivate"):
            self.active[name] = action != "user.deactivate"

    def _take_proposal(self, entry: AuditEntry) -> None:
        states = {
            "proposal.make": Proposal.WAITING,
            "proposal.approve": Proposal.GRANTED,
            "proposal.refuse": Proposal.REFUSED,
            "proposal.withdraw": Proposal.TAKEN_BACK,
        }
        self.proposals[entry.subject] = states.get(entry.action, "")
        if entry.action == "proposal.make":
            self.proposers[entry.subject] = entry.actor


def _accounts(log: _Log) -> Iterator[str]:
    there = set()
    for person in Person.objects.select_related("user").order_by("user_id"):
        name, subject = person.user.username, f"user:{person.user.username}"
        there.add(name)
        if name not in log.roles:
            yield f"the log does not know the user {name}: the account was added outside the office"
            continue
        if person.role != log.roles[name]:
            yield f"the user {name} has the role {person.role}; by the log it is {log.roles[name]}"
        if person.user.is_active != log.active.get(name, True):
            yield f"the user {name} was {'activated' if person.user.is_active else 'deactivated'} outside the office"
        if subject in log.seals and log.seals[subject] != seals.of_account(person)[seals.SEAL]:
            yield f"the account of {name} is not as the office last wrote it (role, player, address or password)"
    for name in sorted(set(log.roles) - there):
        yield f"the user {name} is in the log and no longer in the office"


def _tokens(log: _Log) -> Iterator[str]:
    for token in Token.objects.select_related("user").order_by("id"):
        said = log.tokens.get(token.start)
        here = (token.user.username, token.scopes.split(), token.expires)
        if said is None or here != (said.get("user"), said.get("scopes"), said.get("expires")):
            yield f"the log does not know the token {token.start}… as it is: it was made or changed outside the office"
        elif bool(token.revoked) != (token.start in log.revoked):
            yield (
                f"the token {token.start}… was {'revoked' if token.revoked else 'made valid again'} outside the office"
            )


def _proposals(log: _Log) -> Iterator[str]:
    there = set()
    for row in Proposal.objects.select_related("proposed_by").order_by("id"):
        subject = f"proposal:{row.pk}"
        there.add(subject)
        known = log.proposals.get(subject) == row.state and log.proposers.get(subject) == row.proposed_by.username
        sealed = log.seals.get(subject)
        if not known or (sealed and sealed != two_officers.sealed(row)[seals.SEAL]):
            yield f"proposal {row.pk} is not as the log knows it"
    for subject in sorted(set(log.proposals) - there):
        yield f"proposal {subject.removeprefix('proposal:')} is in the log and no longer in the office"


def _signatures() -> Iterator[str]:
    for row in PublishedList.objects.exclude(signature="").order_by("date"):
        if not signatures.fits(signatures.HEAD, f"{row.audit_count}:{row.audit_hash}", row.signature):
            yield f"the signature on the list of {row.date} does not match"


def _contents(log: _Log) -> Iterator[str]:
    """Check that the reports are those that the log names: by each revision's hash,
    and of a history by one over all.
    """
    rows = Revision.objects.exclude(event__revisions__kind="imported").values_list("event__number", "content_hash")
    for number, digest in sorted(set(rows)):
        if digest not in log.contents[number]:
            yield f"the log does not know a revision of event {number}: it was added or changed outside the office"
    if log.imports and revisions.imported_hash() not in log.imports:
        yield "the documents of the imported history are not those that were imported"


def _sections() -> Iterator[str]:
    """Check that the sections in the rating order hold the results of the revisions in force, and no others."""
    ids = dict(Player.objects.values_list("number", "id"))
    stored: dict[int, dict[int, Section]] = defaultdict(dict)
    for section in Section.objects.select_related("event").iterator(chunk_size=500):
        stored[section.event_id][section.number] = section
    newest: dict[int, tuple[int, int]] = {}
    for event, number, revision in Revision.objects.values_list("event_id", "number", "id"):
        newest[event] = max(newest.get(event, (0, 0)), (number, revision))
    for row in Event.objects.order_by("number").iterator(chunk_size=500):
        placed = stored.pop(row.id, {})
        if row.status != Event.ACCEPTED:
            if placed:
                yield f"event {row.number} is {row.status} and still has sections that count"
            continue
        revision = newest.get(row.id)
        data = Revision.objects.values_list("document", flat=True).get(id=revision[1]) if revision else b""
        try:
            event = pending_sections.without(documents.unpack(data, row.number), pending_sections.numbers(row))
        except documents.DamagedDocumentError:
            continue  # said by `ledger_against_log`
        expected = {one.number: one for one in event.sections}
        for number in sorted(expected.keys() | placed.keys()):
            here, said = placed.get(number), expected.get(number)
            if here is None or said is None or not _same(here, said, ids):
                yield f"section {number} of event {row.number} does not hold the results of its report"


def _same(here: Section, said: Any, ids: Mapping[str, int]) -> bool:
    try:
        entries, games = entries_of(pack_entries(said, ids)), games_of(pack_games(said))
        return _rows(entries_of(bytes(here.entries))) == _rows(entries) and _rows(games_of(bytes(here.games))) == _rows(
            games
        )
    except (KeyError, ValueError):  # a player whom the register does not have, or bytes that are no table
        return False


def _rows(table: Array) -> list[tuple[int, ...]]:
    return sorted(tuple(row) for row in table.tolist())


def _ratings() -> tuple[list[str], tuple[str, ...]]:
    """Return (what does not follow from the results, what could not be compared).

    Sections that were rated by earlier rules differ with good reason, and so does what comes after the first of them.
    """
    outcome = run.compute(run.BEGINNING)
    behind = rules_behind.behind()
    limit = min(
        (one.position for one in outcome.sections.values() if behind and one.event_end >= behind.first), default=None
    )
    notes = () if behind is None else (f"{behind} Rate again, then verify the ratings from there on.",)

    def compared(position: int) -> bool:
        return limit is None or position < limit

    problems = [
        f"section {one.number} of event {_number_of(one.event)} is not as it was rated: its results or players differ"
        for section, reason in outcome.reasons.items()
        if reason == RESULTS_CHANGED and compared((one := outcome.sections[section]).position)
    ]
    wrong = {
        (player, pool)
        for rows in (outcome.added, outcome.removed)
        for player, pool, position in rows.select("player_id", "pool", "position").iter_rows()
        if compared(position)
    }
    if wrong:
        names = dict(Player.objects.filter(id__in={player for player, _ in wrong}).values_list("id", "number"))
        named = [f"{names.get(player, player)} {pool}" for player, pool in sorted(wrong)]
        more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
        problems.append(f"ratings that do not follow from the results: {', '.join(named[:NAMED])}{more}")
    return problems, notes


def _number_of(event: int) -> str:
    return str(Event.objects.values_list("number", flat=True).get(id=event))
