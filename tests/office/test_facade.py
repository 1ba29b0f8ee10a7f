"""`from crosstable import office`: what there is, and what it says before it knows its database."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from simulated import OFFICER, data, document

from crosstable import office as the_office
from crosstable.errors import CrosstableError
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger import input_checks, office_settings
from crosstable.office.ledger.models import Revision
from crosstable.office.reports import accepting, submissions
from crosstable.office.storage import clock


def test_every_public_name_is_there() -> None:
    assert {"accept", "correct", "review", "submit", "withdraw", "rerate", "trace"} <= set(dir(the_office))
    for name in dir(the_office):
        assert getattr(the_office, name) is not None
    assert the_office.accept is accepting.accept


def test_a_script_needs_one_import(tmp_path: Path) -> None:
    code = (
        f"from crosstable import office; office.setup('sqlite:///{tmp_path}/office.db'); office.migrate(); "
        "print(office.accept, office.submit, office.rerate, office.import_history)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


@pytest.mark.parametrize("name", ["accept", "rerate", "Actor"])
def test_before_setup_it_says_so_in_one_sentence(name: str) -> None:
    code = f"from crosstable import office; office.{name}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    last = done.stderr.strip().splitlines()[-1]
    assert last == f"crosstable.office.OfficeNotSetUp: office.{name} needs a database: call office.setup(url) first"
    assert issubclass(the_office.OfficeNotSetUp, CrosstableError)
    assert "ImproperlyConfigured" not in done.stderr


def test_the_office_has_one_clock(office: str) -> None:
    """A stopped clock dates the file's revision and the log alike, and decides what lies ahead of today."""
    office_settings.create()
    moment = datetime(2031, 4, 5, 6, 7, 8, 9, tzinfo=UTC)
    with clock.set_to(moment):
        event = document("Open", date(2031, 4, 1), ["1", "2"], [(1, 1, 2, "1-0")], control="G/120;d5")
        submissions.submit(OFFICER, data(event), "event.json", "A")
        assert Revision.objects.get().at == moment
        assert AuditEntry.objects.latest("seq").at == "2031-04-05T06:07:08.000009Z"
        assert not list(input_checks.facts({"birth_date": date(2031, 4, 5)}))
        assert list(input_checks.facts({"birth_date": date(2031, 4, 6)}))
    assert clock.now() < moment
