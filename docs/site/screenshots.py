"""Screenshots of the made-up office, taken in Chromium while the documentation is built, so that they are never old."""

from __future__ import annotations

import hashlib
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from crosstable.cli.demo import PASSWORD
from crosstable.club.example import PIN

ROOT = Path(__file__).resolve().parents[2]


def _digest() -> str:
    """Return a hash of the sources: an office that an earlier version made is made again."""
    digest = hashlib.sha256()
    for path in sorted((ROOT / "src").rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


OFFICE = ROOT / "build" / "docs" / f"demo-{_digest()}.db"
CLUB = OFFICE.with_name(f"{OFFICE.stem}-club.db")
CLUB_NIGHT = "the volunteer"  # who knows the PIN
PATIENCE = 300  # seconds until a server answers
SHOTS: dict[str, tuple[str, str, Callable[[Any], None]]] = {}


def shot(name: str, words: str, who: str = "") -> Callable[[Callable[[Any], None]], Callable[[Any], None]]:
    """Register how a screenshot is reached, what it shows, in words, and who is signed in."""

    def register(steps: Callable[[Any], None]) -> Callable[[Any], None]:
        SHOTS[name] = (words, who, steps)
        return steps

    return register


@shot("search", "A search for a player by a part of the name")
def _search(page: Any) -> None:
    page.goto("/players/?q=an")


@shot("player", "A player's page with ratings and events")
def _player(page: Any) -> None:
    page.goto("/players/?q=an")
    page.locator("main tbody th a").first.click()


@shot("derivation", "The calculation behind one rating, from the rating before to the rating after")
def _derivation(page: Any) -> None:
    _player(page)
    page.locator("main a[href*='/OTBR/'][href^='/events/']").first.click()


@shot("estimate", "The estimator: what every score against four opponents would give")
def _estimate(page: Any) -> None:
    page.goto("/estimate/?pool=OTBR&rating=1666&games=87&opponents=1700,1650,1580,1720&target=1700")


@shot("list", "A published rating list")
def _list(page: Any) -> None:
    page.goto("/lists/")
    page.locator("main a[href^='/lists/']").first.click()


@shot("rules", "The rules in force on a day")
def _rules(page: Any) -> None:
    page.goto("/rules/?on=2025-08-02")


@shot("director-desk", "A director's desk", "dora")
def _director(page: Any) -> None:
    page.goto("/desk/")


@shot("director-draft", "A draft with what was found in its file", "dora")
def _draft(page: Any) -> None:
    page.goto("/desk/")
    page.locator("main a[href^='/desk/drafts/']").first.click()


@shot("officer-queue", "The officer's queue of reports", "olive")
def _queue(page: Any) -> None:
    page.goto("/desk/queue/")


@shot("officer-decisions", "The requests that wait for a decision", "olive")
def _decisions(page: Any) -> None:
    page.goto("/desk/")


@shot("club-night", "A club night on a phone: the games that are being played", CLUB_NIGHT)
def _night(page: Any) -> None:
    page.goto("/club/")


@shot("club-ladder", "The club's ladder", CLUB_NIGHT)
def _ladder(page: Any) -> None:
    page.goto("/club/ladder/")


def _enter(page: Any) -> None:
    page.goto("/club/enter/")
    page.locator("input[type=password], input[name=pin]").first.fill(PIN)
    page.locator("main form button").first.click()


def sign_in(page: Any, name: str) -> None:
    """Sign in through the pages, with the second step where one is asked for."""
    page.goto("/desk/sign-in/")
    page.locator("input[name=login]").fill(name)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("form:has(input[name=password]) button").first.click()
    if "/code/" in page.url:
        code = subprocess.run(
            [sys.executable, "-m", "crosstable", "demo", "--code"], capture_output=True, text=True, check=True
        ).stdout
        page.locator("input[name=code]").fill(code.strip())
        page.locator("form:has(input[name=code]) button").first.click()


def take(folder: Path, wanted: set[str]) -> None:
    """Take the screenshots that the pages ask for. One that is not known here is an error."""
    if unknown := wanted - SHOTS.keys():
        raise SystemExit(f"no screenshot is called {', '.join(sorted(unknown))}")
    program = shutil.which("chromium")
    if program is None:
        raise SystemExit("Chromium is missing, which takes the screenshots. To get it: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    make_office()
    with served(OFFICE) as office, served(CLUB) as club, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        contexts: dict[str, Any] = {}  # one for each person: a code of the second step fits only once
        for name in sorted(wanted):
            words, who, steps = SHOTS[name]
            if who not in contexts:
                contexts[who] = opened(browser, club if who == CLUB_NIGHT else office, who)
            _take(contexts[who], steps, folder / f"{name}.png")
            (folder / f"{name}.txt").write_text(words, encoding="utf-8")
        browser.close()


def opened(browser: Any, address: str, who: str) -> Any:
    """Open a browser for a person, signed in; the club is shown on a phone."""
    size = {"width": 390, "height": 844} if who == CLUB_NIGHT else {"width": 1100, "height": 800}
    context = browser.new_context(base_url=address, viewport=size, color_scheme="light")
    context.set_default_timeout(120_000)  # milliseconds; a busy machine may be slow
    page = context.new_page()
    if who == CLUB_NIGHT:
        _enter(page)
    elif who:
        sign_in(page, who)
    page.close()
    return context


def _take(context: Any, steps: Callable[[Any], None], file: Path) -> None:
    """Take one screenshot. An error page is no screenshot."""
    page = context.new_page()
    wrong: list[str] = []
    page.on("response", lambda answer: wrong.append(f"{answer.status} {answer.url}") if answer.status >= 400 else None)
    steps(page)
    page.wait_for_load_state("networkidle")
    if wrong or "/sign-in/" in page.url:
        raise SystemExit(f"{file.name}: {', '.join(wrong) or page.url}")
    page.screenshot(path=file)
    page.close()


def make_office() -> None:
    """Make the made-up office and its club, where they are not there yet."""
    OFFICE.parent.mkdir(parents=True, exist_ok=True)
    if not (OFFICE.is_file() and CLUB.is_file()):
        subprocess.run(
            [sys.executable, "-m", "crosstable", "demo", "--file", str(OFFICE)], check=True, stdin=subprocess.DEVNULL
        )


@contextmanager
def served(file: Path) -> Iterator[str]:
    """Serve an office on a free port until the screenshots are taken."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "crosstable", "serve", "--db", f"sqlite:///{file}", "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address, end = f"http://127.0.0.1:{port}", time.monotonic() + PATIENCE
    try:
        while time.monotonic() < end and process.poll() is None:
            try:
                urllib.request.urlopen(f"{address}/healthz", timeout=5)
                break
            except (urllib.error.URLError, TimeoutError, ConnectionError):
                time.sleep(0.5)
        else:
            raise SystemExit(f"{file.name} is not served")
        yield address
    finally:
        process.terminate()
        process.wait()
