"""A draft as its owner sees it: the crosstable as understood, and each finding, with its fixes, beside its row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from crosstable.fixes import with_fixes
from crosstable.fixes.places import place_of
from crosstable.fixes.suggestions import Case, suggestions
from crosstable.formats.crosstable import BYE_LETTERS, game_points, people, player_byes, scores
from crosstable.formats.crosstable import rounds as rounds_of
from crosstable.formats.fields import is_new_member
from crosstable.model import PLAYED_RESULTS, Event, Finding, Fix, Game, Level, Place, Player, Section
from crosstable.office.ledger.office_settings import keys_of, office
from crosstable.office.reports import candidates, crosstable_cells, finding_words, fixing, raw_cells
from crosstable.office.reports import findings as gate
from crosstable.office.reports.drafts import Loaded
from crosstable.systems.structure import problems

#: Findings whose players are looked up by name: their ids cannot be right
_ASK_NAMES = frozenset({"no-id", "unknown-id", "name-differs", "id-format", "long-id", "namesake", "far-from-record"})
#: Findings beside which a newcomer's age is asked for
_ASKS_AGE = ("unknown-id", "no-id", "id-to-come")
#: Fixes that say how old a newcomer is, which decides the first rating
AGES = ("adult", "born")
#: Fixes whose value is typed into the cell of a round instead of a field
_IN_CELLS = ("result", "opponent")
_FINDABLE = ("no-id", "unknown-id", "name-differs", "id-format", "namesake", "far-from-record")
_MOST_CONTROLS = 3
#: More of a kind in one section are also answered together
_MANY = 3
_BYES = {
    "full": "Full bye",
    "pairing": "Full bye",
    "half": "½ bye",
    "forfeit-win": "Forfeit win",
    "forfeit-loss": "Forfeit",
    "forfeit-draw": "Forfeit",
}
_LETTERS = {2: "W", 1: "D", 0: "L"}


@dataclass(frozen=True, slots=True)
class Offered:
    """How the fixes of a finding are shown. `find`: whether the player can be looked for by name, behind the others."""

    first: tuple[Fix, ...]
    others: tuple[Fix, ...]
    find: bool


def _controls(group: Sequence[Fix]) -> int:
    """Return how many fields and buttons some fixes have that share their fields."""
    return len(group[0].inputs) + len(group)


def _not_suggested(fix: Fix) -> bool:
    return not fix.suggested


@dataclass(frozen=True, slots=True)
class Shown:
    """A finding with its place and its fixes. `said`: its owner says that it is right."""

    key: str
    place: Place
    words: str
    advice: str
    said: bool
    finding: Finding

    @property
    def code(self) -> str:
        return self.finding.code

    @property
    def fixes(self) -> tuple[Fix, ...]:
        return self.finding.fixes

    @property
    def buttons(self) -> tuple[Fix, ...]:
        """The fixes that are still asked for: of a player who is said to be new, also the age."""
        return self.fixes if not self.said else tuple(one for one in self.fixes if one.kind in AGES)

    @property
    def must(self) -> bool:
        return self.finding.level is Level.ERROR

    @property
    def look(self) -> bool:
        return self.finding.level is Level.WARNING and not self.said

    @property
    def in_cell(self) -> bool:
        """Whether the answer is typed into the cell of a round."""
        typed = any(one.kind in _IN_CELLS and one.inputs for one in self.buttons)
        return typed and self.place.player is not None and self.place.round is not None

    @property
    def findable(self) -> bool:
        """Whether the player can be looked for by name."""
        return not self.said and self.place.player is not None and self.code in _FINDABLE

    @property
    def offered(self) -> Offered:
        """The fixes beside the message, and those behind "Other": one mistake never shows more than three controls."""
        fixes = [one for one in self.buttons if not (self.in_cell and one.kind in _IN_CELLS and one.inputs)]
        groups = [tuple(some) for _, some in groupby(sorted(fixes, key=_not_suggested), key=lambda one: one.inputs)]
        taken = int(self.in_cell)
        if taken + self.findable + sum(map(_controls, groups)) <= _MOST_CONTROLS:
            return Offered(tuple(fixes), (), find=self.findable)
        shown: list[Fix] = []
        for group in groups:
            if not group[0].inputs:
                shown += group[: _MOST_CONTROLS - 1 - taken - len(shown)]
            elif not shown and not taken and _controls(group) < _MOST_CONTROLS:
                return Offered(group, tuple(one for one in fixes if one not in group), find=self.findable)
        return Offered(tuple(shown), tuple(one for one in fixes if one not in shown), find=self.findable)

    @property
    def main(self) -> Fix | None:
        return next((fix for fix in self.fixes if fix.suggested and not fix.inputs), None)


@dataclass(frozen=True, slots=True)
class Cell(crosstable_cells.Cell):
    """One round of one player; `words` of a round without a game.

    A bad one has a finding; `typed`: as the file has it.
    """

    bad: bool = False
    typed: str = ""
    forfeit: str = ""  # X or F of a game that was not played

    @property
    def text(self) -> str:
        """What one would type to get this cell."""
        color = {"□": "w", "■": "b"}.get(self.side, "")
        return self.typed or f"{self.letter or self.forfeit}{self.opponent or ''}{color if self.opponent else ''}"


@dataclass(frozen=True, slots=True)
class Row:
    player: Player
    cells: tuple[Cell, ...]
    total: float
    findings: tuple[Shown, ...]
    games: int = 0

    @property
    def new(self) -> bool:
        """A new member, to whom the office gives an id."""
        return is_new_member(self.player)

    @property
    def bad_id(self) -> bool:
        return any(one.code in _ASK_NAMES | {"transposed-id"} and not one.said for one in self.findings)


class _Counted:
    """Whatever has findings counts those that need fixing and those to look at."""

    __slots__ = ()

    @property
    def all(self) -> list[Shown]:
        raise NotImplementedError

    @property
    def must(self) -> int:
        return sum(one.must for one in self.all)

    @property
    def look(self) -> int:
        return sum(one.look for one in self.all)


@dataclass(frozen=True, slots=True)
class Part(_Counted):
    """A section."""

    number: int
    name: str
    players: int
    games: int
    rounds: int
    time_control: str
    kind: str
    mode: str
    weight: str
    pools: tuple[str, ...]
    findings: tuple[Shown, ...]  # of the section as a whole
    rows: tuple[Row, ...]

    @property
    def all(self) -> list[Shown]:
        return [*self.findings, *(one for row in self.rows for one in row.findings)]

    @property
    def many(self) -> list[tuple[str, str, int]]:
        """What can be said to be right of many rows at once: code, words, how many."""
        open_ = Counter(one.code for one in self.all if one.look and any(fix.kind == "keep" for fix in one.fixes))
        words = {"unknown-id": "They are new members: keep all {} ids"}
        return [
            (code, words.get(code, "These {} are right").format(count), count)
            for code, count in open_.items()
            if count > _MANY
        ]

    @property
    def strangers(self) -> list[Shown]:
        """FIDE numbers that are no one's id here, of people whom the register does not have by name either."""
        return [
            one
            for one in self.all
            if one.code == "unknown-id"
            and one.look
            and not one.main
            and any(fix.kind == "new-member" for fix in one.fixes)
        ]

    @property
    def ageless(self) -> int:
        """Newcomers for whom it is still asked whether they are adults."""
        return sum(any(fix.kind == "adult" for fix in one.buttons) for one in self.all)

    @property
    def many_ageless(self) -> int:
        """The same, where there are so many that they are also answered together."""
        return self.ageless if self.ageless > _MANY else 0

    @property
    def turns(self) -> range:
        return range(1, self.rounds + 1)

    @property
    def columns(self) -> int:
        """How many columns its table has: number, player, ID, the rounds, total."""
        return self.rounds + 4


@dataclass(frozen=True, slots=True)
class Look(_Counted):
    """The whole draft."""

    event: Event | None
    findings: tuple[Shown, ...]  # of the event and its file
    parts: tuple[Part, ...]

    @property
    def all(self) -> list[Shown]:
        return [*self.findings, *(one for part in self.parts for one in part.all)]

    @property
    def ageless(self) -> int:
        return sum(part.ageless for part in self.parts)

    @property
    def suggested(self) -> list[Shown]:
        """Those with a fix that we would press, and that is still to do."""
        return [one for one in self.all if one.main and (one.must or one.look)]

    @property
    def open(self) -> list[Shown]:
        """Of the event as a whole, what needs fixing or a look."""
        return [one for one in self.findings if one.must or one.look]

    @property
    def notices(self) -> list[Shown]:
        return [one for one in self.findings if not (one.must or one.look)]

    @property
    def ready(self) -> list[Part]:
        """The sections that can be rated; none where the event itself is not in order."""
        if self.event is None or any(one.must for one in self.findings):
            return []
        return [part for part in self.parts if not part.must]

    def find(self, key: str) -> Shown | None:
        return next((one for one in self.all if one.key == key), None)


def findings(draft: Loaded) -> list[Finding]:
    """Everything that submitting and review would find, through the one gate."""
    return gate.of_draft(draft.as_reading())


def look(draft: Loaded) -> Look:
    """Read the draft with everything that was found in it."""
    found = _with_unreadable_day(findings(draft))
    if draft.event is None:
        return Look(None, tuple(_shown(one, Event("", None, None, ()), set()) for one in found), ())
    event = draft.event
    kept = [one for one in found if _tells(one, found, event)]
    known = {**candidates.by_name(_names(kept, event)), **candidates.by_id(_nameless(event))}
    said = fixing.said_right(draft.row)
    shown = [_shown(one, event, said) for one in with_fixes(event, kept, known)]
    numbers = {section.number for section in event.sections}
    whole = tuple(one for one in shown if one.place.section not in numbers)
    parts = tuple(_part(event, section, shown) for section in event.sections)
    return Look(event, whole, parts)


def _with_unreadable_day(found: Sequence[Finding]) -> list[Finding]:
    """Say of a date that cannot be read, once, why the event has none."""
    unread = [one for one in found if one.code == "unreadable-date" and one.place.part in ("start", "end")]
    if not unread or not any(one.code == "missing-date" for one in found):
        return list(found)
    return [
        replace(one, facts={**one.facts, **unread[0].facts}) if one.code == "missing-date" else one
        for one in found
        if one not in unread
    ]


def _tells(finding: Finding, found: Sequence[Finding], event: Event) -> bool:
    """Not what another finding says better at the same place."""
    codes = {(one.code, one.place) for one in found}
    if finding.code == "missing-id":  # each row says so; for many there is a form besides
        return sum(one.code == "no-id" for one in found) > _MANY
    if finding.code == "unknown-id":
        return ("transposed-id", finding.place) not in codes
    if finding.code == "missing-rating":  # whose id is asked for is asked for an age there too
        asked = [place_of(one, event) for one in found if one.code in _ASKS_AGE]
        place = place_of(finding, event)
        return not any((one.section, one.player) == (place.section, place.player) for one in asked)
    if finding.code == "unratable-time-control":
        return ("not-ratable", finding.place) not in codes
    if finding.code == "total-differs":  # until it is said how a game ended, the total is not to blame
        number = place_of(finding, event)
        games = [
            place_of(one, event) for one in found if one.code in ("result-clash", "not-mirrored", "unreadable-cell")
        ]
        return not any(one.section == number.section and number.player in one.players for one in games)
    if finding.code == "not-mirrored":  # the cell names a number that no player has: said there
        return not any(_is_mirror(finding, one, event) for one in found if _has_mirror(one, event))
    if finding.code == "unknown-player":  # the two rows do not agree: it is asked who won
        others = [one for one in found if one.code == "not-mirrored" and _is_mirror(one, finding, event)]
        return _has_mirror(finding, event) or not others
    if finding.code == "two-games-in-round":  # one of them is against a number that no player has
        place = place_of(finding, event)
        return not any(_same_round(place, place_of(one, event)) for one in found if one.code == "unknown-player")
    if finding.code == "uneven-rounds":  # the cell that could not be read
        place = place_of(finding, event)
        others = [one for one in found if one.code in ("not-mirrored", "unreadable-cell")]
        return not any(_same_round(place, place_of(one, event)) for one in others)
    return True


def _is_mirror(finding: Finding, unknown: Finding, event: Event) -> bool:
    """Return whether the cell that names an unknown number is the one that does not name its opponent."""
    one, other = place_of(finding, event), place_of(unknown, event)
    return _same_round(one, other) and finding.facts.get("names") in other.players


def _has_mirror(finding: Finding, event: Event) -> bool:
    """Return whether the opponent's row says whom a cell with an unknown number means."""
    case = Case(event, finding, place_of(finding, event))
    return finding.code == "unknown-player" and any("new" in fix.values for fix in suggestions(case))


def _same_round(one: Place, other: Place) -> bool:
    return (one.section, one.round) == (other.section, other.round) and bool(set(one.players) & set(other.players))


def _nameless(event: Event) -> set[str]:
    """Ids that stand without a name: the register has it."""
    return {
        player.id for section in event.sections for player in section.players if player.id and not player.name.strip()
    }


def _names(found: Iterable[Finding], event: Event) -> list[str]:
    wanted = {
        (place.section, place.player) for one in found if one.code in _ASK_NAMES and (place := place_of(one, event))
    }
    return [
        player.name
        for section in event.sections
        for player in section.players
        if player.name and (section.number, player.number) in wanted
    ]


def _shown(finding: Finding, event: Event, said: set[str]) -> Shown:
    place = place_of(finding, event)
    key = fixing.key(finding)
    advice = "" if finding.fixes and finding.code not in finding_words.ALWAYS else finding_words.advice(finding)
    return Shown(
        key=key,
        place=place,
        words=finding_words.said(finding, event, place),
        advice=advice,
        said=key in said,
        finding=finding,
    )


def _part(event: Event, section: Section, shown: Sequence[Shown]) -> Part:
    own = [one for one in shown if one.place.section == section.number]
    numbers = {player.number for player in section.players}
    in_rows = [one for one in own if one.place.player in numbers and one.code != "re-entry"]
    width = max(rounds_of(section), 0)
    cells = _cells(section, width, in_rows)
    points = scores(section)
    rows = tuple(
        Row(
            player,
            cells.get(player.number, ()),
            points[player.number] / 2,
            tuple(one for one in in_rows if one.place.player == player.number),
            sum(player.number in (game.white, game.black) for game in section.games),
        )
        for player in section.players
    )
    return Part(
        number=section.number,
        name=section.name,
        players=people([section]),
        games=len(section.games),
        rounds=width,
        time_control=section.time_control or "",
        kind=section.kind,
        mode=section.mode,
        weight=section.weight,
        pools=_pools(event, section),
        findings=tuple(one for one in own if one not in in_rows),
        rows=rows,
    )


def _pools(event: Event, section: Section) -> tuple[str, ...]:
    """Return what it is rated in, as far as that can be said."""
    alone = replace(event, sections=(section,))
    if event.start is None or event.end is None or problems(alone):
        return ()
    return keys_of(office(), alone, section)


def _cells(section: Section, width: int, shown: Sequence[Shown]) -> dict[int, tuple[Cell, ...]]:
    """Everybody's rounds; of two games in one round the first."""
    open_ = [one for one in shown if one.must or one.look]
    marked = {(number, one.place.round) for one in open_ for number in one.place.players}
    places = [(one.finding, one.place) for one in open_]
    typed, named = raw_cells.cells(places), raw_cells.opponents(places)
    table: dict[int, dict[int, Cell]] = {player.number: _byes(player) for player in section.players}
    for game in section.games:
        for number, cell in _sides(section, game):
            at = number, game.round
            if at in named and named[at] != cell.opponent:
                continue  # the opponent says so, this row does not
            if number in table and not (table[number].get(game.round) or Cell(0)).opponent:
                table[number][game.round] = cell
    return {
        number: tuple(
            replace(row.get(turn, Cell(turn)), bad=(number, turn) in marked, typed=typed.get((number, turn), ""))
            for turn in range(1, width + 1)
        )
        for number, row in table.items()
    }


def _byes(player: Player) -> dict[int, Cell]:
    return {
        int(turn): Cell(int(turn), BYE_LETTERS[kind], words=_BYES[kind])
        for turn, kind in player_byes(player.notes).items()
    }


def _sides(section: Section, game: Game) -> list[tuple[int, Cell]]:
    white, black = PLAYED_RESULTS.get(game.result, (None, None))
    known = section.colors and game.notes.get("color") != "unknown"
    sides = ((game.white, game.black, white, "□"), (game.black, game.white, black, "■"))
    unplayed = "" if game.played else f"{_forfeit(game)}"
    return [
        (
            number,
            Cell(
                round=game.round,
                letter="" if points is None else _LETTERS[points],
                opponent=other,
                side=side if known else "",
                words=unplayed,
                forfeit="" if game.played else crosstable_cells.FORFEITS[game_points(game, number)],
            ),
        )
        for number, other, points, side in sides
    ]


def _forfeit(game: Game) -> str:
    return "forfeit" if game.result in ("+/-", "-/+", "-/-") else game.result
