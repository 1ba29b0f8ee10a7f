"""`crosstable completion SHELL`: what the shell needs to complete verbs and options."""

from __future__ import annotations

import argparse

SHELLS = ("bash", "zsh", "tcsh")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS)
    parser.epilog = 'In bash: eval "$(crosstable completion bash)"'


def run(args: argparse.Namespace) -> int:
    import shtab

    from crosstable.cli import full_parser

    print(shtab.complete(full_parser(), shell=args.shell))
    return 0
