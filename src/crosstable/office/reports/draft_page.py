"""Whom the office knows by the names of a report, where an id is missing or wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from crosstable.formats.crosstable import BYE_LETTERS, people, player_byes, scores
from crosstable.formats.crosstable import rounds as rounds_of
from crosstable.formats.fields import is_new_member
from crosstable.formats.given import first_name_first
from crosstable.model import PLAYED_RESULTS, Event, Finding, Game, Level, Place, Player, Section
from crosstable.office.ledger import models, names
from crosstable.office.ledger.office_settings import keys_of, office
from crosstable.office.players import person
from crosstable.office.players.person import Person
from crosstable.office.reports import crosstable_cells, finding_words, fixing, raw_cells
from crosstable.office.reports import findings as gate
from crosstable.office.reports.drafts import Loaded
from crosstable.office.reports.raw_cells import place_of
from crosstable.office.reports.suggested_fixes import Case, Offer, offered
from crosstable.systems.structure import problems

#: So many of one name are offered; more are looked for by hand
MOST = 3


def by_name(wanted_names: Sequence[str]) -> dict[str, tuple[Person, ...]]:
    """Name → those who have all its words in theirs, whatever the order; where nobody has, those whose last name is one
    letter off. A few questions, however many names there are."""
    wanted = {name: frozenset(word for word in names.words_of(name) if len(word) > 1) for name in wanted_names}
    wanted = {name: words for name, words in wanted.items() if len(words) > 1}
    if not wanted:
        return {}
    rows_of = _rows({word for words in wanted.values() for word in words})
    rows = {name: set.intersection(*(rows_of.get(word, set()) for word in words)) for name, words in wanted.items()}
    rows |= _misspelt({name: wanted[name] for name, found in rows.items() if not found}, rows_of)
    shown = _people({row for found in rows.values() if len(found) <= MOST * 3 for row in found})
    return {name: _in_order(found, shown) for name, found in rows.items() if found}


def by_id(ids: Collection[str]) -> dict[str, tuple[Person, ...]]:
    """Id → who has it, for rows without a name."""
    if not ids:
        return {}
    found = models.Player.objects.filter(number__in=ids, merged_into=None, withheld=False).exclude(name="")
    people_ = (person.person(*row) for row in found.values_list(*person.COLUMNS))
    return {one.number: (one,) for one in people_}


def _rows(words: Collection[str]) -> dict[str, set[int]]:
    """Word → the players in whose names it is."""
    found: dict[str, set[int]] = {}
    for word, player in names.having(words, "player_id"):
        found.setdefault(word, set()).add(player)
    return found


def _misspelt(unknown: Mapping[str, frozenset[str]], rows_of: Mapping[str, set[int]]) -> dict[str, set[int]]:
    """Name → those with the same other words, and a last name that differs in one letter."""
    last = {name: names.words_of(first_name_first(name))[-1] for name in unknown}
    near = {name: names.one_letter_off(word) for name, word in last.items()}
    near_rows = _rows(set().union(*near.values()))
    found: dict[str, set[int]] = {}
    for name, words in unknown.items():
        others = [rows_of.get(word, set()) for word in words - {last[name]}]
        alike = set().union(*(near_rows.get(word, set()) for word in near[name]))
        found[name] = alike.intersection(*others) if others else set()
    return found


def _people(rows: Iterable[int]) -> Mapping[int, Person]:
    found = models.Player.objects.filter(id__in=list(rows), merged_into=None, withheld=False).values_list(
        *person.COLUMNS
    )
    return {row[0]: person.person(*row) for row in found}


def _in_order(rows: Iterable[int], shown: Mapping[int, Person]) -> tuple[Person, ...]:
    return tuple(sorted((shown[row] for row in rows if row in shown), key=lambda one: one.number)[:MOST])


# A draft as its owner sees it: the crosstable as understood, each finding beside the row that it concerns, with its
# mends.

#: Whose names are looked up: who has one of these has no id that can be right
_ASK_NAMES = frozenset({"no-id", "unknown-id", "name-differs", "id-format", "long-id"})
#: Findings beside which a newcomer's age is asked for
_ASKS_AGE = ("unknown-id", "no-id", "id-to-come")
#: Mends that say how old a newcomer is, which decides the first rating
AGES = ("adult", "born")
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
class Shown:
    """A finding with its place and its mends. `said`: its owner says that it is right as it stands."""

    key: str
    place: Place
    words: str
    advice: str
    offers: tuple[Offer, ...]
    said: bool
    finding: Finding

    @property
    def code(self) -> str:
        return self.finding.code

    @property
    def buttons(self) -> tuple[Offer, ...]:
        """What is still asked: also of somebody who is said to be new, an adult or born when."""
        return self.offers if not self.said else tuple(one for one in self.offers if one.action in AGES)

    @property
    def must(self) -> bool:
        return self.finding.level is Level.ERROR

    @property
    def look(self) -> bool:
        return self.finding.level is Level.WARNING and not self.said

    @property
    def main(self) -> Offer | None:
        return next((offer for offer in self.offers if offer.main and not offer.inputs), None)


@dataclass(frozen=True, slots=True)
class Cell(crosstable_cells.Cell):
    """One round of one player; `words` of a round without a game. A bad one has a finding; `typed`: as the file has it."""

    bad: bool = False
    typed: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    player: Player
    cells: tuple[Cell, ...]
    total: float
    findings: tuple[Shown, ...]
    elsewhere: tuple[Place, ...] = ()  # findings about a game of this row that stand in another row

    @property
    def new(self) -> bool:
        """A new member, to whom the office gives an id."""
        return is_new_member(self.player)

    @property
    def bad_id(self) -> bool:
        return any(one.code in _ASK_NAMES | {"transposed-id"} and not one.said for one in self.findings)


class _Counted:
    """Whatever has findings counts those that must be mended and those to look at."""

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
    pools: tuple[str, ...]
    findings: tuple[Shown, ...]  # of the section as a whole
    rows: tuple[Row, ...]

    @property
    def all(self) -> list[Shown]:
        return [*self.findings, *(one for row in self.rows for one in row.findings)]

    @property
    def many(self) -> list[tuple[str, str, int]]:
        """What can be said to be right of many rows at once: code, words, how many."""
        open_ = Counter(
            one.code for one in self.all if one.look and any(offer.action == "keep" for offer in one.offers)
        )
        words = {"unknown-id": "They are new members: keep all {} ids"}
        return [
            (code, words.get(code, "These {} are right").format(count), count)
            for code, count in open_.items()
            if count > _MANY
        ]

    @property
    def strangers(self) -> list[Shown]:
        """FIDE numbers that are nobody's id here, of people whom the register does not have by name either."""
        return [
            one
            for one in self.all
            if one.code == "unknown-id"
            and one.look
            and not one.main
            and any(offer.action == "new-member" for offer in one.offers)
        ]

    @property
    def ageless(self) -> int:
        """Newcomers for whom it is still asked whether they are adults."""
        return sum(any(offer.action == "adult" for offer in one.buttons) for one in self.all)

    @property
    def many_ageless(self) -> int:
        """The same, where there are so many that they are also answered together."""
        return self.ageless if self.ageless > _MANY else 0

    @property
    def turns(self) -> range:
        return range(1, self.rounds + 1)


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
        """Those with a mend that we would press, and that is still to do."""
        return [one for one in self.all if one.main and (one.must or one.look)]

    @property
    def open(self) -> list[Shown]:
        """Of the event as a whole, what is to be mended or looked at."""
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
    """The draft with everything that was found in it."""
    found = findings(draft)
    if draft.event is None:
        return Look(None, tuple(_shown(one, Event("", None, None, ()), {}, set()) for one in found), ())
    event = draft.event
    kept = [one for one in found if _tells(one, found, event)]
    known = {**by_name(_names(kept, event)), **by_id(_nameless(event))}
    said = fixing.said_right(draft.row)
    shown = [_shown(one, event, known, said) for one in kept]
    numbers = {section.number for section in event.sections}
    whole = tuple(one for one in shown if one.place.section not in numbers)
    parts = tuple(_part(event, section, shown) for section in event.sections)
    return Look(event, whole, parts)


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
    if finding.code == "uneven-rounds":  # the cell that could not be read
        place = place_of(finding, event)
        others = [one for one in found if one.code in ("not-mirrored", "unreadable-cell")]
        return not any(_same_round(place, place_of(one, event)) for one in others)
    return True


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


def _shown(finding: Finding, event: Event, known: Mapping[str, Sequence[Person]], said: set[str]) -> Shown:
    place = place_of(finding, event)
    offers = tuple(offered(Case(event, finding, place, known)))
    key = fixing.key(finding)
    advice = "" if offers and finding.code not in finding_words.ALWAYS else finding_words.advice(finding)
    return Shown(key, place, finding_words.said(finding, event, place), advice, offers, key in said, finding)


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
            tuple(
                one.place for one in in_rows if one.must and one.place.round and player.number in one.place.players[1:]
            ),
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
        pools=_pools(event, section),
        findings=tuple(one for one in own if one not in in_rows),
        rows=rows,
    )


def _pools(event: Event, section: Section) -> tuple[str, ...]:
    """What it is rated in, as far as that can be said."""
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
        (number, Cell(game.round, "" if points is None else _LETTERS[points], other, side if known else "", unplayed))
        for number, other, points, side in sides
    ]


def _forfeit(game: Game) -> str:
    return "forfeit" if game.result in ("+/-", "-/+", "-/-") else game.result
