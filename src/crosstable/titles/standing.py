"""A player's standing: a pure function of a history of events, so a corrected history simply gives the right answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from crosstable.titles.norms import Titles1996
from crosstable.titles.records import EventRecord, Need, Norm, Standing, TitleRules, TitleStanding


def standing(history: Sequence[EventRecord], rules: TitleRules | None = None, on: date | None = None) -> Standing:
    """Norms held, expired, titles earned with their date, and what the next event must bring, for every level.

    Events count in order of their date, whatever the order of `history`. `on`: the day asked about; without it, the day
    of the last event. Later events are not counted.
    """
    system: TitleRules = rules or Titles1996()
    events = _in_order([record for record in history if on is None or record.date <= on])
    day = on or (events[-1].date if events else None)
    titles = {}
    for level, title in system.levels.items():
        state = TitleStanding(level, title)
        peak: float | None = None
        for record in events:
            peak = _peak(peak, record)
            state = _after(state, record, system, peak)
            if state.earned:  # a title, once earned, stays (5.5 rule 3)
                break
        titles[level] = _today(state, day, system, peak)
    return Standing(day, titles)


def _in_order(records: Sequence[EventRecord]) -> list[EventRecord]:
    """By date; within a day in a fixed order, so that it does not matter how the history is listed."""
    places = {(record.date, record.name) for record in records}
    if len(places) == len(records):
        return sorted(records, key=lambda record: (record.date, record.name))
    return sorted(records, key=lambda record: (record.date, record.name, repr(record)))


def _peak(peak: float | None, record: EventRecord) -> float | None:
    if record.rating is None or not record.established:
        return peak
    return record.rating if peak is None else max(peak, record.rating)


def _after(state: TitleStanding, record: EventRecord, rules: TitleRules, peak: float | None) -> TitleStanding:
    """Return the standing towards one title, not yet earned, after one more event."""
    state = _expire(state, record.date)
    count = 0 if rules.barred(record) else rules.norms(record, state.level)
    if count:
        norm = Norm(record.date, count, record.supernorm, rules.expires(record.date), record.name)
        state = replace(state, held=(*state.held, norm))
    need = _need(state, rules, peak)
    earned = need.norms == 0 and need.supernorms == 0 and need.rating is None
    return replace(state, earned=record.date) if earned else state


def _expire(state: TitleStanding, day: date) -> TitleStanding:
    if not state.held:
        return state
    gone = tuple(norm for norm in state.held if norm.expires is not None and norm.expires < day)
    kept = tuple(norm for norm in state.held if norm not in gone)
    return replace(state, held=kept, expired=(*state.expired, *gone)) if gone else state


def _need(state: TitleStanding, rules: TitleRules, peak: float | None) -> Need:
    """Norms still missing; at least as many as supernorms are missing; and the rating, where the title asks for one."""
    supernorms = max(0, rules.supernorms_for(state.level) - state.supernorms)
    norms = max(0, rules.norms_for_title - state.norms, supernorms)
    wanted = rules.rating_for(state.level)
    rating = wanted if wanted is not None and (peak is None or peak < wanted) else None
    return Need(norms, supernorms, rating)


def _today(state: TitleStanding, day: date | None, rules: TitleRules, peak: float | None) -> TitleStanding:
    if state.earned or day is None:
        return state if state.earned else replace(state, need=_need(state, rules, peak))
    state = _expire(state, day)
    return replace(state, need=_need(state, rules, peak))
