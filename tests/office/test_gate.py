"""An office refuses what `rate` refuses, with the same findings: in review, accept, accept_many and correct."""

from __future__ import annotations

from pathlib import Path

import pytest
from simulated import OFFICER
from tests.typed_tables import CLASH, GOOD, TYPED

import crosstable
from crosstable import formats
from crosstable.cli import main
from crosstable.errors import EventRejected
from crosstable.model import Finding, errors
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import Event, RatingRow, Revision
from crosstable.office.reports import accepting, events, review_queue, submissions

both = pytest.mark.parametrize(("text", "code"), [(CLASH, "result-clash"), (TYPED, "unreadable-rating")])


def rejected(act) -> list[Finding]:
    with pytest.raises(EventRejected) as refused:
        act()
    return errors(refused.value.findings)


@both
def test_the_office_refuses_what_rate_refuses(office: str, text: str, code: str, tmp_path: Path, capsys) -> None:
    office_settings.create()
    path = tmp_path / "table.csv"
    path.write_text(text)
    assert main(["rate", str(path)]) == 1
    assert f"[{code}]" in capsys.readouterr().err
    expected = rejected(lambda: crosstable.rate(crosstable.read(path)))
    assert [finding.code for finding in expected] == [code]

    done = submissions.submit(OFFICER, text.encode(), "table.csv", "A")
    assert (done.outcome, errors(done.findings)) == (submissions.QUEUED, expected)
    assert done.message == "waits for review with 1 error to correct"
    (waiting,) = review_queue.review(OFFICER)
    assert (waiting.acceptable, errors(waiting.findings)) == (False, expected)
    assert rejected(lambda: accepting.accept(OFFICER, "A")) == expected
    assert rejected(lambda: accepting.accept(OFFICER, "A", preview=True)) == expected
    assert rejected(lambda: accepting.accept_many(OFFICER, ["A"])) == expected
    assert events.find("A").status == Event.SUBMITTED
    assert not RatingRow.objects.exists()


@both
@pytest.mark.parametrize("accepted", [True, False])
def test_a_correction_is_refused_in_the_same_way(office: str, text: str, code: str, accepted: bool) -> None:
    office_settings.create()
    submissions.submit(OFFICER, GOOD.encode(), "table.csv", "A")
    if accepted:
        accepting.accept(OFFICER, "A")
    expected = errors(formats.read(text.encode(), "table.csv").findings)
    assert [finding.code for finding in expected] == [code]
    assert rejected(lambda: accepting.correct(OFFICER, "A", text.encode(), "table.csv", "as reported")) == expected
    assert Revision.objects.filter(event__number="A").count() == 1


@both
def test_a_corrected_file_can_be_accepted(office: str, text: str, code: str) -> None:
    office_settings.create()
    submissions.submit(OFFICER, text.encode(), "table.csv", "A")
    accepting.correct(OFFICER, "A", GOOD.encode(), "table.csv", f"{code} mended")
    (waiting,) = review_queue.review(OFFICER)
    assert waiting.acceptable
    assert accepting.accept(OFFICER, "A").players == 2


def test_what_was_found_survives_withdrawal_and_restoration(office: str) -> None:
    """A file with a reading error that waits, is withdrawn and comes back is refused as it was before."""
    office_settings.create()
    submissions.submit(OFFICER, CLASH.encode(), "table.csv", "A")
    accepting.withdraw(OFFICER, "A", "not ours")
    assert [finding.code for finding in rejected(lambda: accepting.accept(OFFICER, "A"))] == ["result-clash"]


def test_a_withdrawal_says_what_it_touches(office: str, tmp_path: Path, capsys) -> None:
    office_settings.create()
    for number, day in (("A", "2025-08-02"), ("B", "2025-08-09")):
        submissions.submit(OFFICER, GOOD.replace("2025-08-02", day).encode(), "table.csv", number)
    submissions.submit(OFFICER, GOOD.replace("2025-08-02", "2025-08-16").encode(), "table.csv", "C")
    accepting.accept_many(OFFICER, ["A", "B"])

    def withdraw(number: str) -> str:
        assert main(["office", "--db", office, "withdraw", number, "--reason", "reported twice"]) == 0
        return capsys.readouterr().out

    assert withdraw("C") == "Withdrawn. No later event is affected.\n"  # it was never rated
    assert withdraw("A").startswith("Withdrawn. 2 players in 1 later section changed:")  # B follows from it
    assert withdraw("B").startswith("Withdrawn. No later event is affected.\n")
