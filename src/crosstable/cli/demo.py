"""`crosstable demo`: a made-up office of three years, to look around in."""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from pathlib import Path

from crosstable.cli import serve
from crosstable.errors import CrosstableError

#: Known to everybody, and only in the made-up office
PASSWORD = "made-up-office"  # noqa: S105
ACCOUNTS = {"player": "pia", "director": "dora", "officer": "olive", "admin": "chief"}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--file", metavar="FILE", help="keep the office in this file (default: in the cache folder)")
    parser.add_argument("--fresh", action="store_true", help="make it anew")
    serve.where(parser)


def run(args: argparse.Namespace) -> int:
    """Make the office, if it is not there, and serve it; without a terminal only say where it is."""
    file = Path(args.file).absolute() if args.file else _default()
    if args.fresh:
        _away(file)
    made = not file.exists()
    if made:
        print("Making an office of 2,000 players and 300 events (once; under a minute) …", flush=True)
        _make(file)
    else:
        serve.prepare(f"sqlite:///{file}", args.host)
    print(f"A made-up office of three years: http://{args.host}:{args.port}/")
    print("Accounts, one for each role; the password is", PASSWORD)
    for role, name in ACCOUNTS.items():
        print(f"  {role:<9}{name}")
    print(f"The same from the shell: crosstable office --db sqlite:///{file} --help", flush=True)
    if os.environ.get("CI") == "true" or not sys.stdout.isatty():
        return 0
    serve.listen(args.host, args.port, args.threads)
    return 0


def _default() -> Path:
    """One for each state of the program: what rates and loads is what the office follows from."""
    try:
        from crosstable.web import folders
    except ModuleNotFoundError as missing:
        raise CrosstableError(f"the web office needs {missing.name}: pip install 'crosstable[web]'") from missing
    import crosstable

    here = Path(crosstable.__file__).parent
    digest = hashlib.sha256()
    for room in ("office", "systems", "rulebook", "replay", "titles"):
        for source in sorted((here / room).rglob("*")):
            if source.suffix in {".py", ".toml"}:
                digest.update(source.read_bytes())
    return folders.cache() / f"demo-{digest.hexdigest()[:12]}.db"


def _make(file: Path) -> None:
    """Under another name until it is whole: a start that is broken off leaves nothing behind."""
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_name(f"{file.name}-{os.getpid()}")
    from crosstable.web import settings

    settings.configure(f"sqlite:///{unfinished}", https=False)
    from crosstable.office.example.load import load
    from crosstable.office.people import users
    from crosstable.office.people.rights import Actor
    from crosstable.office.storage import settings as office

    try:
        office.migrate()
        load()
        for name in ACCOUNTS.values():
            users.set_password(Actor.installation(), name, PASSWORD)
        office.setup(f"sqlite:///{file}")  # closes the unfinished one
        unfinished.rename(file)
    finally:
        _away(unfinished)


def _away(file: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-queue", "-secret"):
        Path(f"{file}{suffix}").unlink(missing_ok=True)
