"""Many runs without a window: planned, trained in workers, kept in a folder."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.cli.config_options import (
    add_config_options,
    add_corpus_options,
    asked_splitting,
    asked_values,
    read_corpus,
)
from explorer.cli.train import stopped_by_ctrl_c
from explorer.text import (
    N_,
    Problem,
    _,
    labelled,
    listed,
    ngettext,
    plain_text,
    size_text,
    time_text,
)
from explorer.traces import LABELS, Config

if TYPE_CHECKING:
    from explorer.sweeps.conduct import Progress
    from explorer.sweeps.executors import Workers
    from explorer.sweeps.folder import WrittenSweep
    from explorer.sweeps.plan import Plan

_LONGEST = 100


def sweep(parser: argparse.ArgumentParser, words: Sequence[str]) -> int:
    """Carry the command out; returns 1 where runs failed."""
    add = parser.add_argument
    add(
        "--vary",
        metavar="FIELD=A,B",
        action="append",
        default=[],
        help=_("a parameter and its values, such as learning_rate=0.0005,0.0015"),
    )
    add("--seeds", metavar="LIST", help=_("such as 1-32; the seed 7 by default"))
    add("-o", dest="path", metavar="FOLDER", type=Path, required=True, help=_("for the results"))
    add("--resume", action="store_true", help=_("continue the sweep in the folder"))
    add("--plan", action="store_true", help=_("only print the plan; train nothing"))
    add(
        "--leave-out",
        action="store_true",
        help=_("leave out impossible settings, such as heads that do not divide the width"),
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--workers",
        metavar="N",
        type=int,
        help=_("processes of this computer, one a core by default"),
    )
    where.add_argument("--dask", metavar="ADDRESS", help=_("a Dask scheduler, tcp://host:8786"))
    add_corpus_options(parser)
    add_config_options(parser, but=("seed",))
    asked = parser.parse_args(words)
    if asked.workers is not None and asked.workers < 1:
        raise Problem(N_("--workers must be a whole number, 1 or more."))

    if asked.resume and _of_plan(asked) != _of_plan(parser.parse_args(["-o", "."])):
        raise Problem(
            N_("--resume keeps the folder's plan: leave out --vary, --seeds and other settings.")
        )

    from explorer.sweeps.folder import SweepFolder, create, resume

    plan = SweepFolder(asked.path).plan if asked.resume else _plan(asked)
    _say_plan(plan)
    if asked.plan:
        return 0
    workers = _workers(asked)
    try:
        written = resume(asked.path) if asked.resume else create(asked.path, plan)
        try:
            return _conduct(written, workers)
        finally:
            written.close()
    finally:
        workers.close()


def _of_plan(asked: argparse.Namespace) -> dict[str, object]:
    """Return the options that make a plan; the others say where it is carried out."""
    carried_out = ("path", "resume", "plan", "workers", "dask")
    return {name: value for name, value in vars(asked).items() if name not in carried_out}


def _workers(asked: argparse.Namespace) -> Workers:
    from explorer.sweeps.executors import DaskWorkers, LocalWorkers

    if asked.dask is not None:
        return DaskWorkers(asked.dask)
    return LocalWorkers(asked.workers or os.cpu_count() or 1)


def _plan(asked: argparse.Namespace) -> Plan:
    from explorer.sweeps.plan import made_plan, parse_seeds, parse_varied, with_device

    varied = {}
    for text in asked.vary:
        field, values = parse_varied(text)
        if field in varied:
            raise Problem(N_("--vary {field} appears twice."), field=field)
        varied[field] = values
    config = Config(**asked_values(asked))
    seeds = (config.seed,) if asked.seeds is None else parse_seeds(asked.seeds)
    corpus = read_corpus(asked.corpus, asked_splitting(asked))
    config = config if asked.dask else with_device(config)
    return made_plan(config, varied, seeds, corpus, leave_out=asked.leave_out)


def _say_plan(plan: Plan) -> None:
    for field, values in plan.varied.items():
        from explorer.sweeps.plan import value_text

        print(labelled(_(LABELS[field]), listed(map(value_text, values))))
    print(
        _(
            "{runs} runs: {settings} settings × {seeds} seeds, in {parts} parts; {size} on disk"
        ).format(
            runs=plan.runs,
            settings=len(plan.settings),
            seeds=len(plan.seeds),
            parts=len(plan.chunks),
            size=size_text(plan.nbytes()),
        )
    )
    if plan.contradictions:
        from explorer.sweeps.plan import contradictory

        print(_("Left out: {reason}").format(reason=contradictory(plan)))


def _conduct(written: WrittenSweep, workers: Workers) -> int:
    from tqdm import tqdm

    from explorer.sweeps.conduct import Steering, conduct, estimate
    from explorer.sweeps.work import seconds_an_epoch

    steering = Steering()
    bar: tqdm[object] | None = None

    def tell(progress: Progress) -> None:
        if bar is not None:
            bar.update(progress.done - bar.n)
        for message in progress.said:
            tqdm.write(plain_text(str(message)), file=sys.stderr)

    def stop() -> None:
        steering.stopped = True

    with stopped_by_ctrl_c(stop):
        seconds = estimate(
            written.plan,
            set(written.done()),
            lambda *asked: workers.submit(seconds_an_epoch, *asked).result(),
        )
        seconds /= min(workers.count, len(written.plan.chunks))
        print(
            ngettext(
                "about {time} with {n} worker", "about {time} with {n} workers", workers.count
            ).format(time=time_text(seconds), n=workers.count),
            flush=True,
        )
        # No bar where standard error is no terminal.
        bar = tqdm(total=written.plan.runs, unit=_(" runs"), disable=None, leave=False)
        with bar:
            progress = conduct(written, workers, steering, tell)
    print(
        _(
            "{done} of {runs} runs done, {diverged} diverged, {failed} failed; saved in {folder}"
        ).format(
            done=progress.done - progress.failed,
            runs=progress.runs,
            diverged=progress.diverged,
            failed=progress.failed,
            folder=plain_text(str(written.path), _LONGEST),
        )
    )
    if steering.stopped:
        raise KeyboardInterrupt
    return 1 if progress.failed else 0
