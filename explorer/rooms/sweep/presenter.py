"""Sweep's presenter: carries out what its views ask for."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from explorer.kit.base import BasePresenter
from explorer.resources import example
from explorer.rooms.sweep import intents
from explorer.rooms.sweep.runner import SweepRunner
from explorer.rooms.sweep.session import SweepSession
from explorer.rooms.sweep.shown import Draft
from explorer.session.intents import Select
from explorer.session.scene_file import write_bytes
from explorer.sweeps.plan import Value, parse_varied
from explorer.text import N_, Message, Problem, _, displayable
from explorer.traces import LABELS, Config, Corpus

EXAMPLE = "rates-and-heads"  # the sweep that comes with the program


class SweepPresenter(BasePresenter):
    """Carries out what Sweep's views ask for.

    Parameters
    ----------
    session : SweepSession
    runner : SweepRunner
    tell, copy : callable
        As of every presenter.
    ask_folder, ask_table, ask_new_folder : callable
        Return the folder of a sweep to be opened, the file for a table, and the folder for a whole
        sweep; None to leave it.
    wait : callable
        Waits until what it is given returns True, and says what for; returns False on Cancel.
    open_run : callable
        Trains a run in Run, beside the one that is shown there or by itself.
    show_runs : callable
        Shows Run in place of Sweep.
    """

    def __init__(
        self,
        session: SweepSession,
        runner: SweepRunner,
        tell: Callable[[Problem], None],
        copy: Callable[[str], None],
        ask_folder: Callable[[], Path | None],
        ask_table: Callable[[str], Path | None],
        ask_new_folder: Callable[[str], Path | None],
        wait: Callable[[str, Callable[[], bool]], bool],
        open_run: Callable[[Config, Corpus, bool], object],
        show_runs: Callable[[], object],
    ) -> None:
        super().__init__(tell, copy)
        self._session, self._runner = session, runner
        self._ask_folder, self._ask_table = ask_folder, ask_table
        self._ask_new_folder, self._wait = ask_new_folder, wait
        self._open_run, self._show_runs = open_run, show_runs

    def open(self, path: Path) -> None:
        """Show a sweep that is on disk, where none goes on. Raises Problem."""
        if not self._session.frame.idle:
            raise Problem(N_("A sweep is running: stop it before you open another."))
        self._runner.open(path)

    def _handle(self, intent: object) -> None:
        session, runner = self._session, self._runner
        frame = session.frame
        draft = frame.draft
        match intent:
            case intents.AddField(field):
                value: Value = getattr(frame.config, field)
                self._vary(field, (*draft.fields.get(field, ()), value))
            case intents.AddValues(field, text):
                self._add(field, text)
            case intents.RemoveValue(field, place):
                values = draft.fields.get(field, ())
                self._vary(field, (*values[:place], *values[place + 1 :]))
            case intents.SetSeeds(first, last):
                self._edit(replace(draft, first=first, last=last), N_("choose seeds"), "seeds")
            case intents.LeaveOut(leave_out):
                self._edit(replace(draft, leave_out=leave_out), N_("leave out impossible settings"))
            case intents.SetWhere(cluster, workers, address):
                wanted = replace(draft, cluster=cluster, workers=workers, address=address)
                self._edit(wanted, N_("choose where to train"), "where")
                if cluster and (not draft.cluster or address != draft.address):
                    runner.reach()
            case intents.Start():
                runner.start()
            case intents.Pause(pause):
                runner.pause(pause)
            case intents.Stop():
                runner.stop()
            case intents.NewSweep():
                if frame.idle:
                    runner.leave()
            case intents.OpenSweep():
                path = self._ask_folder()
                if path is not None:
                    self.open(path)
            case intents.OpenExample():
                self.open(example(EXAMPLE))
            case intents.SelectSweepRun(run):
                runner.select(run)
            case intents.SelectSetting(place):
                slow = None if frame.shown is None else frame.shown.slowest(place)
                if slow is not None:
                    runner.select(slow)
            case intents.SaveTable():
                self._save()
            case intents.SaveAll():
                self._save_all()
            case intents.OpenInRun(beside):
                if frame.shown is not None and frame.selected is not None:
                    plan = frame.shown.plan
                    config = plan.run_config(frame.selected.run)
                    self._open_run(config, plan.sentences, beside)
            case intents.ShowRuns():
                self._show_runs()
            case Select():
                session.change(selected=None)
            case _:
                raise TypeError(f"no such intent: {intent!r}")

    def _edit(self, draft: Draft, name: str, merge: str | None = None) -> None:
        self._session.edit(Message(name), draft, merge)

    def _vary(self, field: str, values: tuple[Value, ...]) -> None:
        draft = self._session.frame.draft
        fields = {**draft.fields, field: values}
        varied = tuple((name, each) for name, each in fields.items() if each)
        name = Message(N_("vary {label}"), {"label": Message(LABELS[field])})
        self._session.edit(name, replace(draft, varied=varied))

    def _add(self, field: str, text: str) -> None:
        """Add values that can be, sorted where they are numbers; else keep what was typed."""
        session = self._session
        if not text.strip():
            session.change(typed=None)
            return
        try:
            _field, found = parse_varied(f"{field}={text}")
        except Problem as problem:
            session.change(typed=(field, text, problem.message))
            return
        values = tuple(dict.fromkeys((*session.frame.draft.fields.get(field, ()), *found)))
        if all(isinstance(each, (int, float)) for each in values):
            values = tuple(sorted(values))  # type: ignore[type-var]
        self._vary(field, values)

    def _save(self) -> None:
        path = self._ask_table(self._session.frame.title or "sweep")
        if path is not None:
            write_bytes(self._runner.table().encode(), path)

    def _save_all(self) -> None:
        folder = self._runner.folder
        path = None if folder is None else self._ask_new_folder(self._session.frame.title)
        if folder is not None and path is not None:
            with closing(folder.copied(path)) as copied:
                text = _("Saving {file}").format(file=displayable(path.name))
                self._wait(text, lambda: next(copied, copied) is copied)
