"""What undo takes back in Train: the next run's plan, and what somebody said of the runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from explorer.session.history import Undoable
from explorer.session.listeners import Listeners
from explorer.session.train.frame import Plan, TrainFrame
from explorer.session.train.runs import ForkFrom
from explorer.text import N_, Message, Problem, displayable, plain_text
from explorer.traces import (
    LABELS,
    SPLITTING_LABELS,
    Config,
    Corpus,
    Mark,
    Splitting,
    Trace,
    parse_corpus,
    parse_samples,
    samples_text,
)
from explorer.traces.marks import LONGEST
from explorer.traces.marks import MOST as MOST_MARKS

_SAMPLES = "samples"  # what problems with it are kept under


class PlanEdits(Undoable[Plan]):
    """Edits of the plan that is part of a frame; each is one undo entry."""

    def __init__(self) -> None:
        super().__init__()
        self.changed = Listeners()
        first = TrainFrame()
        self._frame = replace(first, corpus=parse_corpus(first.corpus_text))

    @property
    def frame(self) -> TrainFrame:
        """What is shown now."""
        return self._frame

    # --- runs ------------------------------------------------------------------------------------

    def rename(self, key: int, name: str) -> None:
        """Call a run otherwise; an empty name is the one it came with."""
        plan = self._frame.plan
        names = {each: said for each, said in plan.names.items() if each != key}
        if shown := plain_text(name).strip():
            names[key] = shown
        self._plan(Message(N_("rename a run")), replace(plan, names=names))

    def delete(self, key: int) -> None:
        """Take a run from the list; its files stay until the window closes."""
        if len(self._frame.runs) > 1:
            plan = self._frame.plan
            self._plan(Message(N_("delete a run")), replace(plan, hidden=plan.hidden | {key}))

    def mark(self, epoch: int, text: str) -> None:
        """Put a mark with a text at an epoch of A, or take it away with an empty one.

        The text is cut to its longest. Raises Problem where there are too many marks.
        """
        key, plan = self._frame.shown, self._frame.plan
        marks = [each for each in self._frame.marks_of(key) if each.epoch != epoch]
        if text.strip():
            marks.append(Mark(epoch, displayable(text.strip(), LONGEST)))
        if len(marks) > MOST_MARKS:
            raise Problem(N_("A run may have at most {most} marks."), most=MOST_MARKS)
        name = Message(N_("mark epoch {epoch}"), {"epoch": epoch})
        self._plan(name, replace(plan, marks={**plan.marks, key: tuple(sorted(marks))}))

    # --- the next run ----------------------------------------------------------------------------

    def set_fork(self, fork: ForkFrom | None) -> None:
        """Let the next run go on from a run's epoch, with its parameters, or begin untrained."""
        plan, card = self._frame.plan, None if fork is None else self._frame.card(fork.key)
        if fork is None or card is None or card.trace.run.config is None:
            self._plan(Message(N_("begin untrained")), replace(plan, fork=None))
            return
        name = Message(N_("fork at epoch {epoch}"), {"epoch": fork.epoch})
        self._plan(name, replace(_like(plan, card.trace), fork=fork))

    def use_parameters(self) -> None:
        """Let the next run have the parameters and sentences of the shown one."""
        trace = self._frame.trace
        if trace is not None and trace.run.config is not None:
            self._plan(Message(N_("use the parameters of a run")), _like(self._frame.plan, trace))

    def use_run(self, name: Message, config: Config, corpus: Corpus) -> None:
        """Let the next run begin untrained with these parameters and sentences."""
        plan = replace(self._frame.plan, fork=None, config=config, problems={}, corpus_problem=None)
        if corpus != plan.corpus or self._frame.corpus_problem is not None:
            plan = replace(_learning(plan, corpus), samples=None)
        self._plan(name, plan)

    def set_config(
        self,
        name: Message,
        config: Config,
        problems: Mapping[str, tuple[str, Message]] | None = None,
    ) -> None:
        """Replace the parameters, and those values that cannot be."""
        kept = {key: told for key, told in self._frame.problems.items() if key not in LABELS}
        problems = kept | dict(problems or {})
        self._plan(name, replace(self._frame.plan, config=config, problems=problems))

    def set_samples(self, name: Message, text: str) -> None:
        """Pick the sentences that are recorded, as `parse_samples` takes them.

        Where that cannot be, `problems` keeps what was typed and tells why.
        """
        self._plan(name, _picked(self._frame.plan, text))

    def set_corpus(
        self,
        name: Message,
        text: str,
        corpus: Corpus | None,
        problem: tuple[int | None, Message] | None,
        *,
        splitting: Splitting,
    ) -> None:
        """Replace the corpus text.

        Where it cannot be, `corpus` is None and the last one stays. Sentences that were picked to
        be recorded, and are not there any more, become a problem.
        """
        before = self._frame.plan
        typed, _message = before.problems.get(_SAMPLES, (samples_text(before.samples), None))
        plan = replace(
            before,
            corpus_text=text,
            corpus=corpus or before.corpus,
            corpus_problem=problem,
            splitting=splitting,
            problems={
                key: told for key, told in before.problems.items() if key not in SPLITTING_LABELS
            },
        )
        self._plan(name, _picked(plan, typed))

    def set_splitting_problem(self, name: Message, field: str, text: str, why: Message) -> None:
        """Keep what was typed for a field of the splitting, and why it cannot be.

        The corpus stays as it is.
        """
        plan = self._frame.plan
        self._plan(name, replace(plan, problems={**plan.problems, field: (text, why)}))

    def _plan(self, name: Message, plan: Plan) -> None:
        before = self._frame.plan
        if plan != before:
            self._turn(self._history.push(name, before, plan), plan)


def _learning(plan: Plan, corpus: Corpus) -> Plan:
    """Return a plan with other sentences, which stand in its text as tokens."""
    text = "\n".join(corpus.sentences) + "\n"
    return replace(plan, corpus_text=text, corpus=corpus, splitting=Splitting())


def _like(plan: Plan, trace: Trace) -> Plan:
    """Return a plan with the parameters of a run and, where it has some, its sentences."""
    sentences = trace.run.corpus
    samples = None if trace.samples is None else tuple(trace.samples.tolist())
    if sentences:
        plan = _learning(plan, Corpus(tuple(tuple(line.split(" ")) for line in sentences)))
    if plan.corpus is not None and samples == plan.corpus.first_samples:
        samples = None  # nobody picked them: of other sentences it is the first again
    assert trace.run.config is not None
    return replace(
        plan,
        fork=None,
        config=trace.run.config,
        problems={},
        corpus_problem=None,
        samples=samples,
    )


def _picked(plan: Plan, text: str) -> Plan:
    """Return a plan with the samples that were typed, or with the problem that they are."""
    problems = {key: told for key, told in plan.problems.items() if key != _SAMPLES}
    try:
        samples = None if plan.corpus is None else parse_samples(text, plan.corpus)
    except Problem as problem:
        problems[_SAMPLES] = (text, problem.message)
        samples = None
    return replace(plan, problems=problems, samples=samples)
