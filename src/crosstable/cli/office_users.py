"""The office's verbs for its users: adding them, roles, links that let people in, second factors, tokens."""

from __future__ import annotations

import argparse
import getpass
import sys
from typing import TYPE_CHECKING, Any

from crosstable.cli.office_common import acting, print_answer, print_rows, verb
from crosstable.cli.output import whole
from crosstable.errors import CrosstableError

if TYPE_CHECKING:
    from crosstable.office.requests.rights import Outcome

ROLES = ("player", "director", "officer", "admin")


def register(subparsers: Any) -> None:
    parser = subparsers.add_parser("user", help="users, roles and tokens", description="Users, roles and tokens.")
    acts = parser.add_subparsers(dest="user_act", metavar="ACT", required=True)
    add = verb(acts, "add", "add a user; you are asked for the password", user_add)
    add.add_argument("name")
    add.add_argument("--role", default="player", choices=ROLES, help="player, director, officer or admin")
    add.add_argument("--player", default="", metavar="ID", help="the player that the user is")
    add.add_argument("--password-stdin", action="store_true", help="read the password from standard input")
    add.add_argument("--no-password", action="store_true", help="acts only through tokens or on this machine")
    verb(acts, "list", "all users", user_list)
    role = verb(acts, "role", "give a user another role", user_role)
    role.add_argument("name")
    role.add_argument("role", choices=ROLES)
    role.add_argument("--reason", default="")
    password = verb(acts, "password", "set a new password; you are asked for it", user_password)
    password.add_argument("name")
    password.add_argument("--password-stdin", action="store_true", help="read the password from standard input")
    off = verb(acts, "deactivate", "deactivate a user; the account is not deleted", user_deactivate)
    off.add_argument("name")
    off.add_argument("--reason", required=True)
    on = verb(acts, "activate", "activate a user again", user_activate)
    on.add_argument("name")
    on.add_argument("--reason", required=True)
    email = verb(acts, "email", "set a user's e-mail address; without one, no mail is sent", user_email)
    email.add_argument("name")
    email.add_argument("address", nargs="?", default="")
    _links(acts)
    _tokens(acts)


def _links(acts: Any) -> None:
    invite = verb(acts, "invite", "a one-time link for a new user", user_invite)
    invite.add_argument("--role", default="director", choices=ROLES, help="player, director, officer or admin")
    invite.add_argument("--player", default="", metavar="ID", help="the player that the user is")
    invite.add_argument("--days", type=whole, default=7)
    invite.add_argument("--reason", default="", help="who is invited; an officer or administrator needs it")
    reset = verb(acts, "reset", "a one-time link with which a user chooses a new password", user_reset)
    reset.add_argument("name")
    reset.add_argument("--reason", default="", help="how the person proved who they are")
    verb(acts, "links", "the one-time links that could still be used", user_links)
    cancel = verb(acts, "cancel", "revoke a one-time link", user_cancel)
    cancel.add_argument("start", help="the first letters of the link's last part")
    factor = verb(acts, "second-factor", "remove a lost second factor", user_second_factor)
    factor.add_argument("name")
    factor.add_argument("--reason", required=True, help="how the person proved who they are")
    factor.set_defaults(web=True)


def _tokens(acts: Any) -> None:
    token = verb(acts, "token", "make a key for a program; it is shown once", user_token)
    token.add_argument("name")
    token.add_argument("--label", required=True, help="what the key is for")
    token.add_argument("--scope", required=True, help="rights, comma-separated: event.submit,submission.read")
    token.add_argument("--days", type=whole, default=90)
    verb(acts, "tokens", "the keys that exist", user_tokens)
    revoke = verb(acts, "revoke", "revoke a key", user_revoke)
    revoke.add_argument("start", help="the first letters of the key")
    revoke.add_argument("--reason", default="")


def _password(args: argparse.Namespace) -> str:
    if args.password_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    try:
        first, again = getpass.getpass("Password: "), getpass.getpass("Again: ")
    except EOFError:  # no one sits there
        raise CrosstableError("there is no terminal to ask for a password: use --password-stdin") from None
    if again != first:
        raise CrosstableError("the two passwords differ")
    return first


def user_add(args: argparse.Namespace) -> int:
    from crosstable.office.people import users

    password = None if args.no_password else _password(args)
    users.add_user(acting(args, "user.write"), args.name, _role(args.role), password, args.player)
    return print_answer(args, {"user": args.name, "role": args.role}, f"{args.name} now has the role {args.role}")


def _role(text: str) -> Any:
    from crosstable.office.people.rights import Role

    return Role(text)


def user_list(args: argparse.Namespace) -> int:
    from crosstable.office.people import users

    rows = users.users(acting(args, "user.read"))
    if not args.json:
        rows = [{**row, "active": "yes" if row["active"] else "no"} for row in rows]
    return print_rows(args, rows, "no users yet")


def user_role(args: argparse.Namespace) -> int:
    from crosstable.office.requests import rights

    done = rights.set_role(acting(args, "user.write"), args.name, _role(args.role), args.reason)
    answer = {"user": args.name, "role": args.role}
    return _print_given(args, done, answer, f"{args.name} now has the role {args.role}")


def user_password(args: argparse.Namespace) -> int:
    from crosstable.office.people import users

    users.set_password(acting(args, "user.write"), args.name, _password(args))
    return print_answer(args, {"user": args.name}, f"{args.name} has a new password")


def user_deactivate(args: argparse.Namespace) -> int:
    from crosstable.office.people import users

    users.deactivate(acting(args, "user.write"), args.name, args.reason)
    return print_answer(args, {"user": args.name, "active": False}, f"{args.name} can no longer act")


def user_activate(args: argparse.Namespace) -> int:
    from crosstable.office.requests import rights

    done = rights.activate(acting(args, "user.write"), args.name, args.reason)
    return _print_given(args, done, {"user": args.name, "active": True}, f"{args.name} can act again")


def user_email(args: argparse.Namespace) -> int:
    from crosstable.office.people import users

    users.set_email(acting(args, "user.write"), args.name, args.address)
    words = f"mail for {args.name} goes to {args.address}" if args.address else f"{args.name} gets no mail"
    return print_answer(args, {"user": args.name, "email": args.address}, words)


def user_invite(args: argparse.Namespace) -> int:
    from crosstable.office.requests import rights

    done = rights.invite(acting(args, "user.write"), _role(args.role), args.player, args.days, args.reason)
    return _print_link(args, f"/desk/join/{done.secret}/", f"{args.days} days", done.proposal)


def user_reset(args: argparse.Namespace) -> int:
    from crosstable.office.people import one_time_links
    from crosstable.office.requests import rights

    done = rights.reset(acting(args, "user.write"), args.name, args.reason)
    life = f"{one_time_links.RESET_HOURS} hours"
    return _print_link(args, f"/desk/sign-in/reset/{done.secret}/", life, done.proposal)


def _print_given(args: argparse.Namespace, done: Outcome, answer: dict[str, Any], words: str) -> int:
    """Print what was done, or the proposal that a second person decides."""
    if done.proposal is None:
        return print_answer(args, answer, words)
    return print_answer(args, {"user": args.name, "proposal": done.proposal}, _waits(done.proposal))


def _waits(proposal: int) -> str:
    return (
        f"proposal {proposal}: another officer or administrator confirms it with "
        f"`crosstable office --as NAME approve {proposal}`"
    )


def _print_link(args: argparse.Namespace, path: str, life: str, proposal: int | None) -> int:
    """With the office's own address in front, where it is known."""
    from django.conf import settings

    link = f"{getattr(settings, 'OFFICE_ADDRESS', '').rstrip('/')}{path}"
    where = "" if link.startswith("http") else " Put the office's address in front of it."
    words = f"{link}\nIt works once, for {life}, for the person who has it, and is shown this once.{where}"
    if proposal is None:
        return print_answer(args, {"link": link}, words)
    words += f"\nIt needs a code from a second person. {_waits(proposal).capitalize()}"
    return print_answer(args, {"link": link, "proposal": proposal}, words)


def user_links(args: argparse.Namespace) -> int:
    from crosstable.office.people import one_time_links

    return print_rows(args, one_time_links.waiting(acting(args, "user.read")), "no link could still be used")


def user_cancel(args: argparse.Namespace) -> int:
    from crosstable.office.people import one_time_links

    one_time_links.cancel(acting(args, "user.write"), args.start)
    return print_answer(args, {"cancelled": args.start}, f"{args.start}… no longer works")


def user_second_factor(args: argparse.Namespace) -> int:
    from crosstable.office.requests import rights

    done = rights.remove_second_factor(acting(args, "user.write"), args.name, args.reason)
    words = f"{args.name} has no second factor any more" if done.count else f"{args.name} had no second factor"
    return _print_given(args, done, {"user": args.name, "removed": done.count}, words)


def user_token(args: argparse.Namespace) -> int:
    from crosstable.office.people import tokens

    scopes = [scope.strip() for scope in args.scope.split(",") if scope.strip()]
    secret = tokens.create_token(acting(args, "token.write"), args.name, args.label, scopes, args.days)
    return print_answer(args, {"token": secret}, f"{secret}\nKeep it: it is shown this once.")


def user_tokens(args: argparse.Namespace) -> int:
    from crosstable.office.people import tokens

    return print_rows(args, tokens.tokens(acting(args, "token.write")), "no tokens")


def user_revoke(args: argparse.Namespace) -> int:
    from crosstable.office.people import tokens

    tokens.revoke(acting(args, "token.write"), args.start, args.reason)
    return print_answer(args, {"revoked": args.start}, f"{args.start}… no longer works")
