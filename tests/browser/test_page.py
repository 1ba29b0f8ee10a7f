"""The page in Chromium: the same numbers as everywhere else, nothing leaves the computer, and it works offline."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from crosstable.browser.calls import call
from tests.browser.conftest import ask

ROOT = Path(__file__).parents[2]
RIVERSIDE = ROOT / "examples" / "riverside-open.json"
EVENTS = ROOT / "tests" / "events" / "checks"
FORMATS = {".json", ".csv", ".txt", ".trf", ".zip", ".xlsx", ".sjson", ".tsv", ".html", ".ods"}


def native(path: Path) -> Any:
    return json.loads(call("answers", json.dumps({"name": path.name}), path.read_bytes()))


def twenty() -> list[Path]:
    """Return twenty of our own events that can be rated, of as many formats as there are."""
    found: dict[str, list[Path]] = {}
    for path in sorted(EVENTS.iterdir()):
        if (
            path.suffix in FORMATS
            and ".list" not in path.name
            and ".recipe" not in path.name
            and native(path)["answers"]
        ):
            found.setdefault(path.suffix, []).append(path)
    chosen: list[Path] = []
    while len(chosen) < 20 and any(found.values()):
        chosen += [paths.pop(0) for paths in found.values() if paths]
    return chosen[:20]


def test_twenty_events_are_rated_as_natively(rating_page: Any) -> None:
    events = twenty()
    assert len(events) == 20
    for path in events:
        assert ask(rating_page, "answers", {"name": path.name}, path.read_bytes()) == native(path), path.name


def test_a_director_rates_a_file(rating_page: Any) -> None:
    rating_page.set_input_files("#file", ROOT / "site" / "rate" / "examples" / "saturday-swiss.csv")
    # K (S − E) = 36.475 × 1.253 = 45.7; above 10 √4 = 20 counts twice: 1588 + 45.7 + 25.7 = 1659.4
    jonah = rating_page.locator("#s1p4")
    assert "1659" in jonah.inner_text()
    jonah.get_by_role("button").click()
    rating_page.get_by_role("heading", name="Jonah Weiss: 1588 → 1659").wait_for()
    rating_page.locator("#whatif fieldset").nth(3).get_by_text("Drew").click()
    rating_page.locator("#whatif-answer").wait_for()
    assert "With a draw in round 4, Jonah Weiss would have 1624" in rating_page.inner_text("#whatif-answer")
    with rating_page.expect_download() as saved:
        rating_page.get_by_role("button", name="US Chess rating report").click()
    assert {Path(name).suffix for name in zipfile.ZipFile(saved.value.path()).namelist()} == {".DBF"}


def test_a_finding_is_fixed_by_its_button_and_the_fix_taken_back(rating_page: Any) -> None:
    rating_page.set_input_files("#file", EVENTS / "not-mirrored.trf")
    rating_page.locator("#result").wait_for()
    fixes = rating_page.locator("form.fix:not(:has(input))")
    before = fixes.count()
    assert before > 0
    fixes.first.locator("button").click()
    rating_page.locator("#undo").wait_for()
    rating_page.locator("#undo").click()
    rating_page.locator("#undo").wait_for(state="hidden")
    assert fixes.count() == before


def test_what_a_file_does_not_say_can_be_said(rating_page: Any) -> None:
    rating_page.set_input_files("#file", ROOT / "site" / "rate" / "examples" / "club-quad.trf")
    rating_page.get_by_text("Not rated yet: 4 things need fixing.").wait_for()
    rating_page.get_by_label("Games behind ratings without a number").fill("40")
    rating_page.get_by_role("button", name="Rate again").click()
    rating_page.get_by_text("4 players rated.").wait_for()


def test_names_cannot_break_the_page(rating_page: Any) -> None:
    rating_page.fill("#paste", "Round,White,Black,Result\n1,<img src=x onerror=alert(1)>,Bo,1-0\n")
    rating_page.get_by_role("button", name="Rate this text").click()
    rating_page.locator("#result").wait_for()
    assert rating_page.locator("#result-part img").count() == 0


def test_nothing_leaves_the_computer(rating_page: Any, host: str) -> None:
    asked: list[str] = []
    rating_page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    ask(rating_page, "open", {"name": "a.csv"}, b"Round,White,Black,Result\n1,Ann,Bo,1-0\n")
    assert all(one.startswith((f"GET {host}", "GET blob:")) for one in asked), asked
    # Even a program inside the worker could not: the page's policy holds there too.
    code = """async () => {
        const source = 'fetch("https://example.org/").then(() => postMessage("sent"), () => postMessage("refused"))';
        const worker = new Worker(URL.createObjectURL(new Blob([source])));
        return await new Promise((done) => { worker.onmessage = (event) => done(event.data); });
    }"""
    assert rating_page.evaluate(code) == "refused"


def test_workbooks_are_loaded_only_for_a_workbook(rating_page: Any) -> None:
    asked: list[str] = []
    rating_page.on("requestfinished", lambda request: asked.append(request.url.rpartition("/")[2]))
    rating_page.evaluate("navigator.serviceWorker.ready")
    ask(rating_page, "estimate", {"rating": "1500", "games": "30", "opponents": "1500"})
    before = rating_page.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
    assert not any(one.endswith("workbooks.zip") for one in before)
    answer = ask(rating_page, "open", {"name": "a.xlsx"}, (EVENTS / "sheet-ignored.xlsx").read_bytes())
    assert "problem" not in answer


def test_it_works_offline_after_the_first_visit(rating_page: Any) -> None:
    ask(rating_page, "about", {})
    rating_page.evaluate("navigator.serviceWorker.ready")
    rating_page.context.set_offline(True)
    rating_page.reload()
    rating_page.click('[data-example="riverside-open.json"]')
    rating_page.get_by_text("8 players rated. Maya Lindqvist gained the most: 1488 → 1666.").wait_for()


def test_a_second_visit_continues_from_the_memory_that_the_first_one_kept(chromium_of_worker: Any, host: str) -> None:
    context = chromium_of_worker.new_context(base_url=host)
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto("/")
    ask(page, "open", {"name": "a.csv"}, b"Round,White,Black,Result\n1,Zebulon Quist,Bo,1-0\n")
    find = """async (word) => {
        const kept = await caches.match("started-memory");
        return new TextDecoder("latin1").decode(await kept.arrayBuffer()).includes(word);
    }"""
    page.evaluate("""async () => {
        while (await caches.match("started-memory") === undefined) await new Promise((done) => setTimeout(done, 50));
    }""")
    assert page.evaluate(find, "crosstable.browser.calls")  # the program is in it, and no file that was opened
    assert not page.evaluate(find, "Quist")
    # A memory that cannot be read is thrown away, and the page starts as on a first visit.
    for damage in (None, "new Response(new Uint8Array(1000))"):
        if damage:
            page.evaluate(f"""async () => {{
                const [name] = (await caches.keys()).filter((one) => one.startsWith("started-"));
                await (await caches.open(name)).put("started-memory", {damage});
            }}""")
        page.reload()
        answer = ask(page, "answers", {"name": "riverside-open.json"}, RIVERSIDE.read_bytes())
        assert answer == native(RIVERSIDE)
    context.close()


@pytest.mark.shared
def test_all_vectors_are_rated_as_natively(rating_page: Any, shared: Path) -> None:
    vectors = json.loads((shared / "vectors" / "uschess-events.json").read_text())
    assert len(vectors) == 400
    for number, vector in enumerate(vectors):
        data = json.dumps(vector["event"]).encode()
        name = f"{number}.json"
        here = json.loads(call("answers", json.dumps({"name": name}), data))
        assert ask(rating_page, "answers", {"name": name}, data) == here, number
