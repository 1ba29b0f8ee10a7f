"""PGN files: the headers of their games. Moves and comments are passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from crosstable.errors import EventRejected
from crosstable.formats import codes, encoding
from crosstable.formats.base import Reading
from crosstable.formats.games import FileGame, event_of_lines
from crosstable.formats.registry import Content, Format
from crosstable.model import Event, Place

PGN = "pgn"
_TAG = re.compile(r'\[\s*([A-Za-z]+)\s+"((?:[^"\\]|\\.)*)"\s*\]')


def _tags(text: str) -> Iterator[dict[str, str]]:
    """Yield the tags of each game of a PGN file. Moves and comments are passed over."""
    game: dict[str, str] = {}
    for line in text.split("\n"):
        if tag := _TAG.fullmatch(line.strip()):
            name = tag[1].lower()
            if name == "event" and game:
                yield game
                game = {}
            game[name] = encoding.clean(re.sub(r"\\(.)", r"\1", tag[2]))
    if game:
        yield game


def read_pgn(data: bytes) -> Reading:
    """Return the seven tags that every game has: Event, Site, Date, Round, White, Black, Result;
    and the time control.
    """
    text = encoding.decode(data)
    findings = list(text.findings)
    games = list(_tags(text.text.replace("\r\n", "\n").replace("\r", "\n")))
    lines = [
        FileGame(
            Place(part=f"game {place}"),
            tags.get("white", ""),
            tags.get("black", ""),
            tags.get("result", ""),
            tags.get("round", ""),
            date=tags.get("date", "").replace(".", "/"),
            white_rating=_elo(tags, "whiteelo"),
            black_rating=_elo(tags, "blackelo"),
        )
        for place, tags in enumerate(games, start=1)
    ]
    unnamed = [line for line in lines if line.white in ("", "?") or line.black in ("", "?")]
    if unnamed:
        raise EventRejected(
            [*findings, *(codes.INVALID_LINE.at(line.where, "White or Black has no name") for line in unnamed[:20])]
        )
    controls = {tags["timecontrol"] for tags in games if tags.get("timecontrol") not in (None, "", "?", "-")}
    names = [tags["event"] for tags in games if tags.get("event", "?") != "?"]
    control = _control(controls.pop()) if len(controls) == 1 else ""
    event = event_of_lines(lines, names[0] if names else "", control, findings, (None, None), pool="ELO")
    site = next((tags["site"] for tags in games if tags.get("site", "?") != "?"), "")
    return Reading(PGN, Event(event.name, event.start, event.end, event.sections, city=site), tuple(findings))


def _elo(tags: Mapping[str, str], name: str) -> str:
    """WhiteElo or BlackElo, of whatever federation: kept as ELO; a person may say of which pool they are."""
    return tags.get(name, "") if tags.get(name, "").isdecimal() else ""


def _control(text: str) -> str:
    """Return a PGN time control in seconds, `5400+30`, as directors write it; others stay as they are."""
    match = re.fullmatch(r"(\d{2,5})(?:\+(\d{1,3}))?", text)
    if not match:
        return text
    minutes = f"{int(match[1]) / 60:g}"
    return f"G/{minutes};+{match[2]}" if match[2] and int(match[2]) else f"G/{minutes};d0"


def _looks_like(content: Content) -> bool:
    text = content.text[:20_000]
    return bool(re.search(r'(?m)^[ \t]*+\[White\s++"', text) and re.search(r'(?m)^[ \t]*+\[Black\s++"', text))


FORMATS = (
    Format(
        PGN,
        "PGN headers",
        (".pgn",),
        _looks_like,
        read=lambda content: read_pgn(content.data),
        marks_provisional=True,
    ),
)
