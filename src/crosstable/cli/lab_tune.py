"""`crosstable lab tune` and `lab cluster`: a system's parameters, found on one window."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from crosstable.cli.lab_backtest import source_arguments
from crosstable.cli.output import day, print_json, whole
from crosstable.cli.progress import ProgressReport, progress_bar

if TYPE_CHECKING:
    from crosstable.lab.tune import Tuned


def configure(parser: argparse.ArgumentParser) -> None:
    source_arguments(parser)
    parser.add_argument("--system", required=True, help="what to tune: a name of `lab backtest --systems`")
    parser.add_argument("--from", dest="since", type=day, required=True, metavar="DATE", help="the window's first day")
    parser.add_argument(
        "--to", dest="until", type=day, required=True, metavar="DATE", help="its last: no later game is read"
    )
    parser.add_argument(
        "--parameters", default="", metavar="NAMES", help="tune only these parameters, separated by commas"
    )
    parser.add_argument(
        "--fix", action="append", default=[], metavar="PARAMETER=VALUE", help="keep this parameter at a fixed value"
    )
    parser.add_argument("--trials", type=whole, default=64, help="how many to try (64)")
    parser.add_argument(
        "--local", type=int, default=200, metavar="N", help="then up to N trials of Powell's method; 0: none (200)"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--ahead", type=whole, default=8, help="trials at a time, at most: one for each core of a cluster (8)"
    )
    parser.add_argument("--threads", type=whole, help="trials at a time on this machine (one per processor)")
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="a Dask scheduler, e.g. tcp://host:8786: see `lab cluster`"
    )
    parser.add_argument("--study", metavar="FILE", help="save every trial in this file, and continue from it")
    parser.add_argument("--out", metavar="FILE", help="write what was found, for `lab backtest --tuned FILE`")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    from crosstable.lab.places import make_room
    from crosstable.lab.predictors import in_words, predictor
    from crosstable.lab.tune import Search, TuningTask, tune

    for path in (args.out, args.study):
        if path:
            make_room(Path(path))
    task = TuningTask(args.source, args.pool, args.system, args.since, args.until, colours=not args.no_colours)
    search = Search(
        trials=args.trials,
        local=max(args.local, 0),
        seed=args.seed,
        only=[name.strip() for name in args.parameters.split(",") if name.strip()],
        fixed=_fixed(args.fix),
        ahead=args.ahead,
        study=Path(args.study) if args.study else None,
    )
    with progress_bar("trials", quiet=args.json) as report:
        told = None if report is None else partial(_told, report)
        found = tune(task, search, cluster=args.cluster, threads=args.threads, told=told)
    if args.out:
        found.write(Path(args.out))
    if args.json:
        print_json(asdict(found))
        return 0
    print(f"{found.system}: deviance {found.deviance:.5f} from {found.since} to {found.until}, {found.trials} trials")
    print(_beside_defaults(found))
    words = {parameter.name: in_words(found.system, parameter) for parameter in predictor(found.system).parameters}
    for name, value in found.parameters.items():
        print(f"  {name} = {value:.6g}: {words[name]}")
    print(f"hash {found.hash}")
    return 0


def _beside_defaults(found: Tuned) -> str:
    if found.defaults is not None and found.deviance < found.defaults:
        return f"the defaults have {found.defaults:.5f}"
    return "no better than the defaults, which are shown here"


def _fixed(texts: list[str]) -> dict[str, float]:
    from crosstable.errors import CrosstableError

    found = {}
    for text in texts:
        name, _, value = text.partition("=")
        try:
            found[name.strip()] = float(value)
        except ValueError:
            raise CrosstableError(f"--fix {text}: write PARAMETER=VALUE") from None
    return found


def _told(report: ProgressReport, done: int, trials: int, best: float, values: Mapping[str, float]) -> None:
    shown = ", ".join(f"{name} {value:.4g}" for name, value in values.items())
    report(done, trials, f", best {best:.5f}: {shown}")


def configure_cluster(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--address", default="tcp://SCHEDULER:8786", help="where the scheduler will listen")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run_cluster(args: argparse.Namespace) -> int:
    from crosstable.lab.executors import cluster_commands

    scheduler, worker = cluster_commands(args.address)
    if args.json:
        print_json({"scheduler": scheduler, "worker": worker})
        return 0
    print("On one machine, in an environment with crosstable[lab]:")
    print(f"  {scheduler}")
    print("On every worker machine, with the source under the same path:")
    print(f"  {worker}")
    print(f"Then: crosstable lab tune SOURCE … --cluster {args.address}")
    print("A scheduler has no password: keep it in a private network, or give it TLS certificates.")
    return 0
