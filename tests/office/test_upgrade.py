"""An office of an earlier version is recognised, said to be one, and brought up to date."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from crosstable.cli import main
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import FloorRequest

pytestmark = pytest.mark.both_databases


def test_an_office_of_an_earlier_version_is_upgraded(office: str, capsys: pytest.CaptureFixture[str]) -> None:
    office_settings.create("Ohio")
    call_command("migrate", "ledger", "0007", verbosity=0)  # when a pool was called a system
    assert main(["office", "--db", office, "floors"]) == 1
    assert "made by an earlier version" in capsys.readouterr().err
    assert main(["office", "--db", office, "upgrade"]) == 0
    assert capsys.readouterr().out == "Ohio: its tables are those of this version\n"
    assert not FloorRequest.objects.filter(pool="OTBR").exists()


def test_the_tables_are_those_of_the_models(office: str) -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)  # exits where a migration is missing
