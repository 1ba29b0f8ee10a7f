"""The office's verbs for messages and for what players ask: `office notices`, `office requests`."""

from __future__ import annotations

import argparse
from typing import Any

from crosstable.cli.office_common import acting, print_answer, print_rows, verb
from crosstable.cli.output import whole
from crosstable.errors import CrosstableError


def register(subparsers: Any) -> None:
    parser = verb(
        subparsers, "notices", "show a user's inbox (--as USER), or the messages about a file or a request", notices
    )
    parser.add_argument(
        "about", nargs="?", default="", help="as in submission:316 or request:12: the whole conversation"
    )
    act = parser.add_mutually_exclusive_group()
    act.add_argument("--read", action="store_true", help="mark the inbox as read")
    act.add_argument("--write", metavar="WORDS", default="", help="a message about it")
    parser = verb(subparsers, "requests", "what players ask: show it, or decide one", requests)
    parser.add_argument("number", nargs="?", type=whole)
    act = parser.add_mutually_exclusive_group()
    act.add_argument(
        "--grant", action="store_true", help="confirm a claim; of a reported mistake: it has been corrected"
    )
    act.add_argument("--refuse", action="store_true", help="refuse a claim; of a reported mistake: nothing is changed")
    parser.add_argument("--reason", default="", help="the answer that the player reads")


def notices(args: argparse.Namespace) -> int:
    from crosstable.office.notices import inbox, messages

    actor = acting(args, "notice.read")
    if args.write:
        if not args.about:
            raise CrosstableError("say what the message is about, as in `office notices submission:316 --write WORDS`")
        message = messages.write(actor, args.about, args.write)
        return print_answer(args, {"message": message.id, "about": args.about}, f"written, about {args.about}")
    found: list[dict[str, Any]]
    if args.about:
        said = messages.conversation(actor, args.about)
        found = [{"at": _moment(one.at), "by": one.by, "subject": one.subject, "words": one.words} for one in said]
    else:
        found = [
            {
                "number": one.number,
                "at": _moment(one.at),
                "by": one.by,
                "about": one.about,
                "subject": one.subject,
                "words": one.words,
                "read": one.read is not None,
            }
            for one in inbox.inbox(actor)
        ]
    if args.read:
        inbox.mark_read(actor)
    print_rows(args, found, "no messages")
    return 0


def requests(args: argparse.Namespace) -> int:
    from crosstable.office.requests import player_requests, registry

    if args.number is None:
        if args.grant or args.refuse:
            raise CrosstableError("say which request, as in `office requests 12 --grant`")
        found = [one.as_json() for one in player_requests.waiting(acting(args, "event.review"))]
        print_rows(args, found, "no requests to answer")
        return 0
    actor = acting(args, "request.decide")
    asked = player_requests.one(actor, args.number)
    if args.grant or args.refuse:
        registry.decide(actor, f"request:{args.number}", granted=args.grant, words=args.reason)
        asked = player_requests.one(actor, args.number)
    words = f"request {asked.number} ({asked.kind}) of {asked.by}: {asked.state_words}"
    return print_answer(args, asked.as_json(), words if asked.answer else f"{words}\n{asked.words}")


def _moment(at: Any) -> str:
    return str(at.isoformat(timespec="seconds"))
