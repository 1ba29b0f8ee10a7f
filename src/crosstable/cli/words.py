"""What arguments of one name mean, said once: every verb that declares one without words of its own gets these."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

#: By the argument's name, or by verb and name where a verb means something of its own
WORDS: Mapping[str, str] = {
    "json": "print JSON",
    "profile": "the rules as printed, or as the published record shows them",
    "reason": "the reason, for the log",
    "event": "the event's id, as `office events` shows it",
    "player": "the player's id",
    "pool": "the rating: regular, quick, blitz …, or a code: OTBR",
    "section": "the section's number",
    "page": "which page of a long answer (1)",
    "seed": "the random seed: the same number gives the same results",
    "days": "for how many days it is valid",
    "number": "its number, as the list of them shows",
    "out": "the new file",
    "name": "the user's name",
    "who": "the child's name",
    "folder": "the folder with the three history tables",
    "file": "the file, in any format",
    "system": "whose rulebook, as `systems` lists them (default: us_chess)",
    # of one verb
    "diff dates": "the two days, as in 2016-01-01 2025-08-01",
    "source rule": "the rule's name, as `rules` lists it",
    "init name": "the office's name",
    "init titles": "the title system that the office keeps (2010)",
    "correct file": "the report with its new content",
    "ask-correction file": "the report as it should be",
    "fide file": "reports of FIDE events abroad",
    "import file": "the list: `office players template` shows its columns",
    "export folder": "a new folder for the three tables",
    "pairs source": "whose ratings the players have besides ours",
    "events status": "only events in this state",
    "backup file": "the new file",
    "restore file": "a file that `office backup` wrote",
    "adjust rating": "the new rating",
    "adjust games": "the number of games behind it",
    "adjust ceiling": "a rating that the player may not pass",
    "adjust life_master": "the player is a life master, or is not",
    "floors grant": "grant this request",
    "floors refuse": "refuse this request",
    "floors prize": "a floor for money won in a class section: under which rating, how many dollars",
    "search text": "half a name, an id, or many ids",
    "add name": "the player's name, as in Ada Example",
    "change name": "the player's new name",
    "state": "two letters: OH",
    "country": "three letters: USA",
    "sex": "M or F",
    "fide_id": "the FIDE number",
    "cfc_id": "the number at the Canadian federation",
    "adult": "known to be an adult, or not",
    "canadian_resident": "lives in Canada, or not",
    "usa_flag": "plays for the USA at FIDE, or not",
    "fide_opt_in": "FIDE events abroad count, or do not",
    "withheld": "shown on no public page, or shown again",
    "join kind": "the kind of membership (regular)",
    "publish reason": "the reason, for the log (the list of the month)",
    "user add name": "the new user's name",
    "role role": "what the user may do from now on",
    "email address": "where messages for the user go",
    "table rules": "the title system of which year",
    "join names": "first names, as the children are called",
    "result board": "the board's number on the pairing sheet",
    "season name": "what the season is called",
    "club import file": "CSV: children (name, rating), or games",
    "drift-by-age oldest": "45: the committee's ages",
    "completion shell": "the shell that you type into",
}


def fill(parser: argparse.ArgumentParser, verb: str = "") -> None:
    """Give words to whatever argument of the verb has none, in its subcommands too."""
    last = verb.rpartition(" ")[2]
    for action in parser._actions:  # argparse has no public way to walk them
        if isinstance(action, argparse._SubParsersAction):
            for name, one in action.choices.items():
                fill(one, f"{verb} {name}".strip())
        elif not action.help:
            keys = (" ".join((*verb.split()[-2:], action.dest)), f"{last} {action.dest}", action.dest)
            action.help = next((WORDS[key] for key in keys if key in WORDS), None)
