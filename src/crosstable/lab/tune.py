"""Tuning: Optuna looks for a predictor's parameters on one window, and never sees a later game.

A worker gets the source's name, not its games: it reads them once, cut at the window's last day. Trials come in batches of
fixed size, and what a batch tries is a pure function of the seed and of the results so far. So the same seed gives the same
study whatever the threads or the cluster, a trial that a dead worker lost is run again elsewhere, and a study that was
stopped goes on from its file as if it had never been.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from functools import lru_cache
from pathlib import Path

from crosstable.errors import CrosstableError
from crosstable.lab.backtest import Entry
from crosstable.lab.executors import executor
from crosstable.lab.predictors import Parameter, Settings, predictor
from crosstable.lab.source import Source, read_source
from crosstable.replay.scores import game_deviance

FORMAT = "crosstable-tuned/1"
#: Trials that are asked for together, and so the most that run at a time: a number of its own, so that threads change nothing
BATCH = 8
STARTUP = 16  # trials before the sampler begins to learn


@dataclass(frozen=True, slots=True)
class Task:
    """What a worker is sent: where the games are, which window, and what to try. Paths travel, arrays do not."""

    source: str
    pool: str
    system: str
    since: date
    until: date

    def loss(self, settings: Settings) -> float:
        """The mean deviance in the window, from games up to its last day."""
        source = _cut_source(self.source, self.pool, self.until)
        window = source.games.window(self.since, self.until)
        found = predictor(self.system)(source, settings)
        return float(game_deviance(found[window], source.games.score[window]).mean())


@lru_cache(maxsize=2)
def _cut_source(where: str, pool: str, until: date) -> Source:
    """A worker's games, read once; nothing after the window is kept."""
    return read_source(where, pool).until(until)


@dataclass(frozen=True, slots=True)
class Tuned:
    """What was found, with all that is needed to repeat it."""

    system: str
    parameters: Mapping[str, float]
    deviance: float
    source: str
    pool: str
    data: str  # the digest of the games that were seen
    since: date
    until: date
    trials: int
    seed: int
    searched: Mapping[str, Sequence[float]]
    hash: str = ""  # of every trial's parameters and result

    def entry(self, label: str = "") -> Entry:
        return Entry(predictor(self.system), self.parameters, label or f"{self.system}, tuned", self.until)

    def write(self, path: Path) -> None:
        content = {"format": FORMAT} | asdict(self)
        path.write_text(json.dumps(content, indent=1, default=str) + "\n", encoding="utf-8")


def read_tuned(path: Path) -> Tuned:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content.pop("format") != FORMAT:
            raise CrosstableError(f"{path}: not a file of `lab tune` ({FORMAT})")
        since, until = (date.fromisoformat(content.pop(name)) for name in ("since", "until"))
        return Tuned(**content, since=since, until=until)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CrosstableError(f"{path}: not a file of `lab tune`: {error}") from error


Trial = tuple[dict[str, float], float]  # parameters and deviance
Told = Callable[[int, int, float, Mapping[str, float]], None]


@dataclass(frozen=True)
class Search:
    """How to look: so many trials; `only` these parameters, the `fixed` ones as they are; `study`: a file to go on from."""

    trials: int = 64
    seed: int = 1
    only: Sequence[str] = ()
    fixed: Settings = field(default_factory=dict)
    batch: int = BATCH
    study: Path | None = None


def tune(
    task: Task,
    search: Search | None = None,
    *,
    cluster: str | None = None,
    threads: int | None = None,
    told: Told | None = None,
) -> Tuned:
    """The best parameters after so many trials. `told` hears (trials done, in all, the best deviance, its parameters)."""
    if task.since > task.until:
        raise CrosstableError(f"the window ends on {task.until}, before it begins on {task.since}")
    search = search or Search()
    trials, batch, held = search.trials, search.batch, dict(search.fixed)
    parameters = searched(task.system, search.only, held)
    question = _question(task, parameters, search.seed, batch, held)
    done = _continued(search.study, question)[:trials]
    with executor(cluster, threads) as pool:
        while len(done) < trials:
            wanted = propose(parameters, search.seed, done, min(batch - len(done) % batch, trials - len(done)))
            futures = [pool.submit(task.loss, {**values, **held}) for values in wanted]
            done += [(values, float(future.result())) for values, future in zip(wanted, futures, strict=True)]
            _keep(search.study, question, done)
            if told is not None:
                values, best = _best(done)
                told(len(done), trials, best, values)
    values, best = _best(done)
    return Tuned(
        system=task.system,
        parameters={**values, **held},
        deviance=best,
        source=task.source,
        pool=task.pool,
        data=_cut_source(task.source, task.pool, task.until).games.digest(),
        since=task.since,
        until=task.until,
        trials=len(done),
        seed=search.seed,
        searched={parameter.name: (parameter.low, parameter.high) for parameter in parameters},
        hash=hashlib.sha256(json.dumps([question, done], sort_keys=True).encode()).hexdigest(),
    )


def searched(system: str, only: Sequence[str], fixed: Settings) -> list[Parameter]:
    """The parameters to look for: those named, or all; the fixed ones stay."""
    chosen = predictor(system)
    chosen.settings(fixed)
    known = {parameter.name: parameter for parameter in chosen.parameters}
    if unknown := [name for name in only if name not in known]:
        raise CrosstableError(f"{system} has no parameter {', '.join(unknown)}: it has {', '.join(known) or 'none'}")
    found = [known[name] for name in (only or known) if name not in fixed]
    if not found:
        raise CrosstableError(f"{system} has nothing to tune")
    return found


def propose(parameters: Sequence[Parameter], seed: int, done: Sequence[Trial], count: int) -> list[dict[str, float]]:
    """What to try next: a pure function of the seed and of what came out so far. The very first trial is the default."""
    import optuna
    from optuna.distributions import BaseDistribution, FloatDistribution, IntDistribution

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    ranges: dict[str, BaseDistribution] = {
        p.name: IntDistribution(0, 1) if p.name == "opening" else FloatDistribution(p.low, p.high) for p in parameters
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        sampler = optuna.samplers.TPESampler(
            seed=seed * 1_000_003 + len(done), n_startup_trials=STARTUP, multivariate=True, constant_liar=True
        )
    study = optuna.create_study(direction="minimize", sampler=sampler)
    for values, deviance in done:
        study.add_trial(optuna.trial.create_trial(params=values, distributions=ranges, value=deviance))
    if not done:
        study.enqueue_trial({p.name: p.default for p in parameters})
    return [dict(study.ask(ranges).params) for _ in range(count)]


def _best(done: Sequence[Trial]) -> Trial:
    return min(done, key=lambda trial: trial[1])


def _question(task: Task, parameters: Sequence[Parameter], seed: int, batch: int, fixed: Settings) -> str:
    asked = [asdict(task), [asdict(p) for p in parameters], seed, batch, dict(fixed)]
    return json.dumps(asked, default=str, sort_keys=True)


def _continued(study: Path | None, question: str) -> list[Trial]:
    """The trials that the file holds, if it holds the same question."""
    if study is None or not study.exists():
        return []
    try:
        content = json.loads(study.read_text(encoding="utf-8"))
        asked, trials = content["question"], content["trials"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CrosstableError(f"{study}: not a study of `lab tune`: {error}") from error
    if asked != question:
        raise CrosstableError(f"{study} holds a study of another question: give a new file, or ask the same")
    return [(dict(values), float(deviance)) for values, deviance in trials]


def _keep(study: Path | None, question: str, done: Sequence[Trial]) -> None:
    """Written beside its place and moved there whole."""
    if study is not None:
        fresh = study.with_name(f".{study.name}.new")
        fresh.write_text(json.dumps({"question": question, "trials": done}, indent=1), encoding="utf-8")
        fresh.replace(study)
