"""`crosstable demo`: a made-up federation of three years and a school club, with something to do on every desk."""

from __future__ import annotations

import argparse
import base64
import hashlib
import hmac
import json
import os
import shutil
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from crosstable.cli import serve
from crosstable.cli.progress import progress_bar
from crosstable.errors import CrosstableError
from crosstable.federations import DEFAULT, federation
from crosstable.federations import NAMES as FEDERATIONS

#: Public, and only in the made-up office: the password, and the key of the app that gives codes
PASSWORD = "made-up-office"  # noqa: S105  printed on the screen, and for made-up people only
APP_KEY = "MADEUPOFFICEMADEUPOFFICEMADEUPOF"
#: Account, role, and what to try first
ACCOUNTS = (
    ("dora", "director", "fix and send the draft “{draft}”"),
    ("olive", "officer", "accept a clean report; preview the correction of “{correction}”"),
    ("oscar", "officer", "approve the adjustment that olive proposes: it takes two officers"),
    ("pia", "player", "open “Mine” of {player}, then a rating: its page shows every step"),
    ("chief", "administrator", "invite a director, and read the log"),
)
#: Their second step is a code
WITH_CODE = ("olive", "oscar", "chief")
SUFFIXES = ("", "-wal", "-shm", "-queue", "-secret", "-try", "-tables")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--file", metavar="FILE", help="store the office in this file (default: in the cache folder)")
    parser.add_argument("--fresh", action="store_true", help="create it again")
    parser.add_argument(
        "--federation",
        choices=FEDERATIONS,
        default=DEFAULT,
        help="the kind of office (default: us_chess, with a school club); another kind is small",
    )
    parser.add_argument("--code", action="store_true", help="print the code for the second step, and nothing else")
    parser.add_argument("--club-of", metavar="FILE", help=argparse.SUPPRESS)  # as `demo` starts it
    serve.where(parser)


def run(args: argparse.Namespace) -> int:
    """Make the office and the club, if they are not there, and serve them; without a terminal only make them."""
    if args.code:
        print(code_at(time.time()))
        return 0
    if args.club_of:
        return _run_club(args)
    served = os.environ.get("CI") != "true" and sys.stdout.isatty()
    file = Path(args.file).absolute() if args.file else _default(args.federation)
    if args.fresh:
        _away(file)
        _away(_club_of(file))
    if args.federation != DEFAULT:
        return _run_federation(file, args, served=served)
    with ExitStack() as beside:

        def begin_club() -> subprocess.Popen[bytes]:
            return beside.enter_context(_club_beside(file, args, served=served))

        if file.exists():
            club = begin_club()
            serve.prepare(f"sqlite:///{file}", args.host)
        else:
            club = _make(file, begin_club)
        if not served and club.wait():
            raise CrosstableError("the club could not be made")
        _tell(file, args)
        if served:
            _show_codes()
            print("Ctrl+C stops it.", flush=True)
            _listen(args, file)
        else:
            print(
                f"Not served without a terminal: crosstable serve --db sqlite:///{file} --port {args.port}", flush=True
            )
    return 0


def _run_federation(file: Path, args: argparse.Namespace, *, served: bool) -> int:
    """Make a small office of another federation, if it is not there, and serve it."""
    if file.exists():
        serve.prepare(f"sqlite:///{file}", args.host)
    else:
        _make_federation(file, args.federation)
    print(f"http://{args.host}:{args.port}/  {federation(args.federation).name}, made up. The password is {PASSWORD};")
    print("where a code is asked for, the page shows it.")
    print(f"  {'olive':<6}{'officer:':<15}accept the waiting report and publish a list")
    print(f"  {'dora':<6}{'director:':<15}send in a list of games", flush=True)
    if served:
        _show_codes()
        print("Ctrl+C stops it.", flush=True)
        _listen(args, file)
    return 0


def _make_federation(file: Path, name: str) -> None:
    print(f"Making an office of the profile {name}", flush=True)
    file.parent.mkdir(parents=True, exist_ok=True)
    from crosstable.web import settings

    settings.configure(f"sqlite:///{file}-{os.getpid()}", https=False)
    from crosstable.office.example.federation import make
    from crosstable.office.people import users
    from crosstable.office.people.rights import Actor
    from crosstable.office.storage import clock
    from crosstable.office.storage import settings as office

    with _unfinished(file):
        office.migrate()
        make(federation(name), clock.today())
        for account, *_ in ACCOUNTS:
            users.set_password(Actor.installation(), account, PASSWORD)
        _give_apps()


def _tell(file: Path, args: argparse.Namespace) -> None:
    """Print the addresses, and a line for each role with what to try first."""
    from crosstable.club.example import NAME, PIN

    try_first: Mapping[str, str] = json.loads(Path(f"{file}-try").read_text(encoding="utf-8"))
    print(f"http://{args.host}:{args.port}/  a made-up federation. Sign in with the password {PASSWORD};")
    print("where a code is asked for, the page shows it.")
    for name, role, words in ACCOUNTS:
        print(f"  {name:<6}{role + ':':<15}{words.format(**try_first)}")
    print(f"http://{args.host}:{args.port + 1}/club/  {NAME}, tonight in its second round. The PIN is {PIN}.")
    print(f"  {'':<6}{'volunteer:':<15}tap the results that are missing, and pair the next round", flush=True)


def _show_codes() -> None:
    """Let the page that asks for the code show it: here, and nowhere else."""
    from django.conf import settings

    settings.SECOND_STEP_HINT = lambda: code_at(time.time())


def _listen(args: argparse.Namespace, file: Path, *, jobs: bool = True) -> None:
    """Serve without a line for each request: what to try first stays on the screen."""
    from crosstable.web import logs

    logs.quiet()
    serve.listen(args.host, args.port, args.threads, f"sqlite:///{file}", jobs=jobs)


def _default(federation_name: str) -> Path:
    """One for each state of the program: what rates and loads is what the office follows from."""
    try:
        from crosstable.web import folders
    except ModuleNotFoundError as missing:
        raise CrosstableError(f"the web office needs {missing.name}: pip install 'crosstable[web]'") from missing
    import crosstable

    here = Path(crosstable.__file__).parent
    digest = hashlib.sha256()
    for room in ("office", "club", "simulation", "systems", "rulebook", "replay", "titles", "federations"):
        for source in sorted((here / room).rglob("*")):
            if source.suffix in {".py", ".toml"}:
                digest.update(source.read_bytes())
    digest.update(Path(__file__).read_bytes())  # its accounts
    kind = f"{federation_name}-" if federation_name != DEFAULT else ""
    return folders.cache() / f"demo-{kind}{digest.hexdigest()[:12]}.db"


@contextmanager
def _unfinished(file: Path) -> Iterator[Path]:
    """Yield a file under another name until it is complete: an interrupted start leaves nothing behind."""
    from crosstable.office.storage import settings as office

    part = file.with_name(f"{file.name}-{os.getpid()}")
    try:
        yield part
        office.setup(f"sqlite:///{file}")  # closes the unfinished one
        for suffix in ("-secret", "-try"):  # second factors are encrypted with the office's own key
            if Path(f"{part}{suffix}").exists():
                Path(f"{part}{suffix}").replace(f"{file}{suffix}")
        part.rename(file)
    finally:
        _away(part)


def _make(file: Path, begin_club: Callable[[], subprocess.Popen[bytes]]) -> subprocess.Popen[bytes]:
    """Make the federation. The club, which has the same tables, is made meanwhile in its own process: that process."""
    print("Making a federation with three years of events, and a school club", flush=True)
    file.parent.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("POLARS_MAX_THREADS", "1")  # tables of a few rows: sharing them among threads takes longer
    from crosstable.web import settings

    settings.configure(f"sqlite:///{file}-{os.getpid()}", https=False)
    from django.db import connections

    from crosstable.office.example import desks
    from crosstable.office.people import users
    from crosstable.office.people.rights import Actor
    from crosstable.office.storage import clock
    from crosstable.office.storage import settings as office

    with _unfinished(file) as part, progress_bar("reports, decisions and lists") as report:
        office.migrate()
        connections.close_all()  # the last one to close an SQLite file writes its log back into it
        shutil.copy(part, _tables_of(file))  # with its mode: for its owner only
        club = begin_club()
        _, shown = desks.make(clock.today(), report)
        for name, *_ in ACCOUNTS:
            users.set_password(Actor.installation(), name, PASSWORD)
        _give_apps()
        Path(f"{part}-try").write_text(json.dumps(shown.as_json()), encoding="utf-8")
    return club


def _give_apps() -> None:
    """Officers and administrators sign in with two things, here too."""
    from allauth.mfa.totp.internal.auth import TOTP
    from django.contrib.auth.models import User

    for name in WITH_CODE:
        TOTP.activate(User.objects.get(username=name), APP_KEY)


# the club, in a process of its own: one process serves one office


def _club_of(file: Path) -> Path:
    return file.with_name(f"{file.stem}-club{file.suffix}")


def _tables_of(file: Path) -> Path:
    """Return an office's tables with nothing in them, for the club."""
    return Path(f"{file}-tables")


@contextmanager
def _club_beside(file: Path, args: argparse.Namespace, *, served: bool) -> Iterator[subprocess.Popen[bytes]]:
    """Make the club and serve it until this process ends; where nothing is served, only make it."""
    command = [sys.executable, "-m", "crosstable", "demo", "--club-of", str(file), "--host", args.host]
    environment = {**os.environ, **({} if served else {"CI": "true"})}
    port = ["--port", str(args.port + 1)]
    process = subprocess.Popen([*command, *port], stdin=subprocess.PIPE, env=environment)  # noqa: S603  our own command
    try:
        yield process
    finally:
        if process.stdin is not None:
            process.stdin.close()  # which it notices
        process.wait()


def _run_club(args: argparse.Namespace) -> int:
    file = _club_of(Path(args.club_of))
    made = file.exists()
    file.parent.mkdir(parents=True, exist_ok=True)
    if not made:
        from crosstable.web import settings

        settings.configure(f"sqlite:///{file}-{os.getpid()}", https=False)
        _make_club(file, _tables_of(Path(args.club_of)))
    else:
        serve.prepare(f"sqlite:///{file}", args.host)
    from crosstable.club.example import hold_tonight

    hold_tonight()
    if os.environ.get("CI") != "true":
        threading.Thread(target=_end_with_parent, daemon=True).start()
        _listen(args, file, jobs=False)
    return 0


def _make_club(file: Path, tables: Path) -> None:
    from crosstable.club import example
    from crosstable.office.storage import clock
    from crosstable.office.storage import settings as office

    with _unfinished(file) as part:
        if tables.exists():
            tables.replace(part)
        else:
            office.migrate()
        example.make(clock.today_here())


def _end_with_parent() -> None:
    """End with the parent, which holds the other end of our input."""
    while os.read(0, 1):  # past `sys.stdin`, whose lock Python cannot take back from a thread when it ends
        pass
    os._exit(0)


def code_at(moment: float) -> str:
    """Return what an app with the key shows at a moment (RFC 6238: six digits of SHA-1, thirty seconds)."""
    key, counter = base64.b32decode(APP_KEY), struct.pack(">Q", int(moment) // 30)
    digest = hmac.digest(key, counter, "sha1")
    start = digest[-1] & 0x0F
    number = struct.unpack(">I", digest[start : start + 4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"


def _away(file: Path) -> None:
    for suffix in SUFFIXES:
        Path(f"{file}{suffix}").unlink(missing_ok=True)
