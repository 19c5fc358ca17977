"""Training without a window: at full speed, with a progress bar, into one file."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.cli.arguments import add_path
from explorer.cli.config_options import (
    add_config_options,
    add_corpus_options,
    asked_splitting,
    asked_values,
    read_corpus,
)
from explorer.text import N_, Problem, _, ascii_number
from explorer.traces import (
    Config,
    Corpus,
    Splitting,
    SpoolTrace,
    TraceFile,
    check,
    fit_basis,
    new_run_folder,
    parse_samples,
    remove_run,
    save_trace,
    usual_samples,
)

if TYPE_CHECKING:
    from explorer.training import Ended, Event, Progress
    from explorer.training.control import Control
    from explorer.training.forks import ForkPoint


def command(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Carry the command out."""
    add = parser.add_argument
    add_corpus_options(parser)
    add("--samples", metavar="LIST", default="", help=_("the recorded sentences, such as 1-10,20"))
    add_config_options(parser)
    add(
        "--from",
        dest="parent",
        metavar="TRACE",
        type=Path,
        help=_("a trace to be continued, with its parameters where no others are given"),
    )
    add("--epoch", metavar="N", type=int, help=_("the recorded epoch to continue from"))
    add_path(parser, _("a .safetensors file"))
    asked = parser.parse_args(words)
    if (asked.parent is None) != (asked.epoch is None):
        raise Problem(N_("--from and --epoch go together: which trace, and from which epoch."))
    values = asked_values(asked)
    splitting, file = asked_splitting(asked), asked.corpus
    if asked.parent is None:
        lines = train(Config(**values), file, asked.path, asked.samples, splitting)
    else:
        parent, epoch = asked.parent, asked.epoch
        lines = fork(parent, epoch, values, file, asked.path, asked.samples, splitting)
    for line in lines:
        print(line)


def train(
    config: Config,
    corpus_path: Path | None,
    path: Path,
    picked: str = "",
    splitting: Splitting = Splitting(),  # noqa: B008 (frozen)
) -> Iterator[str]:
    """Train, save the trace as `path`, and yield the lines that say so.

    The sentences that are `picked` are recorded, as `parse_samples` takes them.

    Ctrl-C ends the run after the epoch in progress; what was recorded is saved all the same, and
    KeyboardInterrupt raised after that.

    Raises Problem for a bad corpus, picking or configuration, a missing device, a run that failed
    or diverged (after saving what there is), and a file that cannot be saved.
    """
    check(config)
    corpus = read_corpus(corpus_path, splitting)
    yield from _trained(config, corpus, parse_samples(picked, corpus), path)


def fork(
    parent: Path,
    epoch: int,
    changes: Mapping[str, Any],
    corpus_path: Path | None,
    path: Path,
    picked: str = "",
    splitting: Splitting = Splitting(),  # noqa: B008 (frozen)
) -> Iterator[str]:
    """Go on with the run in a trace file from a recorded epoch, as `train` does.

    changes : the parameters of Config that are to be others than the parent's
    """
    from explorer.training.forks import corpus_of, fork_config, fork_point, forked_corpus

    with closing(TraceFile(parent)) as trace:
        config = fork_config(trace, epoch, changes)
        samples: Sequence[int] | None = None
        if corpus_path is None:
            corpus = corpus_of(trace)
            if not picked and trace.samples is not None:
                samples = tuple(trace.samples.tolist())
        else:
            corpus = forked_corpus(trace, read_corpus(corpus_path, splitting))
        samples = samples or parse_samples(picked, corpus)
        start = fork_point(trace, trace.step_at(epoch), config)
    yield from _trained(config, corpus, samples, path, start)


def _trained(
    config: Config,
    corpus: Corpus,
    samples: Sequence[int] | None,
    path: Path,
    start: ForkPoint | None = None,
) -> Iterator[str]:
    """Train, save and say so; see `train`."""
    from explorer.training.libraries import missing

    if lacking := missing("torch"):
        raise Problem.of(lacking)

    from explorer.app.settings import runs_folder
    from explorer.training.control import Control

    usual = usual_samples(config, corpus)
    if samples is None and len(usual) < len(corpus.first_samples):
        yield _(
            "the first {count} of {all} sentences are recorded, so that a step takes 16 MB"
        ).format(count=len(usual), all=f"{len(corpus.lines):,}")
    folder = new_run_folder(runs_folder())
    ended = _run(config, corpus, samples, folder, Control(), start)
    if not folder.exists():
        assert ended.message is not None
        raise Problem.of(ended.message)
    trace = SpoolTrace(folder)
    if trace.recorded:
        try:
            save_trace(trace, path, basis=fit_basis(trace)).close()
        except Problem as problem:
            trace.close()
            raise Problem(
                N_("{reason} The run is kept: the window offers it when it starts."),
                reason=problem.message,
            ) from None
        last = {name: trace.scalars(name)[-1] for name in ("loss", "accuracy")}
        yield _("{epochs} epochs on {device}: loss {loss}, accuracy {accuracy}").format(
            epochs=ended.epoch,
            device=trace.run.device,
            **{name: ascii_number(value, 4) for name, value in last.items()},
        )
        yield _("{count} steps saved in {file}").format(count=trace.recorded, file=path)
    trace.close()
    remove_run(folder)
    if ended.message is not None:
        raise Problem.of(ended.message)
    if ended.why == "stopped":
        raise KeyboardInterrupt


def _run(
    config: Config,
    corpus: Corpus,
    samples: Sequence[int] | None,
    folder: Path,
    control: Control,
    start: ForkPoint | None,
) -> Ended:
    """Train with a bar on the terminal: epochs, time left, epochs a second, loss."""
    from tqdm import tqdm

    from explorer.training import Progress
    from explorer.training.record import record

    # No bar where standard error is no terminal.
    first = 0 if start is None else start.fork.epoch
    bar = tqdm(total=config.epochs, initial=first, unit=_(" epochs"), disable=None, leave=False)

    def tell(item: Progress | Event) -> None:
        if not isinstance(item, Progress):
            return
        done = int(bar.n)
        if item.scalars:
            last = item.scalars[-1]
            bar.set_postfix_str(_("loss {loss}").format(loss=f"{last.loss:.4f}"), refresh=False)
            done = last.epoch
        bar.update(round(done + item.share, 2) - bar.n)

    with bar, stopped_by_ctrl_c(control.stop):
        return record(
            config, corpus, folder, run=1, control=control, tell=tell, samples=samples, start=start
        )


@contextmanager
def stopped_by_ctrl_c(ask: Callable[[], None]) -> Iterator[None]:
    """Let Ctrl-C ask for an end; a second one ends the program at once."""
    before = signal.getsignal(signal.SIGINT)

    def stop(_number: int, _frame: object) -> None:
        signal.signal(signal.SIGINT, before)
        ask()

    with suppress(ValueError):  # not the main thread: no Ctrl-C comes here
        signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        with suppress(ValueError):
            signal.signal(signal.SIGINT, before)
