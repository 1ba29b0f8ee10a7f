"""Which rating systems a section is rated in: its mode, its time control and the rules in force decide (2025 footnote 1)."""

from __future__ import annotations

from crosstable.errors import UnknownSystem
from crosstable.rulebook import Rules, rulebook
from crosstable.systems.us_chess.time_controls import TimeControl, parse


def rated_in(rules: Rules, mode: str, time_control: str) -> tuple[str, ...]:
    """The systems that all rounds have in common, regular first. Two of them: the section is dual-rated."""
    controls = parse(time_control)
    rounds = [systems_of(rules, mode, control) for control in controls]
    common = tuple(name for name in rounds[0] if all(name in systems for systems in rounds))
    if not common:
        spellings = "; ".join(
            f"'{control.text}': {'+'.join(systems)}" for control, systems in zip(controls, rounds, strict=True)
        )
        raise UnknownSystem(f"its rounds have no rating system in common ({spellings})")
    return common


def systems_of(rules: Rules, mode: str, control: TimeControl) -> tuple[str, ...]:
    """The systems of one time control, by mm + ss. Raises UnknownSystem where there is none, or none yet."""
    total = control.total
    names = _online(rules, total) if mode == "online" else _over_the_board(rules, total)
    if not names:
        raise UnknownSystem(
            f"'{control.text}' (mm + ss = {total:g}) is not ratable {'online' if mode == 'online' else 'over the board'} on {rules.date}"
        )
    for name in names:
        if name not in rules["rating_systems"]["systems"]:
            raise UnknownSystem(f"{name} ratings do not exist on {rules.date}: they begin on {first_day(name)}")
    return names


def first_day(name: str) -> str:
    """The day on which a rating system began."""
    for value in rulebook("us_chess").rules["rating_systems"].written:
        if name in value["systems"]:
            return str(value.since)
    raise UnknownSystem(f"no US Chess rating system '{name}'")


def _over_the_board(rules: Rules, total: float) -> tuple[str, ...]:
    ranges = rules["time_controls"]
    if total < ranges["least"]:
        return ()
    if ranges["blitz_from"] and total <= ranges["blitz_through"]:
        return ("OTBB",)
    if total < ranges["regular_from"]:
        return ("OTBQ",)
    return ("OTBR", "OTBQ") if total <= ranges["dual_through"] else ("OTBR",)


def _online(rules: Rules, total: float) -> tuple[str, ...]:
    ranges = rules["time_controls"]
    if total < ranges["least"]:
        return ()
    if ranges["online_regular_from"] and total >= ranges["online_regular_from"]:
        return ("OLR",)
    if total <= ranges["blitz_through"] or not ranges["blitz_from"]:
        return ("OLB",)
    return ("OLQ",) if total <= ranges["online_quick_through"] else ()
