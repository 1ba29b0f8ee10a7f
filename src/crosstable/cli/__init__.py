"""The one command. Each verb is a module of this package with `configure(parser)` and `run(args) -> exit status`."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module

from crosstable import __version__
from crosstable.cli import words as words_of_arguments
from crosstable.errors import CrosstableError
from crosstable.extras import needed_for

#: verb → its module and one line of help; modules are imported only when their verb is called, so that `rate` starts at
#: once
VERBS: Mapping[str, tuple[str, str]] = {
    "rate": ("rate", "rate event files without a database"),
    "check": ("check", "check a file of any format for errors and missing facts"),
    "convert": ("convert", "convert a file from any format to another"),
    "estimate": ("estimate", "estimate a rating from opponents and a score"),
    "rules": ("rules", "show the rules in force, what changed, and their documents"),
    "systems": ("systems", "list the rating systems with their parameters"),
    "office": ("office", "run a rating office: players, events and ratings"),
    "titles": ("titles", "compute norms, titles and the chance to earn one"),
    "convert-rating": ("convert_rating", "convert a FIDE or CFC rating to US Chess on a date"),
    "club": ("club", "run a school club's ratings, one game at a time"),
    "serve": ("serve", "serve the office's pages, on this machine or to the network"),
    "worker": ("worker", "run the jobs that pages start; `serve` starts a worker itself"),
    "demo": ("demo", "try a made-up office"),
    "lab": ("lab", "verify published ratings; tools for a ratings committee"),
    "completion": ("completion", "print shell completion for verbs and options"),
}

#: Verbs that need more than the first package that they miss: Django comes with `office`, what serves the pages with
#: `web`
EXTRA_OF_VERB: Mapping[str, str] = dict.fromkeys(("serve", "worker", "demo"), "web")

OK, WRONG_INPUT, WRONG_USAGE = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb. 0: done; 1: the input is wrong (findings on stderr); 2: the command line is wrong."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == ["help"]:  # `crosstable help rate`
        arguments = [*arguments[1:], "--help"]
    for stream in (sys.stdout, sys.stderr):  # a character that the terminal cannot show is no reason to stop
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    verb = next((word for word in arguments if word in VERBS), None)
    try:
        with needed_for(f"crosstable {verb}", EXTRA_OF_VERB.get(verb or "", "")):
            return _run(verb, arguments)
    except CrosstableError as error:
        print(f"crosstable: {error}", file=sys.stderr)
        return WRONG_INPUT
    except BrokenPipeError:  # `crosstable … | head` is not an error
        sys.stderr.close()
        return OK
    except OSError as problem:  # a full disk, a file that may not be written
        place = f"{problem.filename}: " if problem.filename else ""
        print(f"crosstable: {place}{problem.strerror or problem}", file=sys.stderr)
        return WRONG_INPUT
    except KeyboardInterrupt:
        print("crosstable: stopped", file=sys.stderr)
        return WRONG_INPUT


def _run(verb: str | None, arguments: Sequence[str]) -> int:
    parser = _parser(verb)
    args, unknown = parser.parse_known_args(arguments)
    if unknown:
        getattr(args, "own_parser", parser).error(_not_known(unknown, arguments))
    args.command = arguments  # a report says how it was made
    if args.verb is None:
        parser.print_help()
        return WRONG_USAGE
    status: int = args.run(args)
    sys.stdout.flush()
    return status


def _not_known(unknown: Sequence[str], arguments: Sequence[str]) -> str:
    before = dict(zip(arguments[1:], arguments, strict=False)).get(unknown[0])
    if before in ("--csv", "--text", "--json"):
        return f"{before} prints to standard output and takes no file name: write {before} > {unknown[0]}"
    return f"unrecognized arguments: {' '.join(unknown)}"


def full_parser() -> argparse.ArgumentParser:
    """Every verb with all its options, for shell completion."""
    return _parser(None, everything=True)


def _parser(verb: str | None, *, everything: bool = False) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="crosstable",
        description="The open-source rating office for chess.",
        epilog="Start with `crosstable rate FILE`. Every verb has --help.",
    )
    parser.add_argument("--version", action="version", version=f"crosstable {__version__}")
    subparsers = parser.add_subparsers(dest="verb", metavar="VERB")
    for name, (module, words) in VERBS.items():
        sub = subparsers.add_parser(name, help=words, description=words[0].upper() + words[1:] + ".")
        if everything or name == verb:
            chosen = import_module(f"crosstable.cli.{module}")
            chosen.configure(sub)
            words_of_arguments.fill(sub, name)
            sub.set_defaults(run=chosen.run, own_parser=sub)
    return parser
