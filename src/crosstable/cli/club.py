"""`crosstable club …`: a school club's night from the shell. What a phone does under /club/, these do too."""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crosstable.cli.club_common import acting, verb
from crosstable.cli.club_more import configure_more
from crosstable.cli.output import day, print_findings, print_json
from crosstable.cli.tables import print_table
from crosstable.errors import CrosstableError, EventRejected
from crosstable.model import Finding, Level, Place
from crosstable.systems.st_charles import SYSTEM
from crosstable.words.system_steps import club_game

if TYPE_CHECKING:
    from crosstable.club.models import Board, Night

RESULTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}
#: What someone may type for a result of a board
BOARD_RESULTS = {"white": "1-0", "black": "0-1", "draw": "1/2-1/2", "1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2-1/2"}


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    _score_options(verb(actions, "score", "compute both ratings after one game", _score, database=False))
    new = verb(actions, "new", "make a club, and print its address and PIN for phones", _new)
    new.add_argument("name", metavar="NAME", help="the club's name")
    new.add_argument("--system", default="st_charles", help="st_charles (default), elo, glicko2, cxr or harkness")
    new.add_argument("--pin", default="", help="four digits or more; otherwise one is made")
    new.add_argument("--numbers", type=Path, metavar="FILE", help="the club's own numbers, a TOML file: at_risk = 20")
    new.add_argument("--port", type=int, default=8000, help="the port that `serve --lan` will use (default 8000)")
    join = verb(actions, "join", "add children by first name", _join)
    join.add_argument("names", nargs="+", metavar="NAME")
    here = verb(actions, "here", "mark children as here, sitting out or gone home", _here)
    here.add_argument("who", nargs="+", metavar="WHO", help="name or number; `all` for every child of the club")
    state = here.add_mutually_exclusive_group()
    state.add_argument("--out", action="store_true", help="they sit out for now")
    state.add_argument("--gone", action="store_true", help="they have gone home")
    pair = verb(actions, "pair", "pair all children who are free", _pair)
    pair.add_argument(
        "--together", nargs=2, action="append", default=[], metavar="WHO", help="these two play each other"
    )
    pair.add_argument(
        "--apart",
        nargs=2,
        action="append",
        default=[],
        metavar="WHO",
        help="these two never play each other (siblings)",
    )
    result = verb(actions, "result", "the result of a board of the last round", _result)
    result.add_argument("board", type=int, metavar="BOARD")
    result.add_argument("result", choices=tuple(BOARD_RESULTS), metavar="RESULT", help="white, black or draw")
    result.add_argument("--round", type=int, help="a round other than the last")
    result.add_argument("--night", type=day, metavar="DATE", help="a mistake found later: which night")
    later = result.add_mutually_exclusive_group()
    later.add_argument("--record-only", action="store_true", help="correct the record and leave all ratings alone")
    later.add_argument("--rerate", action="store_true", help="correct it, and rate again what came after")
    result.add_argument("--preview", action="store_true", help="with --rerate: show what would change; write nothing")
    verb(actions, "undo", "undo the last change of the night", _undo)
    ladder = verb(actions, "ladder", "the ratings, highest first", _ladder)
    ladder.add_argument("--csv", action="store_true", help="print CSV")
    poster = verb(actions, "poster", "ladder and pairing sheet, a page each, to print", _poster)
    poster.add_argument("out", type=Path, metavar="OUT.html")
    configure_more(actions)


def run(args: argparse.Namespace) -> int:
    """`score` needs no database; everything else opens the club's."""
    if args.action == "score":
        return _score(args)
    from django.db import Error

    from crosstable import office
    from crosstable.cli.office_common import refuse_missing_file

    office.setup(args.db)
    if args.action != "new":
        refuse_missing_file(args.db, "club", 'crosstable club new "NAME"')
    try:
        if args.action != "new":
            from crosstable.club import clubs

            clubs.club()
        status: int = args.action_run(args)
        return status
    except EventRejected as rejected:
        print_findings(rejected.findings)
        return 1
    except OSError as problem:
        raise CrosstableError(f"{problem.filename or 'file'}: {problem.strerror or problem}") from problem
    except Error as problem:
        missing = "no such table" in str(problem) or "does not exist" in str(problem)
        words = 'there is no club in this database yet: run `crosstable club new "NAME"`'
        raise CrosstableError(words if missing else f"database: {str(problem).splitlines()[0]}") from problem


def _score_options(score: argparse.ArgumentParser) -> None:
    score.add_argument("own", type=int, metavar="OWN", help="the first player's rating")
    score.add_argument("opponent", type=int, metavar="OPPONENT", help="the second player's rating")
    score.add_argument(
        "result", choices=tuple(RESULTS), metavar="RESULT", help="win, loss or draw, from the first player's side"
    )


def _score(args: argparse.Namespace) -> int:
    floor = SYSTEM.latest["floor"]["rating"]
    if low := [rating for rating in (args.own, args.opponent) if rating < floor]:
        advice = f"No rating is below {floor}; a newcomer has {SYSTEM.latest['start']['rating']}."
        print_findings(
            [Finding(Level.ERROR, "under-the-floor", Place(), f"the rating {low[0]} is under the floor.", advice)]
        )
        return 1
    result = RESULTS[args.result]
    mine, theirs = SYSTEM.score(args.own, args.opponent, result)
    if args.json:
        print_json({"own": int(mine.post), "opponent": int(theirs.post)})
        return 0
    print(club_game(SYSTEM.game(args.own, args.opponent, result), "your opponent"))
    print(f"You: {args.own} → {mine.post:g}. Your opponent: {args.opponent} → {theirs.post:g}.")
    return 0


def _new(args: argparse.Namespace) -> int:
    from crosstable.cli.lan import address, print_code
    from crosstable.club import clubs
    from crosstable.office.storage.settings import migrated_or_as_found

    numbers = tomllib.loads(args.numbers.read_text()) if args.numbers else {}
    with migrated_or_as_found():
        pin = clubs.create(args.name, args.system, args.pin, numbers)
    where = f"http://{address()}:{args.port}/club/"
    if args.json:
        print_json({"name": args.name, "system": args.system, "pin": pin, "address": where})
        return 0
    print(
        f"{args.name} is ready. Its PIN is {pin}: volunteers need it to enter results. Write it down: it is stored only"
        " in encrypted form."
    )
    print(f"Start it with `crosstable serve --lan --port {args.port}`. Phones in the same room open {where}")
    print_code(where)
    return 0


def _join(args: argparse.Namespace) -> int:
    from crosstable.club import children

    made = children.join_all(acting(args), args.names)
    if args.json:
        print_json([{"player": player.number, "name": player.name} for player in made])
    else:
        print("; ".join(f"{player.name} is number {player.number}" for player in made))
    return 0


def _here(args: argparse.Namespace) -> int:
    from crosstable.club import attendance, children, evening

    night = evening.tonight()
    who = children.members() if args.who == ["all"] else [children.find(name) for name in args.who]
    if args.out or args.gone:
        for player in who:
            attendance.set_state(acting(args), night, player, "out" if args.out else "gone")
    else:
        attendance.here(acting(args), night, who)
    states = list(evening.load(night).presence.values())
    count = {state: states.count(state) for state in attendance.STATES}
    if args.json:
        print_json({"night": str(night.date), **count})
    else:
        print(f"{night.date}: {count['here']} here, {count['out']} sit out, {count['gone']} gone home")
    return 0


def _pair(args: argparse.Namespace) -> int:
    from crosstable.club import boards, children, evening

    night = evening.tonight()
    for one, other in args.apart:
        children.keep_apart(children.find(one), children.find(other))
    for one, other in args.together:
        children.put_together(children.find(one), children.find(other), night.id)
    boards.pair_free(acting(args), night)
    return _print_boards(args, night)


def _print_boards(args: argparse.Namespace, night: Night) -> int:
    from crosstable.club.children import display_name
    from crosstable.club.evening import load

    evening = load(night)
    wanted = {board.id for board in evening.open}
    boards = [board for board in evening.boards if board.id in wanted]
    out = [board for board in evening.boards if board.black is None and board.round == evening.round]
    if args.json:
        print_json(
            {
                "round": evening.round,
                "boards": [_board_json(board) for board in boards],
                "out": [display_name(board.white) for board in out],
            }
        )
        return 0
    rows = [
        (board.number, display_name(board.white), display_name(board.black), board.why)
        for board in boards
        if board.black
    ]
    print_table(("board", "white", "black", "why"), rows)
    if out:
        print(f"{', '.join(display_name(board.white) for board in out)} sits out")
    return 0


def _board_json(board: Board) -> dict[str, Any]:
    from crosstable.club.children import display_name

    black = display_name(board.black) if board.black else ""
    return {
        "board": board.number,
        "round": board.round,
        "white": display_name(board.white),
        "black": black,
        "why": board.why,
    }


def _result(args: argparse.Namespace) -> int:
    from crosstable.club import clubs, evening, results
    from crosstable.club.games import of_nights

    night = _night(args)
    board = _find_board(night, args.board, args.round)
    wanted = BOARD_RESULTS[args.result]
    if args.record_only or args.rerate:
        from crosstable.cli.office_common import print_ratings_changed

        done = results.correct_later(acting(args), board.id, wanted, record_only=args.record_only, preview=args.preview)
        return print_ratings_changed(args, done)
    if args.night and night.id != getattr(evening.latest(), "id", 0):
        raise CrosstableError("that night is over: add --record-only (ratings do not change) or --rerate")
    entered = results.enter(acting(args), board.id, wanted)
    from crosstable.club.children import display_name

    game = next(one for one in of_nights([night]) if one.place == evening.place_of(board))
    names = display_name(board.white), display_name(board.black) if board.black else ""
    if args.json:
        print_json(
            {
                "outcome": entered.outcome,
                "white": game.white_rating.after,
                "black": game.black_rating.after,
                "sentence": str(game.sentence(*names, clubs.system())),
            }
        )
    else:
        print(game.sentence(*names, clubs.system()))
    return 0


def _night(args: argparse.Namespace) -> Night:
    from crosstable.club import evening
    from crosstable.club.models import Night

    found = Night.objects.filter(date=args.night).order_by("-id").first() if args.night else evening.latest()
    if found is None:
        raise CrosstableError("there was no club night yet: mark who is here with `crosstable club here`")
    return found


def _find_board(night: Night, number: int, round: int | None) -> Board:
    from crosstable.club.evening import load

    found = [board for board in load(night).boards if board.number == number and board.black is not None]
    found = [board for board in found if round is None or board.round == round]
    if not found:
        raise CrosstableError(f"there is no board {number} on {night.date}; `crosstable club pair` makes boards")
    return found[-1]


def _undo(args: argparse.Namespace) -> int:
    from crosstable.club import results

    args.night = None
    words = results.undo(acting(args), _night(args))
    print_json({"undone": words}) if args.json else print(f"undone: {words}")
    return 0


def _ladder(args: argparse.Namespace) -> int:
    from crosstable.club import exchange
    from crosstable.club.ladder import ladder, number

    if args.csv:
        print(exchange.ladder_csv(), end="")
        return 0
    rungs = ladder()
    if args.json:
        print_json([rung.as_json() for rung in rungs])
        return 0
    rows = [
        (
            rung.place,
            rung.name,
            number(rung.rating),
            rung.mark,
            "" if rung.change is None else f"{number(rung.change):+g}",
        )
        for rung in rungs
    ]
    print_table(("place", "player", "rating", "", "last night"), rows)
    return 0


def _poster(args: argparse.Namespace) -> int:
    from crosstable.web.club.poster import whole_page

    args.out.write_text(whole_page(), encoding="utf-8")
    print_json({"file": str(args.out)}) if args.json else print(f"{args.out}: open it in a browser and print it")
    return 0
