"""The AGA results report: `TOURNEY`, `PLAYERS`, `GAMES`. Go players are welcome."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from crosstable.errors import EventRejected
from crosstable.formats import codes, crosstable, dates, encoding, fields, limits, losses
from crosstable.formats.base import Loss, Reading, Written
from crosstable.formats.registry import Content, Format
from crosstable.formats.trf_writing import one_section
from crosstable.model import Event, Finding, Game, Place, Player, Section

NAME = "aga-report"

_RANK = r"\d{1,2}\s?(?:dan|kyu|[dkp])|-?\d{1,2}\.\d+"
_PLAYER = re.compile(rf"(\S++)\s++(?:(.*)\s)?({_RANK})", re.ASCII | re.IGNORECASE)
_GAME = re.compile(r"(\S++)\s++(\S++)\s++([wWbB?])\s++(\d{1,2})\s++(-?\d{1,3}(?:\.\d{1,3})?)", re.ASCII)
_FACT = re.compile(r"\s*+(start|finish|rules|date|location)\s*+=(.*)", re.IGNORECASE)
#: What stands after the heading of a part: how many follow, or which round it is. The games' order says as much.
_COUNT = re.compile(r"\(?\d{0,5}\)?:?")
_COMMENT = re.compile(r"#|(?:^|\s)//")
_HEADING = re.compile(r"WHITE\s+BLACK\b.*|END", re.IGNORECASE)


def _looks_like(content: Content) -> bool:
    head = content.text.replace("\r", "\n")
    players, games = re.search(r"(?im)^[ \t]*PLAYERS\b", head), re.search(r"(?im)^[ \t]*GAMES\b", head)
    if re.search(r"(?im)^[ \t]*TOURNEY\b", head):
        return bool(players or games)
    return bool(players and games and re.search(r"(?im)^[ \t]*TOURNAMENT[ \t]*$", head))


def read(data: bytes) -> Reading:
    text = encoding.decode(data)
    lines = text.lines
    limits.check_count("lines", len(lines), limits.LINES)
    findings = list(text.findings)
    parts: dict[str, list[tuple[int, str]]] = {"TOURNEY": [], "PLAYERS": [], "GAMES": []}
    part = "TOURNEY"
    for number, line in enumerate(lines, start=1):
        words = encoding.clean(_COMMENT.split(line)[0])
        first, _, rest = words.partition(" ")
        if first.upper() in parts:
            part, words = first.upper(), rest.strip()
            if part != "TOURNEY" and _COUNT.fullmatch(words):
                continue
        elif words.upper() == "TOURNAMENT" and not any(parts.values()):
            continue
        if words and (part == "TOURNEY" or not _HEADING.fullmatch(words)):
            parts[part].append((number, words))
    players = _players(parts["PLAYERS"], findings)
    games = _games(parts["GAMES"], players, findings)
    return Reading(NAME, _event(parts["TOURNEY"], players, games, findings), tuple(findings))


def _event(
    lines: list[tuple[int, str]], players: dict[str, Player], games: list[Game], findings: list[Finding]
) -> Event:
    facts: dict[str, str] = {}
    title = ""
    for _, line in lines:
        match = _FACT.fullmatch(line)
        if match:
            facts[match[1].lower()] = _without_comma(match[2])
        elif not title:
            title = line
    name, place = ([part.strip() for part in title.split(",")] + ["", ""])[:2]
    texts = facts.get("start", facts.get("date", "")), facts.get("finish", facts.get("start", facts.get("date", "")))
    found: list[date | None] = []
    for text, days in zip(texts, dates.span(*texts), strict=True):
        if text and not days:
            findings.append(codes.UNREADABLE_DATE.at("TOURNEY", repr(text)))
        found.append(days[-1] if days else None)  # an American format: the month stands first
    notes: dict[str, object] = {"game": "go", **({"rules": facts["rules"]} if facts.get("rules") else {})}
    section = Section(
        number=1,
        name=name,
        start=found[0],
        end=found[1],
        players=tuple(players.values()),
        games=tuple(games),
        kind="other",
        notes=notes,
    )
    return Event(name, found[0], found[1], (section,), city=facts.get("location", place).split(",")[0].strip())


def _players(lines: list[tuple[int, str]], findings: list[Finding]) -> dict[str, Player]:
    limits.check_count("players", len(lines), limits.PLAYERS)
    players: dict[str, Player] = {}
    for number, line in lines:
        match = _PLAYER.fullmatch(line)
        if not match or match[1] in players:
            why = "the same id twice" if match else "not an id, a name and a rank"
            findings.append(codes.INVALID_LINE.at(Place(line=number), f"{line[:60]!r}: {why}"))
            continue
        rank = re.sub(r"\s|(?<=d)an|(?<=k)yu", "", match[3].lower())
        players[match[1]] = Player(len(players) + 1, match[1], _without_comma(match[2] or ""), rank=rank)
    return players


def _without_comma(text: str) -> str:
    """Return a name or a fact without the comma behind it."""
    return text.strip().removesuffix(",").rstrip()


def _games(lines: list[tuple[int, str]], players: dict[str, Player], findings: list[Finding]) -> list[Game]:
    limits.check_count("games", len(lines), limits.CELLS)
    games: list[Game] = []
    played: dict[int, int] = defaultdict(int)
    for number, line in lines:
        where = Place(line=number)
        match = _GAME.fullmatch(line)
        if not match:
            findings.append(codes.INVALID_LINE.at(where, f"{line[:60]!r}: not white, black, w|b, handicap, komi"))
            continue
        missing = [name for name in (match[1], match[2]) if name not in players]
        if missing or match[1] == match[2]:
            why = f"{missing[0]} is not among the players" if missing else "a player against themself"
            findings.append(codes.INVALID_LINE.at(where, f"{line[:60]!r}: {why}"))
            continue
        if match[3] == "?":
            findings.append(codes.NO_RESULT.at(where, repr(line[:60])))
            continue
        white, black = players[match[1]].number, players[match[2]].number
        round_ = (
            max(played[white], played[black]) + 1
        )  # the report has no rounds: each game comes after both players' last
        played[white] = played[black] = round_
        result = "1-0" if match[3].lower() == "w" else "0-1"
        games.append(Game(round_, white, black, result, handicap=int(match[4]), komi=float(match[5])))
    return games


def writable_event(event: Event, section: int | None = None) -> Event:
    """Return the event as such a report can hold it: one section, won and lost games, no rounds."""
    chosen = one_section(event, section, "an AGA report")
    crosstable.require_table(chosen)
    ids = [re.sub(r"[\s#]", "", encoding.clean(player.id)) or str(player.number) for player in chosen.players]
    _require_go(chosen, ids)
    places = {player.number: place for place, player in enumerate(chosen.players, start=1)}
    players = tuple(
        _held_player(player, places[player.number], id_) for player, id_ in zip(chosen.players, ids, strict=True)
    )
    notes: dict[str, object] = {"game": "go"}
    if rules := _plain(fields.note_text(chosen.notes, "rules")):
        notes["rules"] = rules
    name, start, end = _plain(event.name), chosen.start or event.start, chosen.end or event.end
    if _FACT.fullmatch(name):
        name = ""
    games = tuple(_held_games(chosen, places))
    kept = Section(
        number=1, name=name, start=start, end=end or start, players=players, games=games, kind="other", notes=notes
    )
    return Event(name, start, end or start, (kept,), city=_plain(event.city) if name else "")


def _require_go(section: Section, ids: list[str]) -> None:
    where = Place(section=section.number)
    findings = [
        codes.INVALID_LINE.at(where.at(players=(player.number,)), f"no go rank to write: {player.rank!r}")
        for player in section.players
        if not re.fullmatch(r"\d{1,2}[dkp]|-?\d{1,2}\.\d+", (player.rank or "").lower(), re.ASCII)
    ]
    if len(set(ids)) != len(ids) or any(id_.upper() in ("TOURNEY", "PLAYERS", "GAMES") for id_ in ids):
        findings.append(codes.INVALID_LINE.at(where, "two players have the same ID, or one is not an ID"))
    if findings:
        raise EventRejected(findings)


def _plain(text: str) -> str:
    """Commas separate, # begins a comment, and a first word PLAYERS would begin the next part."""
    text = encoding.clean(re.sub(r"[,#=]", " ", text))
    return "" if text.split(" ")[0].upper() in ("TOURNEY", "PLAYERS", "GAMES") else text


def _held_player(player: Player, number: int, id_: str) -> Player:
    rank = (player.rank or "").lower()
    name = encoding.clean(re.sub(r"#", " ", player.name)).strip(", ")
    return Player(number, id_, name, rank=rank)


def _held_games(section: Section, places: dict[int, int]) -> Iterator[Game]:
    played: dict[int, int] = defaultdict(int)
    for game in sorted(section.games, key=lambda game: game.round):
        if game.result not in ("1-0", "0-1"):
            continue
        white, black = places[game.white], places[game.black]
        round_ = max(played[white], played[black]) + 1
        played[white] = played[black] = round_
        komi = float(f"{game.komi:.3f}") if math.isfinite(game.komi) and abs(game.komi) < 1000 else 0.0
        yield Game(round_, white, black, game.result, handicap=min(max(game.handicap, 0), 99), komi=komi)


def write(event: Event, section: int | None = None) -> Written:
    kept = writable_event(event, section)
    (chosen,) = kept.sections
    ids = {player.number: player.id for player in chosen.players}
    lines = [f"TOURNEY {kept.name}, {kept.city}".rstrip(", ")]
    if kept.start and kept.end:
        lines += [f"\tstart={kept.start.isoformat()}", f"\tfinish={kept.end.isoformat()}"]
    if rules := fields.note_text(chosen.notes, "rules"):
        lines.append(f"\trules={rules}")
    lines += ["", "PLAYERS", *(f"{p.id} {p.name} {p.rank}" for p in chosen.players), "", "GAMES"]
    for game in chosen.games:
        winner = "w" if game.result == "1-0" else "b"
        lines.append(f"{ids[game.white]} {ids[game.black]} {winner} {game.handicap} {game.komi:g}")
    alone = replace(event, sections=tuple(s for s in event.sections if s.number == section or len(event.sections) == 1))
    others = () if len(event.sections) == 1 else (Loss("section", len(event.sections) - 1, counted=True),)
    return Written(("\n".join(lines) + "\n").encode("utf-8"), (*others, *losses.between(alone, kept)))


FORMATS = (
    Format(
        name=NAME,
        title="AGA results report",
        suffixes=(".aga",),
        looks_like=_looks_like,
        read=lambda content: read(content.data),
        write=write,
    ),
)
