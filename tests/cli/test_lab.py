"""`crosstable lab …` on the published record, where it is at hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crosstable.cli import main


@pytest.mark.shared
@pytest.mark.parametrize(
    ("tool", "column"),
    [("floors", "on_floor"), ("floor-effect", "surplus"), ("distribution", "share"), ("drift", "median_change")],
)
def test_tools(shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], tool: str, column: str) -> None:
    data = shared / "data"
    plot = tmp_path / f"{tool}.svg"
    assert main(["lab", tool, str(data), "--json", "--plot", str(plot)]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert all(column in row and 2001 <= row["year"] <= 2013 for row in rows)
    assert "<svg" in plot.read_text()
    assert main(["lab", tool, str(data)]) == 0
    assert "2006" in capsys.readouterr().out


def test_title_chance(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plot = tmp_path / "chance.png"
    assert main(["lab", "title-chance", "--trials", "300", "--json", "--plot", str(plot)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["games"]) == 42
    assert plot.stat().st_size > 1000
    assert main(["lab", "title-chance", "--trials", "20"]) == 0
    assert "normal scores" in capsys.readouterr().out
    assert main(["lab", "title-chance", "--trials", "0"]) == 1


def test_wrong_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for tool in ("floors", "floor-effect", "distribution", "drift", "norms"):
        assert main(["lab", tool, str(tmp_path)]) == 1
        assert "no such file" in capsys.readouterr().err
    with pytest.raises(SystemExit) as caught:
        main(["lab", "floors"])
    assert caught.value.code == 2


@pytest.mark.parametrize(
    "verb", [["backtest", "no-such-source"], ["reform", "no-such-source", "no-bonus"], ["simulate"]]
)
def test_a_report_that_cannot_be_written_is_said_first(
    verb: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before the source is looked for, so before anything is computed."""
    (tmp_path / "file").touch()
    assert main(["lab", *verb, "--report", str(tmp_path / "file" / "best.html")]) == 1
    assert "cannot write" in capsys.readouterr().err


#: Other files: what is wrong with them is said before the work begins too
WRITTEN = {
    "lab drift nowhere --plot drift.gif": "not a picture",
    "lab floors nowhere --plot taken/floors.png": "cannot write",
    "lab norms nowhere --plot taken/norms.svg": "cannot write",
    "lab title-chance --plot chance.txt": "not a picture",
    "lab simulate --out taken/games": "cannot write",
    "lab tune nowhere --system elo --from 2012-01-01 --to 2012-12-31 --out taken/elo.json": "cannot write",
}


@pytest.mark.parametrize("words", WRITTEN)
def test_a_place_that_cannot_be_written_is_said_first(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The source is nowhere as well: who looks at that first says so. `taken` is a file, so nothing lies in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").write_text("")
    monkeypatch.setattr("crosstable.lab.tracking.track", lambda *_, **__: pytest.fail("worked before it looked"))
    monkeypatch.setattr("crosstable.lab.title_chance.normal_model", lambda *_, **__: pytest.fail("worked first"))
    assert main(words.split()) == 1
    assert WRITTEN[words] in capsys.readouterr().err


def test_the_folder_of_a_report_is_made(tmp_path: Path) -> None:
    main(["lab", "backtest", "no-such-source", "--report", str(tmp_path / "rep" / "best.html")])
    assert (tmp_path / "rep").is_dir()
