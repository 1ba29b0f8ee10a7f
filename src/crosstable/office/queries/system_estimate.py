"""The estimator for the systems of other federations: what every score would give, through the protocol of systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from crosstable.errors import CrosstableError
from crosstable.federations.current import current
from crosstable.model import Player, Rating
from crosstable.office.ledger.models import Player as PlayerRow
from crosstable.office.ledger.office_settings import all_systems, office
from crosstable.office.ledger.players import main_record
from crosstable.office.players import person
from crosstable.office.queries import ratings
from crosstable.office.queries.estimate import State
from crosstable.systems import RatingSystem
from crosstable.systems.estimate import Estimate, needed_for, outcomes, settled
from crosstable.words.language import _
from crosstable.words.phrases import points, rating_text

MOST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimatedOpponent:
    """An opponent as given in the address, and what is expected against that opponent."""

    given: str
    name: str = ""
    rating: float | None = None
    expected: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemEstimatePage:
    """What every score against these opponents would give."""

    asked: State
    pools: Mapping[str, str]
    system: str
    lead: str
    opponents: tuple[EstimatedOpponent, ...] = ()
    outcomes: tuple[Estimate, ...] = ()  # best first
    needed: Estimate | None = None
    problems: tuple[str, ...] = ()
    unrated: bool = False

    @property
    def rows(self) -> tuple[EstimatedOpponent, ...]:
        """Return the opponents, with room for more."""
        room = max(1, 5 - len(self.opponents))
        return (*self.opponents, *[EstimatedOpponent(given="")] * room)


def estimate(state: State) -> SystemEstimatePage:
    """Return everything that follows from the address; what cannot be used is named."""
    systems = {key: one for one in all_systems(office()) for key in one.pools}
    pools = {key: title for key, title in current().titles_of_pools.items() if key in systems}
    pool = state.pool if state.pool in pools else next(iter(pools))
    state, system = replace(state, pool=pool), systems[pool]
    problems: list[str] = []
    own = _record(state.player or state.rating, system, state, problems) if state.player or state.rating else None
    found = [
        (text.strip(), _record(text.strip(), system, state, problems))
        for text, _result in state.opponents[:MOST]
        if text.strip()
    ]
    known = [(text, one) for text, one in found if one is not None]
    page = SystemEstimatePage(
        asked=state,
        pools=pools,
        system=system.title,
        opponents=tuple(EstimatedOpponent(given=text) for text, _one in found),
        lead=_("Enter a rating and the opponents' ratings or IDs, and see what every score would give."),
        problems=tuple(problems),
        unrated=own is None,
    )
    if problems or not known:
        return page
    start = own[1] if own else system.start(Player(1, "1", rank="5k"), state.on, pool)
    return _worked_out(page, system, start, known)


def _worked_out(
    page: SystemEstimatePage, system: RatingSystem, own: Rating, known: Sequence[tuple[str, tuple[str, Rating]]]
) -> SystemEstimatePage:
    state, field = page.asked, [record for _text, (_name, record) in known]
    try:
        found = outcomes(system, own, field, state.on, state.pool, draws=current().game != "go")
    except CrosstableError as problem:
        return replace(page, problems=(str(problem),))
    target = _target(state.target)
    needed = needed_for(target, found) if target is not None else None
    opponents = tuple(
        EstimatedOpponent(given=text, name=name, rating=record.rating, expected=system.expect(own, record))
        for text, (name, record) in known
    )
    lead = _lead(found, target, needed)
    return replace(page, opponents=opponents, outcomes=tuple(reversed(found)), needed=needed, lead=lead)


def _lead(found: Sequence[Estimate], target: float | None, needed: Estimate | None) -> str:
    games, expected = len(found) - 1, found[0].expected
    nearest = min(found, key=lambda one: abs(one.score - expected))
    words = _("{score} would bring {before} to {after}.").format(
        score=points(nearest.score), before=rating_text(nearest.before.rating), after=rating_text(nearest.after.rating)
    )
    if target is None or not games:
        return words
    if needed is None:
        return _("{words} Even winning every game does not reach {target}.").format(
            words=words, target=rating_text(target)
        )
    return _("{words} For {target} it takes {score}.").format(
        words=words, target=rating_text(target), score=points(needed.score)
    )


def _target(text: str) -> float | None:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None


def _record(text: str, system: RatingSystem, state: State, problems: list[str]) -> tuple[str, Rating] | None:
    """Return the name and the record behind an ID, or a settled record behind a rating that was typed."""
    row = PlayerRow.objects.filter(number=text).first() if text.isdigit() else None
    if row is not None:
        kept = main_record(row)
        shown = ratings.live([kept.id]).get(kept.id, {}).get(state.pool)
        if shown is None or shown.rating is None:
            problems.append(_("{name} has no rating to show in this pool.").format(name=person.of(kept).name))
            return None
        return person.of(kept).name, ratings.records([kept.id])[kept.id][state.pool]
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = float("nan")
    low, high = system.limits
    if not low <= value <= high:
        problems.append(_("“{text}” is neither a rating nor an ID of this office.").format(text=text[:20]))
        return None
    return "", settled(system, value, state.on, state.pool)
