"""The left of Sweep: what varies, what stays, and where it is trained."""

from __future__ import annotations

import os
from typing import ClassVar

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from explorer.kit.icons import icon
from explorer.kit.labels import plain_label, show_ink, show_text
from explorer.kit.layouts import as_panel, hairline, put, set_spacing
from explorer.kit.scrolling import ColumnArea
from explorer.kit.segments import Segment, Segments
from explorer.kit.small_inputs import give_font, mark_wrong
from explorer.kit.theme import Theme
from explorer.rooms.sweep.base import SweepView
from explorer.rooms.sweep.chips import FieldRow
from explorer.rooms.sweep.heading import Heading
from explorer.rooms.sweep.intents import (
    AddField,
    LeaveOut,
    OpenSweep,
    SaveAll,
    SaveTable,
    SetSeeds,
    SetWhere,
)
from explorer.rooms.sweep.shown import Draft, SweepChange, SweepFrame
from explorer.rooms.sweep.words import runs_text
from explorer.sweeps.plan import Plan, contradictory
from explorer.text import _, ngettext
from explorer.traces import LABELS, Config, Corpus

WIDTH = 284  # px at 100 %
NOT_VARIED = ("seed", "watch_every", "keep_state", "device")  # of no matter to what is kept
_ADDRESS = "tcp://scheduler:8786"  # as one is typed
_MOST_SEED = 99_999_999
_OPTIMIZERS = {"adam": "Adam", "sgd": "SGD"}


class PlanView(SweepView):
    """Asks for the next sweep; of one that is shown it says what was asked for."""

    concerns: ClassVar[SweepChange] = SweepChange.DRAFT | SweepChange.STATE | SweepChange.RESULTS

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setAccessibleName(_("What is swept"))
        self._drawn: object = None
        self._draft = Draft(())
        self.rows: list[FieldRow] = []
        self._column = QWidget()
        as_panel(self._column)
        self._layout = QVBoxLayout(self._column)
        self._notes: list[QLabel] = []
        varies = Heading(_("What varies"), size=14)
        stays = Heading(_("What stays"), _("as in Run"), size=14)
        self._headings = varies, stays, Heading(_("Where"), size=14)
        self.product = varies.note
        self._layout.addLayout(varies)
        self._fields = QVBoxLayout()
        put(self._layout, self._fields, self._seeds())
        self.another = QPushButton(_("another parameter"))
        self.another.setProperty("kind", "quiet")
        self.another.setStyleSheet("text-align: left; padding-left: 0px;")
        self._menu = QMenu(self.another)
        self._menu.aboutToShow.connect(self._fill)
        self.another.setMenu(self._menu)
        self._layout.addWidget(self.another, 0, Qt.AlignmentFlag.AlignLeft)
        self.wrong = plain_label("err")
        self.leave_out = QCheckBox(_("Leave these settings out"))
        self.leave_out.clicked.connect(lambda wanted: self.intent.emit(LeaveOut(wanted)))
        put(self._layout, self.wrong, self.leave_out, hairline(), stays)
        self.stays = plain_label("ink2")
        put(self._layout, self.stays, hairline(), self._headings[2], self._where(), hairline())
        self._layout.addWidget(
            self._note(
                _(
                    "The same seed and parameters give the same run, wherever it is computed with "
                    "the same versions."
                )
            )
        )
        self._layout.addStretch(1)
        self._scroll = ColumnArea()
        self._scroll.setWidget(self._column)
        self.save, self.save_all = QPushButton(_("Save table…")), QPushButton(_("Save all…"))
        self.open = QPushButton(_("Open…"))
        self._buttons = QGridLayout()
        for button, intent, place in (
            (self.save, SaveTable(), (1, 0)),
            (self.save_all, SaveAll(), (1, 1)),
            (self.open, OpenSweep(), (0, 0, 1, 2)),
        ):
            button.clicked.connect(lambda _on=False, asked=intent: self.intent.emit(asked))
            self._buttons.addWidget(button, *place)
        whole = QVBoxLayout(self)
        set_spacing(whole, 0, 0, 0, 0, gap=0)
        put(whole, (self._scroll, 1), self._buttons)
        self.retheme(theme)

    # --- parts -----------------------------------------------------------------------------------

    def _note(self, text: str = "") -> QLabel:
        note = plain_label("ink3", text=text)
        self._notes.append(note)
        return note

    def _seeds(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self._seed = plain_label("ink2", text=_("Seed"))
        self._to = plain_label("ink2", text=_("to"))
        self.first = QSpinBox(minimum=0, maximum=_MOST_SEED)
        self.last = QSpinBox(minimum=0, maximum=_MOST_SEED)
        for box, name in ((self.first, _("First seed")), (self.last, _("Last seed"))):
            box.setAccessibleName(name)
            box.setKeyboardTracking(False)
            box.valueChanged.connect(self._choose_seeds)
        put(row, (self._seed, 1), self.first, self._to, self.last)
        return row

    def _where(self) -> QVBoxLayout:
        column = QVBoxLayout()
        self.place = Segments(
            [Segment(False, _("this computer")), Segment(True, _("Dask cluster"))],
            _("Where"),
            self.theme,
            exclusive=True,
        )
        self.place.picked.connect(lambda cluster: self._choose_where(cluster=bool(cluster)))
        self._workers = plain_label("ink2", text=_("Workers"))
        self.workers = QSpinBox(minimum=1, maximum=256)
        self.workers.setAccessibleName(_("Workers"))
        self.workers.setKeyboardTracking(False)
        self.workers.valueChanged.connect(lambda _count: self._choose_where())
        cores = os.cpu_count() or 1
        self._cores = self._note(ngettext("of {n} core", "of {n} cores", cores).format(n=cores))
        self.address = QLineEdit()
        self.address.setAccessibleName(_("Address of the scheduler"))
        self.address.setPlaceholderText(_ADDRESS)
        self.address.editingFinished.connect(self._choose_where)
        self.reached = self._note()
        grid = QGridLayout()
        grid.addWidget(self._workers, 0, 0)
        grid.addWidget(self.workers, 0, 1)
        grid.addWidget(self._cores, 0, 2)
        grid.setColumnStretch(2, 1)
        row = QHBoxLayout()
        put(row, self.place, None)
        put(column, row, grid, self.address, self.reached)
        return column

    # --- asking ----------------------------------------------------------------------------------

    def _emit(self, intent: object) -> None:
        self.intent.emit(intent)

    def _choose_seeds(self, _value: int) -> None:
        self._emit(SetSeeds(self.first.value(), self.last.value()))

    def _choose_where(self, cluster: bool | None = None) -> None:
        draft = self._draft
        wanted = SetWhere(
            draft.cluster if cluster is None else cluster,
            self.workers.value(),
            self.address.text().strip(),
        )
        if wanted != SetWhere(draft.cluster, draft.workers, draft.address):
            self._emit(wanted)

    def _fill(self) -> None:
        self._menu.clear()
        taken = self._draft.fields
        for field, label in LABELS.items():
            if field not in NOT_VARIED and field not in taken:
                action = self._menu.addAction(_(label))
                action.triggered.connect(lambda _on=False, name=field: self._emit(AddField(name)))

    # --- showing ---------------------------------------------------------------------------------

    def draw(self, frame: SweepFrame) -> None:
        """Show the draft, or what was asked of the sweep that is shown."""
        self._draft = draft = frame.draft
        shown = frame.shown
        plan = frame.plan if shown is None else shown.plan
        editable = shown is None and frame.idle
        fields = draft.varied if shown is None else tuple(shown.plan.varied.items())
        if (fields, editable, self.theme) != self._drawn:
            self._drawn = fields, editable, self.theme
            self._make_rows(fields, editable, frame.config)
        if frame.typed is not None and shown is None:
            for row, (field, _values) in zip(self.rows, fields, strict=True):
                if field == frame.typed[0]:
                    row.show_typed(frame.typed[1])
        seeds = (draft.first, draft.last)
        if shown is not None:
            seeds = (shown.plan.seeds[0], shown.plan.seeds[-1])
        for box, seed in zip((self.first, self.last), seeds, strict=True):
            _show(box, seed)
            box.setReadOnly(not editable)
            symbols = QSpinBox.ButtonSymbols
            box.setButtonSymbols(symbols.UpDownArrows if editable else symbols.NoButtons)
            mark_wrong(box, editable and draft.last < draft.first)
        self.another.setVisible(editable)
        self.product.setText("" if plan is None else _product(plan))
        message = frame.typed[2] if frame.typed is not None else frame.wrong
        if message is None and frame.plan is not None and frame.contradictory:
            message = contradictory(frame.plan).message
        show_text(self.wrong, str(message) if message is not None and shown is None else "")
        self.leave_out.setVisible(editable and frame.contradictory)
        self.leave_out.setChecked(draft.leave_out)
        config = frame.config if shown is None else shown.plan.config
        corpus = frame.corpus if shown is None else shown.plan.sentences
        self.stays.setText(_stays(config, corpus, dict(fields)))
        self._show_where(frame)
        for button in (self.save, self.save_all):
            button.setVisible(shown is not None)
            button.setEnabled(shown is not None and bool(shown.results))
        self.open.setEnabled(frame.idle)

    def _make_rows(
        self, fields: tuple[tuple[str, tuple[object, ...]], ...], editable: bool, config: Config
    ) -> None:
        focused = self.focusWidget()
        had = any(focused in (*row.chips, row.typed) for row in self.rows)
        for row in self.rows:
            self._fields.removeWidget(row)
            row.hide()
            row.deleteLater()
        width = self.theme.px(WIDTH - 40)
        self.rows = [
            FieldRow(
                field,
                values,  # type: ignore[arg-type]
                first=place == 0,
                editable=editable,
                config=config,
                theme=self.theme,
                width=width,
                emit=self._emit,
                parent=self._column,
            )
            for place, (field, values) in enumerate(fields)
        ]
        for row in self.rows:
            self._fields.addWidget(row)
            row.show()
        if had and self.rows:
            self.rows[0].add.setFocus()

    def _show_where(self, frame: SweepFrame) -> None:
        draft = frame.draft
        self.place.show_checked({draft.cluster})
        for part in (self._workers, self.workers, self._cores):
            part.setVisible(not draft.cluster)
        self.address.setVisible(draft.cluster)
        _show(self.workers, draft.workers)
        if not self.address.hasFocus() and self.address.text() != draft.address:
            self.address.setText(draft.address)
        for asked in (self.place, self.workers, self.address):
            asked.setEnabled(frame.idle)
        reached = frame.reached
        said, wrong = _("its workers are counted first"), False
        if reached is not None and reached.address == draft.address:
            wrong = reached.message is not None
            said = (
                str(reached.message)
                if wrong
                else ngettext("{n} worker", "{n} workers", reached.workers).format(
                    n=reached.workers
                )
            )
        show_text(self.reached, said if draft.cluster else "")
        show_ink(self.reached, "err" if wrong else "ink3")
        mark_wrong(self.address, wrong)

    def retheme(self, theme: Theme) -> None:
        """Take another theme or text scale; a `draw` follows."""
        super().retheme(theme)
        px = theme.px
        set_spacing(self._layout, px(16), px(14), px(16), px(8), gap=px(9))
        self._fields.setSpacing(px(9))
        set_spacing(self._buttons, px(16), px(8), px(16), px(16), gap=px(10))
        self.place.retheme(theme)
        for heading in self._headings:
            heading.retheme(theme)
        for note in self._notes:
            note.setFont(theme.font(13))
        for label in (self._seed, self._to, self._workers):
            label.setFont(theme.font(14))
        self.stays.setFont(theme.font(13))
        self.wrong.setFont(theme.font(13))
        self.leave_out.setFont(theme.font(13))
        self.another.setFont(theme.font(14))
        self.another.setIcon(icon("add", theme))
        self.another.setIconSize(QSize(px(14), px(14)))
        self.address.setFont(theme.font(14))
        for box in (self.first, self.last, self.workers):
            give_font(box, theme.font(14))
            box.setFixedSize(px(66), px(30))
        for button in (self.save, self.save_all, self.open):
            button.setFont(theme.font(14, 500))


def _show(box: QSpinBox, value: int) -> None:
    """Show a number without asking for anything."""
    if box.value() != value:
        with QSignalBlocker(box):
            box.setValue(value)


def _product(plan: Plan) -> str:
    if plan.contradictions:
        counts = [str(len(plan.settings))]
    else:
        counts = [str(len(values)) for values in plan.varied.values()]
    return f"{' × '.join([*counts, str(len(plan.seeds))])} = {runs_text(plan.runs)}"


def _stays(config: Config, corpus: Corpus | None, fields: dict[str, object]) -> str:
    parts = [
        f"{_(LABELS[field])} {getattr(config, field)}"
        for field in ("d_model", "heads", "epochs")
        if field not in fields
    ]
    if "optimizer" not in fields:
        parts.append(_OPTIMIZERS[config.optimizer])
    lines = [" · ".join(parts)]
    if corpus is not None:
        lines.append(
            _("corpus of {sentences}, {words}").format(
                sentences=ngettext("{n} sentence", "{n} sentences", len(corpus.lines)).format(
                    n=len(corpus.lines)
                ),
                words=ngettext("{n} word", "{n} words", len(corpus.vocabulary)).format(
                    n=len(corpus.vocabulary)
                ),
            )
        )
    lines.append(_("loss, accuracy and last weights of every run are kept"))
    return "\n".join(filter(None, lines))
