"""The fields of the event document: what each record has and what a field holds.

The reader (event_json), the JSON Schema (event_schema) and the tables of docs/event-document.md all follow these
tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from crosstable.model import FORMAT, KINDS, MODES, WEIGHTS

LARGEST_WHOLE = 2**31 - 1  # of numbers and counts: what a database holds as a whole number
LARGEST = 1e15  # larger whole numbers are no rating, count or komi, and would not fit a float


@dataclass(frozen=True, slots=True)
class Field:
    """`kind` names what the field holds: one of KINDS_OF_FIELD, or "choice", one of `options`."""

    kind: str
    says: str
    required: bool = False
    options: tuple[str, ...] = ()


#: What a field can hold, as people are told
KINDS_OF_FIELD: Mapping[str, str] = {
    "text": "text",
    "identity": "text, or a whole number that stands for it",
    "boolean": "true or false",
    "integer": "whole number",
    "number": "number",
    "rating": "number from 0 up (AGA: any)",
    "day": "date, YYYY-MM-DD",
    "choice": "one of",
    "notes": "any object",
    "sections": "list of sections",
    "players": "list of players",
    "games": "list of games",
    "ratings": "object: pool → rating",
    "foreign": "object: foreign rating",
    "match_changes": "list of match changes",
    "pending": "list of [opponent's rating, score]",
}

NOTES = Field("notes", "Whatever else is worth keeping. Carried along, never read.")

EVENT: Mapping[str, Field] = {
    "format": Field("choice", "Which document this is.", True, (FORMAT,)),
    "name": Field("text", "The event's name."),
    "city": Field("text", "Where it was played."),
    "state": Field("text", "The state, two letters in the USA."),
    "country": Field("text", "The country, three letters."),
    "start": Field("day", "The first day.", True),
    "end": Field("day", "The last day.", True),
    "affiliate": Field("text", "The affiliate that reports it."),
    "chief_td": Field("identity", "The chief tournament director's id."),
    "sections": Field("sections", "Its sections.", True),
    "notes": NOTES,
}

SECTION: Mapping[str, Field] = {
    "number": Field("integer", "The section's number in the event.", True),
    "name": Field("text", "The section's name."),
    "start": Field("day", "Its first day; absent: the event's. It decides which rules apply."),
    "end": Field("day", "Its last day; absent: the event's."),
    "mode": Field("choice", "Over the board or online. Absent: otb.", options=MODES),
    "kind": Field("choice", "A `fide` section is a foreign FIDE event (2025 §6). Absent: swiss.", options=KINDS),
    "weight": Field("choice", "The K factors of old half-K events, and the 1996 norms. Absent: full.", options=WEIGHTS),
    "supernorm": Field(
        "boolean", "Whether a 1996 supernorm can be earned here; absent: the event's name and Grand Prix points say."
    ),
    "youth": Field("boolean", "A foreign FIDE youth event: the youth conversion applies."),
    "colors": Field("boolean", "false: white and black only name the two sides."),
    "time_control": Field("text", "As people write it (`G/60;d5`), per round too. With the mode it decides the pools."),
    "players": Field("players", "Who played.", True),
    "games": Field("games", "Their games.", True),
    "notes": NOTES,
}

PLAYER: Mapping[str, Field] = {
    "number": Field("integer", "The pairing number.", True),
    "id": Field("identity", "Who it is. The same id twice in a section is a re-entry: one player.", True),
    "name": Field("text", "The player's name."),
    "birth_date": Field("day", "For initial ratings. Private: an office never shows it."),
    "adult": Field("boolean", "Known to be an adult, where there is no birth date."),
    "canadian_resident": Field("boolean", "From 2025 on a CFC rating counts for Canadian residents only."),
    "member": Field("boolean", "A member at the event. Absent: true."),
    "usa_flag": Field("boolean", "Plays under the USA's flag at FIDE."),
    "fide_opt_in": Field("boolean", "Asked that foreign FIDE events count."),
    "foreign_rating": Field("rating", "The office's own conversion of another rating (readings 28)."),
    "ratings": Field("ratings", "The ratings *before* the event, by pool."),
    "fide": Field("foreign", "The FIDE rating."),
    "cfc": Field("foreign", "The Canadian rating."),
    "rank": Field("text", "A go rank as entered, `3d`."),
    "notes": NOTES,
}

GAME: Mapping[str, Field] = {
    "round": Field("integer", "The round; in a round robin it may be the opponent's column.", True),
    "white": Field("integer", "White's pairing number.", True),
    "black": Field("integer", "Black's pairing number.", True),
    "result": Field("text", "`1-0` `0-1` `1/2-1/2`; not played: `+/-` `-/+` `-/-`, never rated.", True),
    "handicap": Field("integer", "Go stones."),
    "komi": Field("number", "Go: points given to White."),
    "notes": NOTES,
}

RATING: Mapping[str, Field] = {
    "rating": Field("rating", "The rating itself, unrounded.", True),
    "games": Field("integer", "N, the number of games it is based on."),
    "date": Field("day", "When it was computed; absent: the event's start."),
    "wins": Field("integer", "Games won in this pool, of those on record; absent: none is."),
    "draws": Field("integer", "Games drawn."),
    "losses": Field("integer", "Games lost; absent: not all games are on record, so the history counts as mixed."),
    "assigned_games": Field("integer", "Of `games`, those credited at initialisation, which were never played."),
    "three_game_events": Field("integer", "N_R of 2025 §5: sections of three or more games."),
    "peak": Field("rating", "The highest established rating so far."),
    "prize_floor": Field("rating", "A floor won with a prize."),
    "life_master": Field("boolean", "Has the life master's floor."),
    "ceiling": Field("rating", "A ceiling set by the office."),
    "games_above_2200": Field("integer", "Games that count towards life master."),
    "match_changes": Field("match_changes", "What matches did to the rating (2025 §7)."),
    "lowered_floor": Field("rating", "A granted floor request (readings 23)."),
    "lowered_from": Field(
        "rating", "The highest floor that requests have lowered; left out: 100 above `lowered_floor`."
    ),
    "pending": Field("pending", "1996: a newcomer's games not yet counted."),
    "sigma": Field("number", "AGA: the rating's uncertainty."),
    "deviation": Field("number", "Glicko, Glicko-2: the rating's deviation."),
    "volatility": Field("number", "Glicko-2: the volatility."),
    "ever_2300": Field("boolean", "FIDE: was rated 2300 once."),
    "ever_2400": Field("boolean", "FIDE: was rated 2400 once."),
}

FOREIGN: Mapping[str, Field] = {
    "rating": Field("rating", "The rating.", True),
    "date": Field("day", "Of which list; absent: the event's start."),
}

MATCH_CHANGE: Mapping[str, Field] = {
    "date": Field("day", "The match's last day.", True),
    "change": Field("number", "What it did to the rating.", True),
}
