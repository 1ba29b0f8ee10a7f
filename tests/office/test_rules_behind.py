"""An office says when its ratings were computed by rules that say something else now, and what to run."""

from __future__ import annotations

from datetime import date

import pytest
from simulated import OFFICER, data, document

from crosstable.cli import main
from crosstable.office.ledger.models import Section
from crosstable.office.rating import run, signature
from crosstable.office.rating.rerating import rerate
from crosstable.office.rating.rules_behind import behind
from crosstable.office.reports import accepting, submissions

FOUR = ["30000001", "30000002", "30000003", "30000004"]
GAMES = [(1, 1, 2, "1-0"), (1, 3, 4, "0-1")]


def test_sections_rated_by_other_rules_are_counted_until_they_are_rated_anew(
    ready: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, day in (("Old Open", date(2025, 3, 1)), ("New Open", date(2025, 4, 5))):
        number = submissions.submit(OFFICER, data(document(name, day, FOUR, GAMES)), "event.json").event
        accepting.accept(OFFICER, number)
    assert behind() is None
    ratings = run.fingerprint()
    row = Section.objects.get(event__name="Old Open")
    row.signature = _by_other_rules(row.signature)  # as an earlier rulebook left it
    row.save()
    words = (
        "1 section was rated by rules that say something else now, the first of an event that ended on 1 March 2025."
    )
    assert str(behind()) == words
    for verb in ("settings", "upgrade"):
        assert main(["office", "--db", ready, verb]) == 0
        assert f"{words} `office rerate --preview`" in capsys.readouterr().out
    assert rerate(OFFICER, "a new rulebook").players == 0  # these rules say the same, after all
    assert behind() is None
    assert run.fingerprint() == ratings


def _by_other_rules(text: str) -> str:
    (found,) = signature.parse(text).items()
    name, own = found
    return signature.joined([(name, signature.Signature(own.results, "0" * 8, own.inputs, own.outcome))])
