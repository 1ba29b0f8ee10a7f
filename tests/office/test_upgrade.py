"""An office of an earlier version is recognised, said to be one, and brought up to date."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import IntegrityError, connection

from crosstable.cli import main
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import FloorRequest
from crosstable.office.requests.models import Proposal

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


def test_proposals_of_an_earlier_version_keep_their_states(office: str) -> None:
    """Proposals ended as "done" or "withdrawn"; the database still compares their two officers."""
    office_settings.create("Ohio")
    ada, boris = (User.objects.create(username=name).pk for name in ("ada", "boris"))
    call_command("migrate", "requests", "0002", verbosity=0)
    call_command("migrate", "people", "0003", verbosity=0)
    call_command("migrate", "ledger", "0017", verbosity=0)
    with connection.cursor() as cursor:
        for state, second in (("waiting", None), ("done", boris), ("withdrawn", ada)):
            cursor.execute(
                "INSERT INTO people_proposal (action, subject, payload, reason, proposed_at, state, decided_at, answer,"
                " proposed_by_id, decided_by_id) VALUES ('list.publish', %s, '{}', 'due', '', %s, '', '', %s, %s)",
                [state, state, ada, second],
            )
    call_command("migrate", verbosity=0)
    assert list(Proposal.objects.order_by("id").values_list("subject", "state")) == [
        ("waiting", "waiting"),
        ("done", "granted"),
        ("withdrawn", "taken back"),
    ]
    with pytest.raises(IntegrityError, match="two_officers"):
        Proposal.objects.filter(subject="done").update(decided_by=ada)
