"""Tuning: Optuna looks for a predictor's parameters on one window, Powell's method finishes, and neither sees a later
game.

A worker gets the source's name, not its games: it reads them once, cut at the window's last day. `ahead` trials are
under way at a time; when the oldest is done the next one is proposed, from the seed and from the results up to that
one, in whichever order the others end. So the same seed gives the same study whatever the threads or the cluster,
no worker waits for the slowest of a batch, a trial that a dead worker lost is run again elsewhere, and a study that was
stopped anywhere goes on from its file as if it had never been stopped.

Optuna finds the valley and not its floor: a smooth loss of three parameters is still 0.0001 off after 80 trials. So
Powell's method (scipy) goes on from the best trial, one trial after another, until it gains no more than TOLERANCE.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import date
from functools import lru_cache, partial
from pathlib import Path
from threading import Lock
from typing import Any

from crosstable.errors import CrosstableError
from crosstable.lab.backtest import Entry
from crosstable.lab.executors import executor
from crosstable.lab.games import LabGames
from crosstable.lab.predictors import Settings, TunedParameter, predictor
from crosstable.lab.source import Source, read_source
from crosstable.lab.study import Trial, append_trial, open_study
from crosstable.replay.arrays import Floats, Integers
from crosstable.replay.scores import mean_deviance

FORMAT = "crosstable-tuned/1"
#: Trials that are under way, and so the most that run at a time: a number of its own, so that threads change nothing
AHEAD = 8
STARTUP = 16  # trials before the sampler begins to learn
#: Powell's method ends when a round of it gains less than this share of the deviance, or moves less than this share of
#: a range
TOLERANCE = 1e-6
#: Parameters that are either 0 or 1: only the sampler tries both
SWITCHES = ("opening",)

_reading = Lock()


@dataclass(frozen=True, slots=True)
class TuningTask:
    """What a worker is sent: where the games are, which window, and what to try. Paths travel, arrays do not."""

    source: str
    pool: str
    system: str
    since: date
    until: date
    colours: bool = True  # False: a table's columns only name the players

    def loss(self, settings: Settings) -> float:
        """Return the mean deviance in the window, from games up to its last day."""
        source = self.games()
        window = (self.since, self.until)
        rows, score = source.remembered(f"window {window}", lambda: _rows(source.games, *window))
        return mean_deviance(predictor(self.system)(source, settings), score, rows)

    def games(self) -> Source:
        """Return a worker's games, read once whatever its threads; nothing after the window is kept."""
        with _reading:
            return _cut_source(self.source, self.pool, self.until, self.colours)

    def digest(self) -> str:
        return self.games().digest


@lru_cache(maxsize=2)
def _cut_source(where: str, pool: str, until: date, colours: bool) -> Source:
    """Large arrays that come and go with every trial cost a Dask worker a tenth of its time: it gives memory back at
    once.
    """
    return read_source(where, pool, colours=colours).until(until).reusing_room()


def _rows(games: LabGames, since: date, until: date) -> tuple[Integers, Floats]:
    """Return the window's games and their results."""
    rows = games.window(since, until).nonzero()[0]
    return rows, games.score[rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuned(TuningTask):
    """A task and what was found: all that is needed to repeat it."""

    parameters: Mapping[str, float]
    deviance: float
    data: str  # the digest of the games that were seen
    trials: int
    seed: int
    searched: Mapping[str, Sequence[float]]
    hash: str = ""  # of every trial's parameters and result
    defaults: float | None = None  # the deviance of the default parameters, which are tried first

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


Told = Callable[[int, int, float, Mapping[str, float]], None]


@dataclass(frozen=True)
class Search:
    """How to look: so many trials, then up to `local` of Powell's method; `only` these parameters, the `fixed` ones as
    they are;
    `study`: a file to go on from."""

    trials: int = 64
    local: int = 0
    seed: int = 1
    only: Sequence[str] = ()
    fixed: Settings = field(default_factory=dict)
    ahead: int = AHEAD
    study: Path | None = None


def tune(
    task: TuningTask,
    search: Search | None = None,
    *,
    cluster: str | None = None,
    threads: int | None = None,
    told: Told | None = None,
) -> Tuned:
    """Return the best parameters after so many trials.

    `told` hears (trials done, in all, the best deviance, its parameters).
    """
    if task.since > task.until:
        raise CrosstableError(f"the window ends on {task.until}, before it begins on {task.since}")
    search = search or Search()
    parameters = searched(task.system, search.only, search.fixed)
    with executor(cluster, threads) as pool:
        digest = pool.submit(task.digest).result()
        question = _question(task, digest, parameters, search)
        known = open_study(search.study, question)
        run = Run(pool, task, search, known, told)
        _sampled(run, Proposals(parameters, search.seed))
        _polished(run, parameters)
        done = run.done
    values, best = _best(done)
    return Tuned(
        **asdict(task),
        parameters={**values, **search.fixed},
        deviance=best,
        data=digest,
        trials=len(done),
        seed=search.seed,
        searched={parameter.name: (parameter.low, parameter.high) for parameter in parameters},
        hash=hashlib.sha256(json.dumps([question, done], sort_keys=True).encode()).hexdigest(),
        defaults=done[0][1],
    )


@dataclass
class Run:
    """The trials of a study, in their order; those of its file are known."""

    pool: Executor
    task: TuningTask
    search: Search
    known: Sequence[Trial]
    told: Told | None
    done: list[Trial] = field(default_factory=list)

    def start(self, number: int, values: dict[str, float]) -> Callable[[], float]:
        """Send a trial off; what comes back waits for its result."""
        if number < len(self.known):
            return partial(_known_result, self.search.study, self.known[number], values)
        return self.pool.submit(self.task.loss, {**values, **self.search.fixed}).result

    def finish(self, values: dict[str, float], deviance: float) -> None:
        """Note a result, in the file too."""
        self.done.append((values, deviance))
        if len(self.done) > len(self.known):
            append_trial(self.search.study, self.done[-1])
        if self.told is not None:
            best = _best(self.done)
            self.told(len(self.done), max(self.search.trials, len(self.done)), best[1], best[0])


def _sampled(run: Run, proposals: Proposals) -> None:
    """One trial after another is proposed and sent off, `ahead` of the results."""
    waiting: deque[tuple[dict[str, float], Callable[[], float]]] = deque()
    search = run.search
    for number in range(search.trials + search.ahead):
        if number >= search.ahead:
            values, result = waiting.popleft()
            run.finish(values, float(result()))
            proposals.tell(run.done[-1][1])
        if number < search.trials:
            values = proposals.ask()
            waiting.append((values, run.start(number, values)))


class _Enough(Exception):
    """As many local trials as were asked for."""


def _polished(run: Run, parameters: Sequence[TunedParameter]) -> None:
    """Powell's method from the best trial on, in shares of each parameter's range."""
    free = [one for one in parameters if one.name not in SWITCHES]
    if not run.search.local or not free:
        return
    from scipy.optimize import minimize

    best, first = _best(run.done)[0], len(run.done)

    def loss(shares: Floats) -> float:
        if len(run.done) - first >= run.search.local:
            raise _Enough
        found = {
            p.name: p.low + (p.high - p.low) * min(max(float(x), 0.0), 1.0) for p, x in zip(free, shares, strict=True)
        }
        values = {**best, **found}
        run.finish(values, float(run.start(len(run.done), values)()))
        return run.done[-1][1]

    start = [(best[p.name] - p.low) / (p.high - p.low) for p in free]
    options: Any = {"ftol": TOLERANCE, "xtol": 1e-3}
    with suppress(_Enough):
        minimize(loss, start, method="Powell", bounds=[(0.0, 1.0)] * len(free), options=options)


def _known_result(study: Path | None, trial: Trial, values: Mapping[str, float]) -> float:
    if trial[0] != values:
        raise CrosstableError(f"{study} was made with another version of Optuna or scipy: give a new file")
    return trial[1]


def searched(system: str, only: Sequence[str], fixed: Settings) -> list[TunedParameter]:
    """Return the parameters to look for: those named, or all; the fixed ones stay."""
    chosen = predictor(system)
    chosen.settings(fixed)
    known = {parameter.name: parameter for parameter in chosen.parameters}
    if unknown := [name for name in only if name not in known]:
        raise CrosstableError(f"{system} has no parameter {', '.join(unknown)}: it has {', '.join(known) or 'none'}")
    found = [known[name] for name in (only or known) if name not in fixed]
    if not found:
        raise CrosstableError(f"{system} has nothing to tune")
    return found


class Proposals:
    """What to try next: a pure function of the seed and of the results told so far. The very first trial is the
    default.
    """

    def __init__(self, parameters: Sequence[TunedParameter], seed: int) -> None:
        import optuna
        from optuna.distributions import FloatDistribution, IntDistribution

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            sampler = optuna.samplers.TPESampler(
                seed=seed, n_startup_trials=STARTUP, multivariate=True, constant_liar=True
            )
        self.ranges: dict[str, Any] = {
            p.name: IntDistribution(0, 1) if p.name == "opening" else FloatDistribution(p.low, p.high)
            for p in parameters
        }
        self.study = optuna.create_study(direction="minimize", sampler=sampler)
        self.study.enqueue_trial({p.name: p.default for p in parameters})
        self.told = 0

    def ask(self) -> dict[str, float]:
        return dict(self.study.ask(self.ranges).params)

    def tell(self, deviance: float) -> None:
        """Take the result of the next trial, in the order in which they were asked for."""
        self.study.tell(self.told, deviance)
        self.told += 1


def _best(done: Sequence[Trial]) -> Trial:
    return min(done, key=lambda trial: trial[1])


def _question(task: TuningTask, digest: str, parameters: Sequence[TunedParameter], search: Search) -> str:
    """Return what a study asks: of which games, by their hash and not by the name of a file, and where it looks."""
    games = {**asdict(task), "source": digest}
    asked = [
        games,
        [asdict(p) for p in parameters],
        search.seed,
        search.ahead,
        dict(search.fixed),
        search.trials if search.local else 0,
    ]
    return json.dumps(asked, default=str, sort_keys=True)
