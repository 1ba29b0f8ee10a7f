"""`lab tune`: the same seed gives the same study on threads, on a real Dask cluster, with a killed worker, and
continued.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
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
from crosstable.lab.tune import Search, TuningTask, read_tuned, tune
from tests.lab.small import FIRST, tables, written

SINCE, UNTIL = FIRST + timedelta(days=100), FIRST + timedelta(days=300)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(written(tmp_path_factory.mktemp("record"), tables(events=80)))


@pytest.fixture(scope="module")
def task(folder: str) -> TuningTask:
    return TuningTask(folder, "OTBR", "elo", SINCE, UNTIL)


@pytest.fixture(scope="module")
def cluster() -> Iterator[object]:
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as made:
        yield made


def test_tuning_finds_a_better_k(task: TuningTask) -> None:
    found = tune(task, Search(trials=24, only=["k"]))
    assert found.deviance < task.loss({})
    assert found.parameters.keys() == {"k"}
    assert (found.since, found.until, found.trials) == (SINCE, UNTIL, 24)


def test_the_answer_says_what_the_parameters_are_and_how_the_defaults_do(
    folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first trial is the defaults, so one trial cannot be better."""
    asked = [
        "lab",
        "tune",
        folder,
        "--system",
        "glicko",
        "--from",
        str(SINCE),
        "--to",
        str(UNTIL),
        "--trials",
        "1",
        "--local",
        "0",
    ]
    assert main(asked) == 0
    shown = capsys.readouterr().out
    assert "no better than the defaults, which are shown here" in shown
    assert 'c in the rule "Time without games", which says: RD\' = sqrt(RD^2 + c^2 t), c = ' in shown
    assert "{" not in shown  # the rule's own numbers stand in its sentence
    assert "slope = 1: how much of the predicted logit counts" in shown


def test_one_seed_one_hash_whatever_the_threads(task: TuningTask) -> None:
    one, two = tune(task, Search(trials=24), threads=1), tune(task, Search(trials=24), threads=3)
    assert one == two
    assert tune(task, Search(trials=24, seed=2)).hash != one.hash


@pytest.mark.parametrize("system", ["elo", "glicko", "glicko2", "stephenson", "glicko_boost"])
def test_a_trial_leaves_nothing_to_the_next_one(folder: str, system: str) -> None:
    """Trials of a thread share one array, and nobody but a tuner does."""
    task = TuningTask(folder, "OTBR", system, SINCE, UNTIL)
    first = task.loss({"opening": 1.0})
    assert task.loss({"opening": 0.0, "slope": 0.5}) != first
    assert task.loss({"opening": 1.0}) == first
    shared, own, ask = task.games(), read_source(folder), predictor(system)
    assert ask(shared) is ask(shared)
    assert ask(own) is not ask(own)


def test_a_cluster_gives_the_same_hash(task: TuningTask, cluster: object) -> None:
    address = cluster.scheduler_address
    assert tune(task, Search(trials=20), cluster=address) == tune(task, Search(trials=20))


def test_a_worker_killed_in_mid_sweep_changes_nothing(task: TuningTask, cluster: object) -> None:
    workers = [nanny.pid for nanny in cluster.workers.values()]

    def kill_one(done: int, *_rest: object) -> None:
        if done == 8:  # seven more are under way
            os.kill(workers[0], signal.SIGKILL)

    address = cluster.scheduler_address
    found = tune(task, Search(trials=40), cluster=address, told=kill_one)
    assert found == tune(task, Search(trials=40))


def test_a_study_stopped_anywhere_goes_on_as_if_it_had_not_been_stopped(task: TuningTask, tmp_path: Path) -> None:
    whole = tune(task, Search(trials=24))
    study = tmp_path / "study.json"
    tune(task, Search(trials=11, study=study))
    assert len(study.read_text().splitlines()) == 1 + 11
    assert tune(task, Search(trials=24, study=study)) == whole
    assert len(study.read_text().splitlines()) == 1 + 24
    assert tune(task, Search(trials=24, study=study)) == whole


def test_a_study_killed_in_mid_trial_goes_on(task: TuningTask, tmp_path: Path) -> None:
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


def test_a_study_is_continued_with_its_own_question_and_sampler(task: TuningTask, tmp_path: Path) -> None:
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


def test_tuning_never_sees_a_later_game(task: TuningTask, monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert (
        main(
            [
                "lab",
                "tune",
                folder,
                "--system",
                "elo",
                *window,
                "--trials",
                "9",
                "--local",
                "3",
                "--out",
                str(out),
                "--json",
            ]
        )
        == 0
    )
    assert json.loads(capsys.readouterr().out)["hash"] == read_tuned(out).hash
    score = ["lab", "backtest", folder, "--systems", "constant", "--tuned", str(out), "--samples", "10"]
    assert main([*score, "--from", str(UNTIL)]) == 1
    assert "was tuned on games up to" in capsys.readouterr().err
    assert main([*score, "--from", str(UNTIL + timedelta(days=1)), "--json"]) == 0
    assert [row["system"] for row in json.loads(capsys.readouterr().out)["rows"]] == ["constant", "elo, tuned"]


def test_what_cannot_be_tuned_is_refused_in_words(
    task: TuningTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executors, "PATIENCE", 0.5)
    with pytest.raises(CrosstableError, match="elo has no parameter K"):
        tune(task, Search(only=["K"]))
    with pytest.raises(CrosstableError, match="nothing to tune"):
        tune(TuningTask(task.source, "OTBR", "constant", SINCE, UNTIL))
    with pytest.raises(CrosstableError, match="before it begins"):
        tune(TuningTask(task.source, "OTBR", "elo", UNTIL, SINCE))
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


def test_tuning_without_colours_does_not_see_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In this table the player in the first column wins; without colours White's points can do nothing."""
    lines = [f"{FIRST + timedelta(days=n)},A{n % 7},B{n % 5},1,1500,1500" for n in range(60)]
    path = tmp_path / "games.csv"
    path.write_text("\n".join(["date,white,black,score,white_rating,black_rating", *lines]))
    asked = [
        "lab",
        "tune",
        str(path),
        "--system",
        "published",
        "--parameters",
        "white",
        "--from",
        str(FIRST),
        "--to",
        str(FIRST + timedelta(days=60)),
        "--trials",
        "4",
        "--local",
        "4",
        "--json",
    ]
    assert main(asked) == 0
    with_colours = json.loads(capsys.readouterr().out)
    assert with_colours["deviance"] < with_colours["defaults"]
    assert main([*asked, "--no-colours"]) == 0
    without = json.loads(capsys.readouterr().out)
    assert without["deviance"] == without["defaults"] == pytest.approx(0.30103, abs=5e-6)


def test_a_study_of_other_games_is_not_continued_and_a_path_is_only_a_name(tmp_path: Path) -> None:
    folder = written(tmp_path / "record", tables(events=80))
    study = tmp_path / "study.json"
    first = tune(TuningTask(str(folder), "OTBR", "elo", SINCE, UNTIL), Search(trials=3, study=study))
    other_name = f"{tmp_path}/../{tmp_path.name}/record/"
    assert tune(TuningTask(other_name, "OTBR", "elo", SINCE, UNTIL), Search(trials=3, study=study)).hash == first.hash
    changed = written(tmp_path / "changed", tables(events=80, seed=6))
    with pytest.raises(CrosstableError, match="another question or of other games"):
        tune(TuningTask(str(changed), "OTBR", "elo", SINCE, UNTIL), Search(trials=3, study=study))


def test_two_files_of_one_system_have_labels_of_their_own(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "tuned.json"
    window = ["--from", str(SINCE), "--to", str(UNTIL)]
    assert (
        main(["lab", "tune", folder, "--system", "elo", *window, "--trials", "2", "--local", "0", "--out", str(out)])
        == 0
    )
    score = [
        "lab",
        "backtest",
        folder,
        "--systems",
        "constant",
        "--samples",
        "5",
        "--from",
        str(UNTIL + timedelta(days=1)),
    ]
    assert main([*score, "--tuned", str(out), "--tuned", str(out)]) == 1
    assert "as in --tuned LABEL=FILE" in capsys.readouterr().err
    assert main([*score, "--tuned", f"two years={out}", "--tuned", str(out), "--json"]) == 0
    names = [row["system"] for row in json.loads(capsys.readouterr().out)["rows"]]
    assert names == ["constant", "two years", "elo, tuned"]


def test_ctrl_c_waits_for_no_thread() -> None:
    """The work would take ten minutes; the process ends as soon as it hears the signal."""
    script = """
import sys, time
from crosstable.lab.executors import Threads
with Threads(2) as pool:
    pool.submit(time.sleep, 600)
    waiting = pool.submit(time.sleep, 600)
    print("begun", flush=True)
    waiting.result()
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"begun\n"
    process.send_signal(signal.SIGINT)
    assert b"KeyboardInterrupt" in process.communicate(timeout=60)[1]


def test_threads_give_results_and_raise_what_was_raised() -> None:
    def fails() -> None:
        raise ValueError("as it was")

    with executors.Threads(2) as pool:
        assert list(pool.map(lambda n: n * n, range(20))) == [n * n for n in range(20)]
        with pytest.raises(ValueError, match="as it was"):
            pool.submit(fails).result()


def test_a_local_search_finds_the_floor_of_the_valley(folder: str, tmp_path: Path) -> None:
    """The loss of published ratings is smooth in its slope: scipy's own bounded search says where it ends."""
    from scipy.optimize import minimize_scalar

    task = TuningTask(folder, "OTBR", "published", SINCE, UNTIL)
    exact = minimize_scalar(
        lambda slope: task.loss({"slope": slope}), bounds=(0.3, 1.5), method="bounded", options={"xatol": 1e-7}
    )
    sampled = tune(task, Search(trials=12, only=["slope"]))
    found = tune(task, Search(trials=12, local=40, only=["slope"]))
    assert found.parameters["slope"] == pytest.approx(exact.x, abs=2e-3)
    assert exact.fun <= found.deviance < sampled.deviance
    assert found.deviance - exact.fun < 1e-7
    assert 12 < found.trials <= 52


def test_a_local_search_is_continued_like_any_other(task: TuningTask, tmp_path: Path) -> None:
    study = tmp_path / "study.json"
    whole = tune(task, Search(trials=9, local=20))
    tune(task, Search(trials=9, local=7, study=study))
    assert tune(task, Search(trials=9, local=20, study=study), threads=2) == whole
    assert whole.trials <= 29


def test_a_switch_is_left_to_the_sampler(folder: str) -> None:
    """An opening is 0 or 1 and nothing between."""
    found = tune(TuningTask(folder, "OTBR", "elo", SINCE, UNTIL), Search(trials=10, local=15))
    assert found.parameters["opening"] in (0, 1)
