"""`crosstable demo`: a made-up office of three years, to look around in."""

from __future__ import annotations

import argparse
import base64
import hashlib
import hmac
import os
import struct
import sys
import time
from pathlib import Path

from crosstable.cli import serve
from crosstable.cli.progress import progress_bar
from crosstable.errors import CrosstableError

#: Known to everybody, and only in the made-up office: the password, and the key of the app that gives codes
PASSWORD = "made-up-office"  # noqa: S105  printed on the screen, and for made-up people only
APP_KEY = "MADEUPOFFICEMADEUPOFFICEMADEUPOF"
ACCOUNTS = {"pia": "player", "dora": "director", "olive": "officer", "oscar": "officer", "chief": "admin"}
#: Their second step is a code
WITH_CODE = ("olive", "oscar", "chief")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--file", metavar="FILE", help="keep the office in this file (default: in the cache folder)")
    parser.add_argument("--fresh", action="store_true", help="make it anew")
    parser.add_argument("--code", action="store_true", help="print the code for the second step, and nothing else")
    serve.where(parser)


def run(args: argparse.Namespace) -> int:
    """Make the office, if it is not there, and serve it; without a terminal only say where it is."""
    if args.code:
        print(code_at(time.time()))
        return 0
    served = os.environ.get("CI") != "true" and sys.stdout.isatty()
    if not served:
        print("Without a terminal the office is made and not served; the last line says how to serve it.", flush=True)
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
    print("Sign in as one of these; the password is", PASSWORD)
    for name, role in ACCOUNTS.items():
        print(f"  {name:<7}{role}{', with a second step' if name in WITH_CODE else ''}")
    print(f"The second step is a code. `crosstable demo --code` prints it, now {code_at(time.time())};")
    print(f"or add the key {APP_KEY} to an app.")
    print(f"The same from the shell: crosstable office --db sqlite:///{file} --help", flush=True)
    if not served:
        print(f"To serve it: crosstable serve --db sqlite:///{file} --port {args.port}", flush=True)
        return 0
    serve.listen(args.host, args.port, args.threads, f"sqlite:///{file}")
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
    for room in ("office", "population", "systems", "rulebook", "replay", "titles"):
        for source in sorted((here / room).rglob("*")):
            if source.suffix in {".py", ".toml"}:
                digest.update(source.read_bytes())
    digest.update(Path(__file__).read_bytes())  # its accounts
    return folders.cache() / f"demo-{digest.hexdigest()[:12]}.db"


def _make(file: Path) -> None:
    """Under another name until it is whole: a start that is broken off leaves nothing behind."""
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_name(f"{file.name}-{os.getpid()}")
    os.environ.setdefault("POLARS_MAX_THREADS", "1")  # tables of a few rows: sharing them among threads takes longer
    from crosstable.web import settings

    settings.configure(f"sqlite:///{unfinished}", https=False)
    from crosstable.office.example.load import load
    from crosstable.office.people import users
    from crosstable.office.people.rights import Actor
    from crosstable.office.storage import settings as office

    try:
        with progress_bar("events") as report:
            office.migrate()
            load(progress=report)
        for name in ACCOUNTS:
            users.set_password(Actor.installation(), name, PASSWORD)
        _give_apps()
        office.setup(f"sqlite:///{file}")  # closes the unfinished one
        unfinished.rename(file)
        _keep_key(unfinished, file)
    finally:
        _away(unfinished)


def _give_apps() -> None:
    """Officers and administrators sign in with two things, here too."""
    from allauth.mfa.totp.internal.auth import TOTP
    from django.contrib.auth.models import User

    for name in WITH_CODE:
        TOTP.activate(User.objects.get(username=name), APP_KEY)


def _keep_key(unfinished: Path, file: Path) -> None:
    """The second factors are encrypted with the office's own key."""
    made = Path(f"{unfinished}-secret")
    if made.exists():
        made.replace(f"{file}-secret")


def code_at(moment: float) -> str:
    """What an app with the key shows at a moment (RFC 6238: six digits of SHA-1, thirty seconds)."""
    key, counter = base64.b32decode(APP_KEY), struct.pack(">Q", int(moment) // 30)
    digest = hmac.digest(key, counter, "sha1")
    start = digest[-1] & 0x0F
    number = struct.unpack(">I", digest[start : start + 4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"


def _away(file: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-queue", "-secret"):
        Path(f"{file}{suffix}").unlink(missing_ok=True)
