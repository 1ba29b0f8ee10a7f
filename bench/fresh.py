"""Follow the README on a bare Debian: `make demo` until the first page answers, then `make test`, as root and as a
user.

Each release gets a root folder with python3, make and nothing else, which is entered with chroot: bookworm has Python
3.11, trixie has 3.13 (no release of Debian has 3.12). The user may install nothing, so the tests that need PostgreSQL
or Chromium are skipped there, and the last lines must say so. Needs root and mmdebstrap. A complete run takes long;
parts of it:

    bench/fresh.py --release trixie --who user --command demo
    bench/fresh.py --release bookworm --who root --command test --tests tests/checks

How this machine reaches packages (sources and options of apt, settings of pip and uv, certificates) is copied into the
root folder when it is made. Everything is mounted in a mount namespace of its own, so that nothing stays mounted.
"""

from __future__ import annotations

import argparse
import configparser
import os
import platform
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
RELEASES = ("bookworm", "trixie")
HOMES = {"root": "/root", "user": "/home/user"}
COMMANDS = ("demo", "test")
#: What a user who lacks it reads, and what the administrator then does
NO_VENV = "apt-get install python3-venv"
#: A start from nothing downloads packages; what takes longer than this many seconds hangs
PATIENCE = {"demo": 1800, "test": 4 * 3600}
NOISE = re.compile(r"Traceback|Fatal")
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/")
#: Variables of this machine that say how packages are reached
PASSED = re.compile(r"(PIP|UV)_\w+|SSL_CERT_FILE|REQUESTS_CA_BUNDLE|(https?|no|all)_proxy", re.IGNORECASE)
#: Where the files go that they name: packages that are installed later may write to the same path (certificates)
COPIED = "/var/lib/fresh"
PIP_FILES = ("/etc/pip.conf", "~/.pip/pip.conf", "~/.config/pip/pip.conf")

#: Runs in namespaces of its own: $1 is the root folder, $2 the user, $3 folders to show read-only, the rest the command
ENTER = r"""
root=$1 user=$2 folders=$3; shift 3
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
mount -t tmpfs tmpfs "$root/dev/shm"
mount --bind /sys "$root/sys"
for folder in $folders; do
    mkdir -p "$root$folder"
    mount --bind "$folder" "$root$folder"
    mount -o remount,bind,ro "$root$folder"
done
exec chroot --userspec="$user" "$root" env -i "$@"
"""


@dataclass(frozen=True, slots=True)
class Machine:
    """How this machine reaches packages: variables, files to copy and folders to show."""

    variables: dict[str, str]
    pip: configparser.ConfigParser
    files: tuple[str, ...]
    folders: tuple[str, ...]

    @classmethod
    def this(cls) -> Machine:
        variables = {name: value for name, value in os.environ.items() if PASSED.fullmatch(name)}
        pip = configparser.ConfigParser(interpolation=None)
        pip.read([Path(name).expanduser() for name in PIP_FILES], encoding="utf-8")
        settings = [*variables.values(), *(value for name in pip.sections() for value in pip[name].values())]
        named = {word.removeprefix("file://") for text in settings for word in text.split()}
        paths = sorted(word for word in named if word.startswith("/") and Path(word).exists())
        files = tuple(path for path in paths if Path(path).is_file())
        for path in files:
            variables = {name: value.replace(path, COPIED + path) for name, value in variables.items()}
            for section in pip.sections():
                for name, value in pip[section].items():
                    pip[section][name] = value.replace(path, COPIED + path)
        return cls(variables, pip, files, tuple(path for path in paths if Path(path).is_dir()))


@dataclass(frozen=True, slots=True)
class Root:
    """A root folder, who works in it, and where the checkout is."""

    folder: Path
    who: str
    machine: Machine
    checkout: str

    @property
    def home(self) -> str:
        return HOMES[self.who]

    @property
    def ids(self) -> str:
        return "0:0" if self.who == "root" else "1000:1000"

    def enter(self, command: str, **more: str) -> list[str]:
        """Return the command line that runs a shell command in the checkout, without this machine's environment."""
        path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        clean = {"HOME": self.home, "USER": self.who, "PATH": path, "LANG": "C.UTF-8", "TERM": "dumb"}
        variables = [f"{name}={value}" for name, value in {**clean, **self.machine.variables, **more}.items()]
        shell = ["sh", "-c", f"cd {self.checkout} && {command}"]
        spaces = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-euc", ENTER, "enter"]
        return [*spaces, str(self.folder), self.ids, " ".join(self.machine.folders), *variables, *shell]

    def administrator(self) -> Root:
        return replace(self, who="root")


@dataclass(slots=True)
class Report:
    """The parts of a run: what, seconds on the clock and of the processor, and what went wrong."""

    lines: list[str] = field(default_factory=list)
    failed: bool = False

    def add(self, what: str, since: os.times_result, problem: str = "") -> None:
        now = os.times()
        processor = now.children_user - since.children_user + now.children_system - since.children_system
        spent = f"{now.elapsed - since.elapsed:>6.0f} s, {processor:>5.0f} s of the processor"
        self.lines.append(f"{what:<60}{spent}: {problem or 'passed'}")
        self.failed |= bool(problem)
        print(f"== {self.lines[-1]}", flush=True)


def sources(release: str) -> list[str]:
    """Return this machine's own Debian sources for another release; none if it is no Debian: then the usual mirror."""
    system = platform.freedesktop_os_release()
    if system.get("ID") != "debian":
        return []
    here = system["VERSION_CODENAME"]
    places = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*.[ls]*"))]
    files = [path for path in places if path.suffix in (".list", ".sources") and path.is_file()]
    texts = [path.read_text(encoding="utf-8") for path in files]
    return [re.sub(rf"\b{here}\b", release, text) for text in texts if re.search(rf"\b{here}\b", text)]


def apt_options() -> list[str]:
    """Return this machine's options for fetching packages: proxies, retries, expired snapshots."""
    dump = subprocess.run(["apt-config", "dump", "Acquire"], capture_output=True, text=True, check=False).stdout
    wanted = re.compile(r"Acquire::(https?::|ftp::|Check-Valid-Until|Retries)\S* \".+\";")
    return [line for line in dump.splitlines() if wanted.match(line)]


def build(release: str, target: Path, machine: Machine) -> None:
    """Make a bare Debian with python3 and make, which reaches packages as this machine does."""
    with tempfile.TemporaryDirectory() as notes:
        mirrors = []
        for number, text in enumerate(sources(release)):
            mirrors.append(Path(notes) / f"{number}.sources")
            mirrors[-1].write_text(text, encoding="utf-8")
        options = [f"--aptopt={option}" for option in apt_options()]
        command = ["mmdebstrap", "--quiet", "--variant=minbase", "--mode=root", "--include=python3,make", *options]
        subprocess.run([*command, release, target, *mirrors], check=True)
    for name in ("/etc/resolv.conf", "/etc/hosts"):
        shutil.copy(name, target / name[1:])
    for name in machine.files:
        copy = target / COPIED[1:] / name[1:]
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(name, copy)
    with (target / "etc/pip.conf").open("w", encoding="utf-8") as file:
        machine.pip.write(file)
    policy = target / "usr/sbin/policy-rc.d"  # a package that is installed starts no service
    policy.write_text("#!/bin/sh\nexit 101\n")
    policy.chmod(0o755)


def settle(base: Path, folder: Path, who: str, machine: Machine) -> Root:
    """Copy the bare system, and put the checkout's files into the user's home folder."""
    subprocess.run(["cp", "-a", base, folder], check=True)
    root = Root(folder, who, machine, f"{HOMES[who]}/crosstable")
    if who != "root":
        for name, line in (("passwd", f"user:x:1000:1000::{root.home}:/bin/sh\n"), ("group", "user:x:1000:\n")):
            with (folder / "etc" / name).open("a") as file:
                file.write(line)
    checkout = folder / root.checkout[1:]
    checkout.mkdir(parents=True)
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=HERE, capture_output=True, check=True).stdout
    pack = subprocess.run(["tar", "-c", "--null", "-T", "-"], cwd=HERE, input=listed, capture_output=True, check=True)
    subprocess.run(["tar", "-x", "--no-same-owner"], cwd=checkout, input=pack.stdout, check=True)
    subprocess.run(["chown", "-R", root.ids, folder / root.home[1:]], check=True)
    return root


def run(root: Root, command: str, **more: str) -> tuple[int, list[str]]:
    """Run a command in the root folder and show what it prints; return its status and its lines."""
    lines = []
    with subprocess.Popen(
        root.enter(command, **more),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        errors="replace",
    ) as process:
        try:
            for line in process.stdout or ():
                print(line, end="", flush=True)
                lines.append(line.rstrip())
        except BaseException:  # stopped from outside: with it everything in its namespace ends
            process.kill()
            raise
    return process.returncode, lines


def give_venv(root: Root, report: Report, label: str) -> None:
    """Let a user without Python's venv module read what to do, and do it as the administrator."""
    since = os.times()
    status, lines = run(root, "make demo")
    said = any(NO_VENV in line for line in lines)
    report.add(f"{label}: make without venv says what to do", since, "" if status and said else "no clear message")
    run(root.administrator(), f"apt-get update -qq && DEBIAN_FRONTEND=noninteractive {NO_VENV} -y -qq")


def printed(terminal: int, process: subprocess.Popen[bytes], patience: float) -> Iterator[str]:
    """Yield what has been printed so far, at least once a second, until the process ends, and then once more."""
    text, until = "", time.monotonic() + patience
    while time.monotonic() < until:
        if select.select([terminal], [], [], 1)[0]:
            try:
                more = os.read(terminal, 65536).decode(errors="replace")
            except OSError:  # the other end is closed
                break
            print(more, end="", flush=True)
            text += more
        if process.poll() is not None:
            break
        yield text
    yield text


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5) as page:  # noqa: S310  the demo on this machine
            return bool(page.status == 200 and page.read())
    except OSError:
        return False


def demo(root: Root) -> str:
    """Run `make demo` on a terminal until its first page answers, then stop it as Ctrl-C does; return what went
    wrong.
    """
    if answers("http://127.0.0.1:8000/"):
        return "port 8000 of this machine is in use"
    problem = "it ended before a page answered"
    terminal, inside = pty.openpty()
    command = ["setsid", "--ctty", *root.enter("make demo")]
    with subprocess.Popen(command, stdin=inside, stdout=inside, stderr=inside) as process:
        os.close(inside)
        try:
            for text in printed(terminal, process, PATIENCE["demo"]):
                found = ADDRESS.search(text)
                if found and answers(found[0]):
                    problem = ""
                    break
            os.write(terminal, b"\x03")
            for text in printed(terminal, process, 20):
                if NOISE.search(text):
                    problem = problem or "it does not stop quietly"
            with suppress(subprocess.TimeoutExpired):
                process.wait(20)  # what it spent is known when it has ended by itself
        finally:
            process.kill()  # and with it everything in its namespace, if it has not ended
    os.close(terminal)
    return problem


def test(root: Root, tests: str) -> str:
    """Run `make test`, or the tests named, and return what went wrong; without PostgreSQL the last lines must
    say so.
    """
    command = "make test" if not tests else "make browser unit"
    status, lines = run(root, f"timeout {PATIENCE['test']} {command}", **({"PYTEST_ADDOPTS": tests} if tests else {}))
    if status:
        return f"status {status}"
    named = any("PostgreSQL is missing" in line for line in lines[-6:])
    if root.who != "root" and not tests and not named:
        return "the last lines do not say what was skipped"
    return ""


def follow(root: Root, label: str, commands: list[str], tests: str, report: Report) -> None:
    """Follow the README as one person."""
    if root.who != "root":
        give_venv(root, report, label)
    for command in commands:
        since = os.times()
        problem = demo(root) if command == "demo" else test(root, tests)
        part = {"demo": "make demo, up to the first page", "test": "some of make test" if tests else "make test"}[
            command
        ]
        report.add(f"{label}: {part}", since, problem)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--release", nargs="+", default=RELEASES, help=f"Debian releases (default {' '.join(RELEASES)})"
    )
    parser.add_argument("--who", nargs="+", choices=HOMES, default=list(HOMES), help="default both")
    parser.add_argument("--command", nargs="+", choices=COMMANDS, default=COMMANDS, help="default both")
    parser.add_argument("--tests", default="", help="these tests instead of all of `make test`, as pytest takes them")
    args = parser.parse_args()
    if os.geteuid() or not shutil.which("mmdebstrap"):
        parser.error("this needs root and mmdebstrap (apt-get install mmdebstrap)")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the folder is removed also when this is stopped
    machine, report = Machine.this(), Report()
    with tempfile.TemporaryDirectory(prefix="crosstable-fresh-") as name:
        work = Path(name)
        work.chmod(0o755)  # apt fetches as a user of its own
        for release in args.release:
            since = os.times()
            build(release, work / release, machine)
            python = os.readlink(work / release / "usr/bin/python3")
            report.add(f"{release} ({python}): bare system", since)
            for who in args.who:
                root = settle(work / release, work / f"{release}-{who}", who, machine)
                follow(root, f"{release} ({python}), {who}", args.command, args.tests, report)
                shutil.rmtree(root.folder)
            shutil.rmtree(work / release)
    print("\n".join(report.lines))
    return int(report.failed)


if __name__ == "__main__":
    sys.exit(main())
