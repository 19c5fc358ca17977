"""Training without a window: at full speed, with a progress bar, into one file."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.text import N_, Problem, _, ascii_number
from explorer.traces import (
    DEFAULT_CORPUS,
    Config,
    Corpus,
    CorpusProblem,
    SpoolTrace,
    check,
    fit_basis,
    new_run_folder,
    parse_corpus,
    parse_samples,
    read_corpus_text,
    remove_run,
    save_trace,
)
from explorer.traces.files import check_place

if TYPE_CHECKING:
    from explorer.training import Ended, Event, Progress
    from explorer.training.control import Control


def train(config: Config, corpus_path: Path | None, path: Path, picked: str = "") -> Iterator[str]:
    """Train, save the trace as `path`, and yield the lines that say so.

    The sentences that are `picked` are recorded, as `parse_samples` takes them.

    Ctrl-C ends the run after the epoch in progress; what was recorded is saved all the same, and
    KeyboardInterrupt raised after that.

    Raises Problem for a bad corpus, picking or configuration, a missing device, a run that failed
    or diverged (after saving what there is), and a file that cannot be saved.
    """
    check(config)
    corpus = parse_corpus(DEFAULT_CORPUS) if corpus_path is None else _corpus(corpus_path)
    samples = parse_samples(picked, corpus)
    check_place(path)

    from explorer.app.settings import runs_folder
    from explorer.training.control import Control

    folder = new_run_folder(runs_folder())
    ended = _run(config, corpus, samples, folder, Control())
    if not folder.exists():
        assert ended.message is not None
        raise Problem(ended.message.template, **ended.message.args)
    trace = SpoolTrace(folder)
    if trace.recorded:
        save_trace(trace, path, basis=fit_basis(trace)).close()
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
        raise Problem(ended.message.template, **ended.message.args)
    if ended.why == "stopped":
        raise KeyboardInterrupt


def _corpus(path: Path) -> Corpus:
    try:
        return parse_corpus(read_corpus_text(path))
    except CorpusProblem as problem:
        raise Problem(N_("{file}: {reason}"), file=path.name, reason=problem.message) from None


def _run(
    config: Config,
    corpus: Corpus,
    samples: Sequence[int] | None,
    folder: Path,
    control: Control,
) -> Ended:
    """Train with a bar on the terminal: epochs, time left, epochs a second, loss."""
    from tqdm import tqdm

    from explorer.training import Progress
    from explorer.training.record import record

    # No bar where standard error is no terminal.
    bar = tqdm(total=config.epochs, unit=_(" epochs"), disable=None, leave=False)

    def tell(item: Progress | Event) -> None:
        if isinstance(item, Progress):
            last = item.scalars[-1]
            bar.set_postfix_str(_("loss {loss}").format(loss=f"{last.loss:.4f}"), refresh=False)
            bar.update(last.epoch - bar.n)

    with bar, _stopped_by_ctrl_c(control):
        return record(config, corpus, folder, run=1, control=control, tell=tell, samples=samples)


@contextmanager
def _stopped_by_ctrl_c(control: Control) -> Iterator[None]:
    """Let Ctrl-C stop the run; a second one ends the program at once."""
    before = signal.getsignal(signal.SIGINT)

    def stop(_number: int, _frame: object) -> None:
        signal.signal(signal.SIGINT, before)
        control.stop()

    with suppress(ValueError):  # not the main thread: no Ctrl-C comes here
        signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        with suppress(ValueError):
            signal.signal(signal.SIGINT, before)
