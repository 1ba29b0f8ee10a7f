"""In a browser: an officer accepts two of three sections, then looks at a correction of two years ago and applies it.

The same on a phone. axe-core looks at every page in both colour schemes.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from crosstable.office import events
from crosstable.office.corrections import asking
from crosstable.office.jobs import running
from crosstable.office.jobs.models import Job
from crosstable.office.ledger.models import Revision, Section
from crosstable.office.people.users import acting_as
from tests.web import accounts
from tests.web.desks.test_mine_browser import looked_at
from tests.web.desks.test_officer import as_file, content_of, corrected, old_event, three_sections
from tests.web.test_browser import PHONE, WIDE, chromium, opened

__all__ = ["chromium"]  # a fixture


def waiting_files() -> None:
    """Two clean ones beside the event with three sections."""
    content = content_of(old_event())
    for place, name in enumerate(("Erie Blitz", "Muncie Ladder")):
        content |= {"name": name, "start": f"2025-12-1{place}", "end": f"2025-12-1{place}", "notes": {}}
        for section in content["sections"]:
            section.pop("start", None)
            section.pop("end", None)
        events.submit(acting_as("dora"), as_file(content), "night.json", f"N{place}")


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_two_of_three_sections_and_an_old_correction(
    chromium: Any,
    desk_site: str,
    pictures: Path,
    size: Mapping[str, int],
) -> None:
    number, old = three_sections(), old_event()
    waiting_files()
    asking.ask(acting_as("dora"), old, corrected(old)[0], "slips.json", "Both results slips are attached.")
    page = opened(chromium, desk_site, viewport=size)
    accounts.sign_in_page(page, desk_site, "officer")

    page.goto("/desk/queue/")
    looked_at(page, pictures, "desk-queue")
    page.get_by_role("link", name="Look about Desk Open").click()
    page.get_by_role("checkbox", name="Open").wait_for()
    assert page.get_by_role("checkbox", name="Reserve").is_disabled()
    page.get_by_text("The crosstable as understood").first.click()
    looked_at(page, pictures, "desk-review")
    page.get_by_label("Message to dora").fill("The Reserve follows when its round 1 is mended.")
    page.get_by_role("button", name="Accept the ticked sections").click()
    page.get_by_text("rated Open, Booster. Waiting: Reserve.").wait_for()
    assert sorted(Section.objects.filter(event__number=number).values_list("number", flat=True)) == [1, 3]

    page.get_by_role("link", name="Decide about").click()
    page.get_by_role("heading", name="Old and new").wait_for()
    looked_at(page, pictures, "desk-correction")
    page.get_by_label("Message to dora").fill("Both slips agree with you.")
    page.get_by_role("button", name="Do it").click()
    page.get_by_text("It waits for the worker.").wait_for()
    looked_at(page, pictures, "desk-job-waiting")
    assert running.run(Job.objects.get().id) == "done"  # the worker
    page.get_by_role("heading", name="Who moved most").wait_for()  # the page has asked again by itself
    looked_at(page, pictures, "desk-job")
    assert Revision.objects.filter(event__number=old, kind="corrected").exists()
    for address in ("jobs", "corrections"):
        page.goto(f"/desk/{address}/")
        looked_at(page, pictures, f"desk-{address}")
    assert not page.errors
