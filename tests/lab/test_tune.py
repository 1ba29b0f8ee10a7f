"""`lab tune`: the same seed gives the same study on threads, on a real Dask cluster, with a killed worker, and continued."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from crosstable.cli import main
from crosstable.errors import CrosstableError
from crosstable.lab import executors
from crosstable.lab import tune as tuning
from crosstable.lab.predictors import predictor
from crosstable.lab.source import read_source
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


def test_the_answer_says_what_the_parameters_are_and_how_the_defaults_do(
    folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first trial is the defaults, so one trial cannot be better."""
    asked = ["lab", "tune", folder, "--system", "glicko", "--from", str(SINCE), "--to", str(UNTIL), "--trials", "1"]
    assert main(asked) == 0
    shown = capsys.readouterr().out
    assert "no better than the defaults: these are they" in shown
    assert 'c in the rule "Time without games", which says: RD\' = sqrt(RD^2 + c^2 t), c = ' in shown
    assert "{" not in shown  # the rule's own numbers stand in its sentence
    assert "slope = 1: how much of the predicted logit counts" in shown


def test_one_seed_one_hash_whatever_the_threads(task: Task) -> None:
    one, two = tune(task, Search(trials=24), threads=1), tune(task, Search(trials=24), threads=3)
    assert one == two
    assert tune(task, Search(trials=24, seed=2)).hash != one.hash


@pytest.mark.parametrize("system", ["elo", "glicko", "glicko2", "stephenson", "glicko_boost"])
def test_a_trial_leaves_nothing_to_the_next_one(folder: str, system: str) -> None:
    """Trials of a thread share one array, and nobody but a tuner does."""
    task = Task(folder, "OTBR", system, SINCE, UNTIL)
    first = task.loss({"opening": 1.0})
    assert task.loss({"opening": 0.0, "slope": 0.5}) != first
    assert task.loss({"opening": 1.0}) == first
    shared, own, ask = task.games(), read_source(folder), predictor(system)
    assert ask(shared) is ask(shared)
    assert ask(own) is not ask(own)


def test_a_cluster_gives_the_same_hash(task: Task, cluster: object) -> None:
    address = cluster.scheduler_address
    assert tune(task, Search(trials=20), cluster=address) == tune(task, Search(trials=20))


def test_a_worker_killed_in_mid_sweep_changes_nothing(task: Task, cluster: object) -> None:
    workers = [nanny.pid for nanny in cluster.workers.values()]

    def kill_one(done: int, *_rest: object) -> None:
        if done == 8:  # seven more are under way
            os.kill(workers[0], signal.SIGKILL)

    address = cluster.scheduler_address
    found = tune(task, Search(trials=40), cluster=address, told=kill_one)
    assert found == tune(task, Search(trials=40))


def test_a_study_stopped_anywhere_goes_on_as_if_it_had_not_been_stopped(task: Task, tmp_path: Path) -> None:
    whole = tune(task, Search(trials=24))
    study = tmp_path / "study.json"
    tune(task, Search(trials=11, study=study))
    assert len(study.read_text().splitlines()) == 1 + 11
    assert tune(task, Search(trials=24, study=study)) == whole
    assert len(study.read_text().splitlines()) == 1 + 24
    assert tune(task, Search(trials=24, study=study)) == whole


def test_a_study_killed_in_mid_trial_goes_on(task: Task, tmp_path: Path) -> None:
    """Trials 1 to 13 are in the file, 14 ended while 13 still ran and is lost, and of 13's line the end is missing."""
    study = tmp_path / "study.json"

    class Stopped(Exception):  # what Ctrl-C does, but for pytest
        pass

    def stop(done: int, *_rest: object) -> None:
        if done == 13:
            raise Stopped

    with pytest.raises(Stopped):
        tune(task, Search(trials=24, study=study), threads=2, told=stop)
    study.write_text(study.read_text()[:-20])
    seen: list[int] = []
    again = tune(task, Search(trials=24, study=study), told=lambda done, *_rest: seen.append(done))
    assert again == tune(task, Search(trials=24))
    assert seen == list(range(1, 25))
    assert len(study.read_text().splitlines()) == 1 + 24


def test_a_study_is_continued_with_its_own_question_and_sampler(task: Task, tmp_path: Path) -> None:
    study = tmp_path / "study.json"
    tune(task, Search(trials=3, study=study))
    with pytest.raises(CrosstableError, match="another question"):
        tune(task, Search(trials=3, seed=3, study=study))
    lines = study.read_text().splitlines()
    values, deviance = json.loads(lines[2])
    lines[2] = json.dumps([values | {"k": values["k"] + 1}, deviance])
    study.write_text("\n".join(lines) + "\n")
    with pytest.raises(CrosstableError, match="another version of Optuna"):
        tune(task, Search(trials=3, study=study))
    with pytest.raises(CrosstableError, match="cannot be written"):
        tune(task, Search(trials=3, study=tmp_path / "nowhere" / "study.json"))


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


def test_what_cannot_be_tuned_is_refused_in_words(task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "PATIENCE", 0.5)
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


def test_proposals_depend_on_the_seed_and_the_results_alone() -> None:
    def proposed(seed: int) -> list[dict[str, float]]:
        proposals = tuning.Proposals(tuning.searched("elo", (), {}), seed)
        found = []
        for number in range(24):
            found.append(proposals.ask())
            proposals.tell(0.3 - number / 1000)
        return found

    first = proposed(1)
    assert first == proposed(1)
    assert first[0] == {p.name: p.default for p in tuning.searched("elo", (), {})}
    assert all(one != other for one, other in zip(first[1:], proposed(2)[1:], strict=True))
