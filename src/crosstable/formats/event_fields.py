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
class EventField:
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

NOTES = EventField("notes", "Whatever else is worth keeping. Carried along, never read.")

EVENT: Mapping[str, EventField] = {
    "format": EventField("choice", "Which document this is.", True, (FORMAT,)),
    "name": EventField("text", "The event's name."),
    "city": EventField("text", "Where it was played."),
    "state": EventField("text", "The state, two letters in the USA."),
    "country": EventField("text", "The country, three letters."),
    "start": EventField("day", "The first day.", True),
    "end": EventField("day", "The last day.", True),
    "affiliate": EventField("text", "The affiliate that reports it."),
    "chief_td": EventField("identity", "The chief tournament director's id."),
    "sections": EventField("sections", "Its sections.", True),
    "notes": NOTES,
}

SECTION: Mapping[str, EventField] = {
    "number": EventField("integer", "The section's number in the event.", True),
    "name": EventField("text", "The section's name."),
    "start": EventField("day", "Its first day; absent: the event's. It decides which rules apply."),
    "end": EventField("day", "Its last day; absent: the event's."),
    "mode": EventField("choice", "Over the board or online. Absent: otb.", options=MODES),
    "kind": EventField("choice", "A `fide` section is a foreign FIDE event (2025 §6). Absent: swiss.", options=KINDS),
    "weight": EventField(
        "choice", "The K factors of old half-K events, and the 1996 norms. Absent: full.", options=WEIGHTS
    ),
    "supernorm": EventField(
        "boolean", "Whether a 1996 supernorm can be earned here; absent: the event's name and Grand Prix points say."
    ),
    "youth": EventField("boolean", "A foreign FIDE youth event: the youth conversion applies."),
    "colors": EventField("boolean", "false: white and black only name the two sides."),
    "time_control": EventField(
        "text", "As people write it (`G/60;d5`), per round too. With the mode it decides the pools."
    ),
    "players": EventField("players", "Who played.", True),
    "games": EventField("games", "Their games.", True),
    "notes": NOTES,
}

PLAYER: Mapping[str, EventField] = {
    "number": EventField("integer", "The pairing number.", True),
    "id": EventField("identity", "Who it is. The same id twice in a section is a re-entry: one player.", True),
    "name": EventField("text", "The player's name."),
    "birth_date": EventField("day", "For initial ratings. Private: an office never shows it."),
    "adult": EventField("boolean", "Known to be an adult, where there is no birth date."),
    "canadian_resident": EventField("boolean", "From 2025 on a CFC rating counts for Canadian residents only."),
    "member": EventField("boolean", "A member at the event. Absent: true."),
    "usa_flag": EventField("boolean", "Plays under the USA's flag at FIDE."),
    "fide_opt_in": EventField("boolean", "Asked that foreign FIDE events count."),
    "foreign_rating": EventField("rating", "The office's own conversion of another rating (readings 28)."),
    "ratings": EventField("ratings", "The ratings *before* the event, by pool."),
    "fide": EventField("foreign", "The FIDE rating."),
    "cfc": EventField("foreign", "The Canadian rating."),
    "rank": EventField("text", "A go rank as entered, `3d`."),
    "notes": NOTES,
}

GAME: Mapping[str, EventField] = {
    "round": EventField("integer", "The round; in a round robin it may be the opponent's column.", True),
    "white": EventField("integer", "White's pairing number.", True),
    "black": EventField("integer", "Black's pairing number.", True),
    "result": EventField("text", "`1-0` `0-1` `1/2-1/2`; not played: `+/-` `-/+` `-/-`, never rated.", True),
    "handicap": EventField("integer", "Go stones."),
    "komi": EventField("number", "Go: points given to White."),
    "notes": NOTES,
}

RATING: Mapping[str, EventField] = {
    "rating": EventField("rating", "The rating itself, unrounded.", True),
    "games": EventField("integer", "N, the number of games it is based on."),
    "date": EventField("day", "When it was computed; absent: the event's start."),
    "wins": EventField("integer", "Games won in this pool, of those on record; absent: none is."),
    "draws": EventField("integer", "Games drawn."),
    "losses": EventField("integer", "Games lost; absent: not all games are on record, so the history counts as mixed."),
    "assigned_games": EventField("integer", "Of `games`, those credited at initialisation, which were never played."),
    "three_game_events": EventField("integer", "N_R of 2025 §5: sections of three or more games."),
    "peak": EventField("rating", "The highest established rating so far."),
    "prize_floor": EventField("rating", "A floor won with a prize."),
    "life_master": EventField("boolean", "Has the life master's floor."),
    "ceiling": EventField("rating", "A ceiling set by the office."),
    "games_above_2200": EventField("integer", "Games that count towards life master."),
    "match_changes": EventField("match_changes", "What matches did to the rating (2025 §7)."),
    "lowered_floor": EventField("rating", "A granted floor request (readings 23)."),
    "lowered_from": EventField(
        "rating", "The highest floor that requests have lowered; left out: 100 above `lowered_floor`."
    ),
    "pending": EventField("pending", "1996: a newcomer's games not yet counted."),
    "sigma": EventField("number", "AGA: the rating's uncertainty."),
    "deviation": EventField("number", "Glicko, Glicko-2: the rating's deviation."),
    "volatility": EventField("number", "Glicko-2: the volatility."),
    "ever_2300": EventField("boolean", "FIDE: was rated 2300 once."),
    "ever_2400": EventField("boolean", "FIDE: was rated 2400 once."),
}

FOREIGN: Mapping[str, EventField] = {
    "rating": EventField("rating", "The rating.", True),
    "date": EventField("day", "Of which list; absent: the event's start."),
}

MATCH_CHANGE: Mapping[str, EventField] = {
    "date": EventField("day", "The match's last day.", True),
    "change": EventField("number", "What it did to the rating.", True),
}
