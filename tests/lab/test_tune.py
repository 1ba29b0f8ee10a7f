"""`lab tune`: the same seed gives the same study on threads, on a real Dask cluster, with a killed worker, and continued."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from crosstable.cli import main
from crosstable.errors import CrosstableError
from crosstable.lab import tune as tuning
from crosstable.lab.tune import Search, Task, read_tuned, tune
from tests.lab.small import FIRST, tables, written

SINCE, UNTIL = FIRST + timedelta(days=100), FIRST + timedelta(days=300)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(written(tmp_path_factory.mktemp("record"), tables(events=80)))


@pytest.fixture(scope="module")
def task(folder: str) -> Task:
    return Task(folder, "OTBR", "elo", SINCE, UNTIL)


@pytest.fixture(scope="module")
def cluster() -> Iterator[object]:
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as made:
        yield made


def test_tuning_finds_a_better_k(task: Task) -> None:
    found = tune(task, Search(trials=24, only=["k"]))
    assert found.deviance < task.loss({})
    assert found.parameters.keys() == {"k"}
    assert (found.since, found.until, found.trials) == (SINCE, UNTIL, 24)


def test_one_seed_one_hash_whatever_the_threads(task: Task) -> None:
    one, two = tune(task, Search(trials=24), threads=1), tune(task, Search(trials=24), threads=3)
    assert one == two
    assert tune(task, Search(trials=24, seed=2)).hash != one.hash


def test_a_cluster_gives_the_same_hash(task: Task, cluster: object) -> None:
    address = cluster.scheduler_address
    assert tune(task, Search(trials=20), cluster=address) == tune(task, Search(trials=20))


def test_a_worker_killed_in_mid_sweep_changes_nothing(task: Task, cluster: object, tmp_path: Path) -> None:
    alone = tune(task, Search(trials=40))
    workers = [nanny.pid for nanny in cluster.workers.values()]
    study = tmp_path / "study.json"

    def kill_after_the_first_batch() -> None:
        limit = time.monotonic() + 60
        while not study.exists() and time.monotonic() < limit:
            time.sleep(0.01)
        os.kill(workers[0], signal.SIGKILL)

    killer = threading.Thread(target=kill_after_the_first_batch)
    killer.start()
    found = tune(task, Search(trials=40, study=study), cluster=cluster.scheduler_address)
    killer.join()
    assert found == alone


def test_a_stopped_study_goes_on_as_if_it_had_not_been_stopped(task: Task, tmp_path: Path) -> None:
    study = tmp_path / "study.json"
    tune(task, Search(trials=11, study=study))
    assert len(json.loads(study.read_text())["trials"]) == 11
    with pytest.raises(CrosstableError, match="another question"):
        tune(task, Search(trials=24, seed=3, study=study))
    again = tune(task, Search(trials=24, study=study))
    assert again.trials == 24
    whole = tune(task, Search(trials=16, study=tmp_path / "other.json"))
    assert tune(task, Search(trials=24, study=tmp_path / "other.json")) == tune(task, Search(trials=24))
    assert whole.trials == 16


def test_tuning_never_sees_a_later_game(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cheat that would look at later games finds none: they are cut off before anybody tunes."""
    from crosstable.lab.predictors import systems

    seen: list[int] = []
    honest = systems.ELO.predict

    def cheat(source, settings):
        seen.append(int(source.games.day.max()))
        later = source.games.day > UNTIL.toordinal()
        assert not later.any()
        assert source.federation.history.sections["event_end_day"].max() <= UNTIL.toordinal()
        return honest(source, settings)

    monkeypatch.setattr(systems, "ELO", type(systems.ELO)("elo", "Elo", cheat, systems.ELO.parameters))
    tune(task, Search(trials=2, only=["k"]), threads=1)
    assert seen
    assert max(seen) <= UNTIL.toordinal()


def test_what_was_tuned_is_scored_later_only(folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "tuned.json"
    window = ["--from", str(SINCE), "--to", str(UNTIL)]
    assert main(["lab", "tune", folder, "--system", "elo", *window, "--trials", "9", "--out", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hash"] == read_tuned(out).hash
    score = ["lab", "backtest", folder, "--systems", "constant", "--tuned", str(out), "--samples", "10"]
    assert main([*score, "--from", str(UNTIL)]) == 1
    assert "was tuned on games up to" in capsys.readouterr().err
    assert main([*score, "--from", str(UNTIL + timedelta(days=1)), "--json"]) == 0
    assert [row["system"] for row in json.loads(capsys.readouterr().out)["rows"]] == ["constant", "elo, tuned"]


def test_what_cannot_be_tuned_is_refused_in_words(task: Task, tmp_path: Path) -> None:
    with pytest.raises(CrosstableError, match="elo has no parameter K"):
        tune(task, Search(only=["K"]))
    with pytest.raises(CrosstableError, match="nothing to tune"):
        tune(Task(task.source, "OTBR", "constant", SINCE, UNTIL))
    with pytest.raises(CrosstableError, match="before it begins"):
        tune(Task(task.source, "OTBR", "elo", UNTIL, SINCE))
    with pytest.raises(CrosstableError, match="no Dask scheduler answers"):
        tune(task, cluster="tcp://127.0.0.1:1")
    (tmp_path / "study.json").write_text("{}")
    with pytest.raises(CrosstableError, match="not a study"):
        tune(task, Search(study=tmp_path / "study.json"))


def test_the_cluster_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "cluster"]) == 0
    words = capsys.readouterr().out
    assert "dask scheduler --port 8786" in words
    assert "dask worker tcp://SCHEDULER:8786" in words


def test_batches_depend_on_the_seed_and_the_results_alone() -> None:
    parameters = tuning.searched("elo", (), {})
    done = [({"k": 10.0 + n, "curve.scale": 400.0, "opening": 0, "slope": 1.0}, 0.3 - n / 1000) for n in range(20)]
    assert tuning.propose(parameters, 1, done, 4) == tuning.propose(parameters, 1, done, 4)
    assert tuning.propose(parameters, 1, done, 4) != tuning.propose(parameters, 2, done, 4)
