"""What every verb does at a terminal: tables that fit, completion, no empty databases, no tracebacks."""

from __future__ import annotations

from pathlib import Path

import pytest

from crosstable.cli import main, tables


def test_a_table_fits_the_terminal_and_says_what_it_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Widths 4, 10 and 30 with gaps of 2: 48 columns are needed, 40 are there."""
    monkeypatch.setattr(tables, "terminal_width", lambda: 40)
    tables.print_table(("id", "name", "reason"), [("1000", "n" * 10, "r" * 30)])
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines[:3])) <= 40
    assert lines[-1] == "(left out to fit: reason; a wider window or --json shows them)"


def test_the_points_of_a_column_stand_below_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    """Five digits for the largest, 157.58: two decimals.

    Halves need one. 0.00002 beside 1500 would vanish, and stays.
    """
    rows = [(157.58123, 29.0, 1500.0), (-1.78311, 9.5, 0.00002), (None, 0.0, 1.0)]
    tables.print_table(("change", "median", "mixed"), rows)
    shown = [line.split() for line in capsys.readouterr().out.splitlines()[2:]]
    assert shown == [["157.58", "29.0", "1500"], ["-1.78", "9.5", "2e-05"], ["0.0", "1"]]


def test_a_crosstable_leaves_out_its_rounds_where_they_do_not_fit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("crosstable.cli.crosstable.terminal_width", lambda: 80)
    assert main(["rate", "examples/riverside-open.json"]) == 0
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines()[1:])) <= 80
    assert "Rd 1" not in printed
    assert "the rounds are left out to fit" in printed


def test_a_pipe_gets_every_column(capsys: pytest.CaptureFixture[str]) -> None:
    tables.print_table(("id", "name", "reason"), [("1000", "n" * 50, "r" * 300)])
    assert "r" * 300 in capsys.readouterr().out


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion_knows_verbs_and_options(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "crosstable" in script
    assert "estimate" in script


@pytest.mark.parametrize("words", [["events"], ["review"], ["players", "show", "1"], ["audit", "verify"], ["lists"]])
def test_reading_an_office_that_is_not_there_makes_no_file(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "nothing.db"
    assert main(["office", "--db", f"sqlite:///{file}", *words]) == 1
    assert "there is no office at nothing.db" in capsys.readouterr().err
    assert not file.exists()


def test_an_unknown_role_is_refused_before_anybody_is_asked_for_a_password(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["office", "--db", f"sqlite:///{tmp_path / 'o.db'}", "user", "add", "zoe", "--role", "boss"])
    assert stopped.value.code == 2
    assert "boss" in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_said_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Every write to it fails as on a full disk."""
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no /dev/full on this system")
    status = main(["rate", "examples/riverside-open.json", "--html", str(full)])
    assert status == 1
    assert "No space left" in capsys.readouterr().err


def test_whoever_presses_ctrl_c_sees_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("crosstable.cli.rate.run", stopped)
    assert main(["rate", "examples/riverside-open.json"]) == 1
    assert capsys.readouterr().err == "crosstable: stopped\n"


def test_a_postgresql_database_that_does_not_exist_is_said_so() -> None:
    """The words are those that PostgreSQL 15 answers with."""
    from crosstable.cli.office import _words

    answer = 'connection failed: FATAL:  database "ledger" does not exist'
    assert (
        _words(Exception(answer))
        == 'PostgreSQL says: database "ledger" does not exist; make it with createdb, then `crosstable office init`'
    )
