"""Every question the window asks, as a protocol and as Qt's dialogs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from PySide6.QtCore import QDateTime, QLocale, QSettings, QStandardPaths, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QListView,
    QListWidget,
    QMessageBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from explorer.app.pictures import PICTURES
from explorer.app.progress import progress
from explorer.app.recovery import Abandoned
from explorer.app.settings import config_folder, sweeps_folder
from explorer.exporters import Exporter
from explorer.exporters.moving import MOVING
from explorer.importers import IMPORTERS
from explorer.kit.layouts import put
from explorer.text import Problem, _, displayable, full_number, ngettext
from explorer.text.numbers import MINUS

if TYPE_CHECKING:
    from explorer.traces import AbandonedRun

_NAME_LIMIT = 60  # characters of a title, a file's name or a typed text that a question repeats
_ROWS_SEEN = 8
_DOCUMENTS = QStandardPaths.StandardLocation.DocumentsLocation


class Dialogs(Protocol):
    """What is asked and told. Each question waits for its answer."""

    def ask_open(self, folder: Path) -> Path | None:
        """Return the file to open; None to leave it."""

    def ask_save(self, folder: Path, name: str) -> Path | None:
        """Return the file to save in, which may be replaced; None to leave it."""

    def ask_unsaved(self, title: str) -> Literal["save", "discard", "cancel"]:
        """Return what becomes of unsaved changes."""

    def ask_revert(self, title: str) -> bool:
        """Return whether unsaved changes go, back to the scene as it was saved."""

    def ask_overwrite_changed(self, path: Path) -> bool:
        """Return whether a file that another program changed may be replaced."""

    def ask_recover(
        self, abandoned: Sequence[Abandoned]
    ) -> Abandoned | Literal["later", "discard"]:
        """Return the one to recover, or whether all are kept for later or removed."""

    def ask_reading(self, text: str, readings: tuple[float, ...]) -> float | None:
        """Return which of the numbers a typed text means; None for none."""

    def ask_columns(self, line: str) -> int | None:
        """Return whether a pasted line such as 1,2 is one number or two; None for neither."""

    def wait_for(self, text: str, done: Callable[[], bool]) -> bool:
        """Wait until `done` says so; return False where Cancel was pressed before.

        text : what is being done
        """

    def tell(self, problem: Problem) -> None:
        """Say what went wrong, without waiting."""


class QtDialogs:
    """The questions as Qt's dialogs.

    Parameters
    ----------
    over : callable
        Returns the page that the dialogs belong to, None where there is none yet.
    tell : callable
        Shows a problem in the window.
    """

    def __init__(self, over: Callable[[], QWidget | None], tell: Callable[[Problem], None]) -> None:
        self._over = over
        self._tell = tell
        # Where Qt's own file dialog is used, it remembers its size in a file of its own.
        QSettings.setPath(
            QSettings.Format.NativeFormat, QSettings.Scope.UserScope, str(config_folder())
        )

    def ask_open(self, folder: Path) -> Path | None:
        """Return the file to open; None to leave it."""
        suffixes = dict.fromkeys(suffix for each in IMPORTERS for suffix in each.suffixes)
        everything = "".join(f" *{suffix}" for suffix in suffixes)
        files = _("All supported files") + f" ({everything.strip()})"
        dialog = self._file_dialog(_("Open a file, or the number of a worksheet"), folder)
        dialog.setNameFilters([files, _("All files") + " (*)"])
        # What is typed need not be a file; of one that is not there is said what it lacks.
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        return _chosen(dialog)

    def ask_save(self, folder: Path, name: str) -> Path | None:
        """Return the file to save in, which may be replaced; None to leave it."""
        files = _("Scenes") + " (*.json)", _("All files") + " (*)"
        return self._ask_saved(_("Save the scene"), folder, files, ".json", name)

    def ask_lessons(self, folder: Path) -> Path | None:
        """Return the folder whose lessons are to be offered; None to leave it."""
        return self._ask_folder(_("Folder of lessons"), folder, QFileDialog.Option.ShowDirsOnly)

    def ask_model(self, folder: Path) -> Path | None:
        """Return the model folder to open; None to leave it."""
        return self._ask_folder(_("Folder of a model"), folder)

    def ask_sweep(self) -> Path | None:
        """Return the folder of the sweep to open; None to leave it."""
        return self._ask_folder(_("Folder of a sweep"), sweeps_folder())

    def ask_sweep_copy(self, name: str) -> Path | None:
        """Return the folder to save a whole sweep in, new or empty; None to leave it."""
        dialog = self._file_dialog(_("Save the whole sweep in a folder"), own_folder())
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)
        dialog.selectFile(name)
        return _chosen(dialog)

    def ask_table(self, name: str) -> Path | None:
        """Return the file to save a table in, which may be replaced; None to leave it."""
        return self._ask_document(_("Save the table"), "CSV (*.csv)", name, ".csv")

    def ask_handout(self, name: str) -> Path | None:
        """Return the file to save a handout in, which may be replaced; None to leave it."""
        return self._ask_document(_("Save the handout"), _("Handouts") + " (*.pdf)", name)

    def ask_worksheets(self, name: str) -> Path | None:
        """Return the file to save worksheets in, which may be replaced; None to leave it."""
        return self._ask_document(
            _("Save the worksheets"), _("Worksheets") + " (*.pdf *.xlsx)", name
        )

    def ask_page(self, name: str) -> Path | None:
        """Return the file to save a shared page in, which may be replaced; None to leave it."""
        return self._ask_document(_("Share as a page"), _("Pages") + " (*.html)", name, ".html")

    def ask_figure(self, title: str, view: str) -> Path | None:
        """Return the file to save a figure in, which may be replaced; None to leave it."""
        files = _("Figures") + " (*.pdf *.svg *.png)"
        return self._ask_document(
            _("Save a figure"), files, f"{file_stem(title) or 'attention'}-{view}"
        )

    def ask_moving(self, title: str, suffix: str) -> Path | None:
        """Return the file to save a picture that moves in; None to leave it."""
        files = _("Moving pictures") + f" ({' '.join(f'*{each}' for each in MOVING)})"
        name = file_stem(title) or "attention"
        return self._ask_document(_("Save a moving picture"), files, name, suffix)

    def ask_export(self, title: str, exporter: Exporter) -> Path | None:
        """Return the file to save a scene's text in, which may be replaced; None to leave it."""
        files = f"{_(exporter.title)} (*{exporter.suffix})"
        name = file_stem(title) or exporter.key
        return self._ask_document(_("Save the text"), files, name, exporter.suffix)

    def ask_numbers(self, title: str, view: str) -> Path | None:
        """Return the file to save a plot's numbers in, which may be replaced; None to leave it."""
        name = f"{file_stem(title) or view}-{view}"
        return self._ask_document(_("Save numbers as CSV…"), "CSV (*.csv)", name, ".csv")

    def _ask_document(self, title: str, files: str, name: str, suffix: str = ".pdf") -> Path | None:
        return self._ask_saved(title, own_folder(), [files], suffix, f"{name}{suffix}")

    def ask_picture(self, title: str, view: str) -> Path | None:
        """Return the file to save a picture in; None to leave it."""
        folder = own_folder(QStandardPaths.StandardLocation.PicturesLocation)
        files = _("Pictures") + f" ({' '.join(f'*{suffix}' for suffix in PICTURES)})"
        name = f"{file_stem(title) or view}-{view}.png"
        return self._ask_saved(_("Save a picture"), folder, [files], ".png", name)

    def ask_unsaved(self, title: str) -> Literal["save", "discard", "cancel"]:
        """Return what becomes of unsaved changes."""
        question = _("Save the changes to “{title}”?").format(title=_short(title))
        box = self._box(question)
        save = QPushButton(_("&Save"))
        save.setProperty("kind", "primary")
        box.addButton(save, QMessageBox.ButtonRole.AcceptRole)
        discard = box.addButton(_("&Discard"), QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(_("&Cancel"), QMessageBox.ButtonRole.RejectRole)
        clicked = _clicked(box)
        if clicked is save:
            return "save"
        return "discard" if clicked is discard else "cancel"

    def ask_revert(self, title: str) -> bool:
        """Return whether unsaved changes go, back to the scene as it was saved."""
        question = _(
            "Go back to “{title}” as it was saved or opened? Undo brings the changes back."
        )
        return self._confirmed(question.format(title=_short(title)), _("&Go back"))

    def ask_overwrite_changed(self, path: Path) -> bool:
        """Return whether a file that another program changed may be replaced."""
        question = _(
            "“{file}” has been changed by another program since it was opened. Replace it?"
        )
        return self._confirmed(question.format(file=_short(path.name)), _("&Replace"))

    def ask_recover(
        self, abandoned: Sequence[Abandoned]
    ) -> Abandoned | Literal["later", "discard"]:
        """Return the one to recover, or whether all are kept for later or removed."""
        answer = self._recovered([_described(each) for each in abandoned])
        return abandoned[answer] if isinstance(answer, int) else answer

    def ask_recover_run(
        self, abandoned: Sequence[AbandonedRun]
    ) -> AbandonedRun | Literal["later", "discard"]:
        """Return the run to recover, or whether all are kept for later or removed."""
        answer = self._recovered([run_description(each) for each in abandoned])
        return abandoned[answer] if isinstance(answer, int) else answer

    def ask_running(self) -> Literal["save", "keep", "discard", "cancel"]:
        """Return what becomes of a run that is going on as the window closes."""
        box = self._box(_("A run is in progress. What should happen to what it has recorded?"))
        roles = QMessageBox.ButtonRole
        answers: dict[QAbstractButton, Literal["save", "keep", "discard"]] = {
            box.addButton(_("&Save…"), roles.AcceptRole): "save",
            box.addButton(_("&Keep for next time"), roles.AcceptRole): "keep",
            box.addButton(_("&Discard"), roles.DestructiveRole): "discard",
        }
        box.addButton(_("&Cancel"), roles.RejectRole)
        clicked = _clicked(box)
        return "cancel" if clicked is None else answers.get(clicked, "cancel")

    def ask_large(self, size: str) -> bool:
        """Return whether a run that records so much may begin."""
        question = _("This run would record {size}. A larger Watch Every records less.")
        return self._confirmed(question.format(size=size), _("&Train anyway"))

    def ask_save_trace(self, folder: Path, name: str) -> Path | None:
        """Return the file to save a run in, which may be replaced; None to leave it."""
        files = [_("Runs") + " (*.safetensors)"]
        return self._ask_saved(_("Save the run"), folder, files, ".safetensors", name)

    def ask_corpus(self) -> Path | None:
        """Return the file to take sentences from; None to leave it."""
        dialog = self._file_dialog(_("Open sentences"), Path.home())
        dialog.setNameFilters([_("Texts and tables") + " (*.txt *.csv)", _("All files") + " (*)"])
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        return _chosen(dialog)

    def ask_reading(self, text: str, readings: tuple[float, ...]) -> float | None:
        """Return which of the numbers a typed text means; None for none."""
        numbers = [full_number(value).removesuffix(".0") for value in readings]
        question = ngettext(
            "“{text}”: did you mean {numbers}?",
            "“{text}” can be read as {numbers}. Which did you mean?",
            len(numbers),
        ).format(text=_short(text), numbers=_(" or ").join(numbers))
        meant = self._ask_which(question, numbers)
        return None if meant is None else readings[meant]

    def ask_columns(self, line: str) -> int | None:
        """Return whether a pasted line such as 1,2 is one number or two; None for neither."""
        first, second = line.replace("-", MINUS).split(",")
        one = _("One: {number}").format(number=f"{first}.{second}")
        two = _("Two: {first} and {second}").format(first=first, second=second)
        question = _("Is “{text}” one number or two?").format(text=_short(line))
        meant = self._ask_which(question, [two, one])
        return None if meant is None else 2 - meant

    def _ask_which(self, question: str, answers: Sequence[str]) -> int | None:
        """Return the place of the answer that was chosen; None for none of them."""
        box = self._box(question)
        buttons = [box.addButton(each, QMessageBox.ButtonRole.AcceptRole) for each in answers]
        box.addButton(_("&None of these"), QMessageBox.ButtonRole.RejectRole)
        clicked = _clicked(box)
        return next((place for place, each in enumerate(buttons) if each is clicked), None)

    def wait_for(self, text: str, done: Callable[[], bool]) -> bool:
        """Wait while the window goes on; return False where Cancel was pressed before."""
        with progress(text, self._over()) as told:
            while not done():
                told(None)
            return True
        return False

    def tell(self, problem: Problem) -> None:
        """Say what went wrong, without waiting."""
        self._tell(problem)

    def _recovered(self, descriptions: Sequence[str]) -> int | Literal["later", "discard"]:
        dialog = _RecoverDialog(descriptions, self._over())
        _ask(dialog)
        return dialog.answer

    def _ask_saved(
        self, title: str, folder: Path, files: Sequence[str], suffix: str, name: str
    ) -> Path | None:
        dialog = self._file_dialog(title, folder)
        dialog.setNameFilters(files)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        # Added by the dialog to a name without a dot, so that its own question is about that file.
        dialog.setDefaultSuffix(suffix.removeprefix("."))
        dialog.selectFile(name)
        kinds: list[str] = []
        dialog.accepted.connect(lambda: kinds.append(dialog.selectedNameFilter()))
        path = _chosen(dialog)
        wanted = tuple(re.findall(r"\*(\.\w+)", "".join(kinds)))  # empty for all files
        if path is None or not wanted or path.name.lower().endswith(wanted):
            return path
        path = path.with_name(path.name + suffix)  # the dialog takes 2.5 for a whole name
        question = _("“{file}” exists already. Replace it?").format(file=_short(path.name))
        if not path.exists() or self._confirmed(question, _("&Replace")):
            return path
        return self._ask_saved(title, path.parent, files, suffix, path.name)

    def _ask_folder(self, title: str, folder: Path, *options: QFileDialog.Option) -> Path | None:
        dialog = self._file_dialog(title, folder)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        for option in options:
            dialog.setOption(option)
        return _chosen(dialog)

    def _file_dialog(self, title: str, folder: Path) -> QFileDialog:
        dialog = QFileDialog(self._over(), title, str(folder))
        places = dialog.findChild(QListView, "sidebar")
        if places is not None:  # Qt's own dialog keeps the width that another language needed
            places.setMinimumWidth(places.sizeHintForColumn(0) + 2 * places.frameWidth())
        return dialog

    def _box(self, question: str) -> QMessageBox:
        box = QMessageBox(self._over())
        box.setWindowTitle(_("Attention Explorer"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(question)
        return box

    def _confirmed(self, question: str, yes: str) -> bool:
        box = self._box(question)
        agreed = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton(_("&Cancel"), QMessageBox.ButtonRole.RejectRole))
        return _clicked(box) is agreed


class _RecoverDialog(QDialog):
    """Lists what dead windows left; closing it means later."""

    def __init__(self, descriptions: Sequence[str], parent: QWidget | None) -> None:
        super().__init__(parent)
        self.answer: int | Literal["later", "discard"] = "later"
        self._count = len(descriptions)
        self.setWindowTitle(_("Attention Explorer"))
        several = self._count > 1
        label = QLabel(
            _("The program ended before these changes were saved. Which do you want back?")
            if several
            else _("The program ended before these changes were saved. Do you want them back?")
        )
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        self._list = QListWidget()
        self._list.setAccessibleName(_("Unsaved changes"))
        self._list.addItems(list(descriptions))
        self._list.setCurrentRow(0)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.itemDoubleClicked.connect(self._recover)
        buttons = QDialogButtonBox()
        roles = QDialogButtonBox.ButtonRole
        recover = buttons.addButton(_("&Recover"), roles.AcceptRole)
        recover.clicked.connect(self._recover)
        recover.setDefault(True)
        recover.setProperty("kind", "primary")
        discard = _("&Discard all") if several else _("&Discard them")
        buttons.addButton(discard, roles.DestructiveRole).clicked.connect(self._discard)
        buttons.addButton(_("&Later"), roles.RejectRole).clicked.connect(self.reject)
        layout = QVBoxLayout(self)
        put(layout, label, self._list, buttons)
        self._fit_list()

    def _fit_list(self) -> None:
        """Make the list as high as its rows, up to a point, and as wide as the widest."""
        self._list.ensurePolished()
        frame = 2 * self._list.frameWidth()
        heights = [self._list.sizeHintForRow(row) for row in range(self._count)]
        self._list.setFixedHeight(sum(heights[:_ROWS_SEEN]) + frame)
        scroll_bar = self._list.verticalScrollBar().sizeHint().width()
        self._list.setMinimumWidth(self._list.sizeHintForColumn(0) + frame + scroll_bar)

    def _recover(self) -> None:
        self.answer = self._list.currentRow()
        self.accept()

    def _discard(self) -> None:
        self.answer = "discard"
        self.accept()


def run_description(run: AbandonedRun) -> str:
    """Return one line on a recorded run: its first sentence, how many, and when it was written."""
    sentences = run.run.corpus
    parts = [_when(run.time)]
    if sentences:
        count = ngettext("{n} sentence", "{n} sentences", len(sentences)).format(n=len(sentences))
        parts = [_short(sentences[0]), count, *parts]
    return " · ".join(parts)


def _when(seconds: float) -> str:
    moment = QDateTime.fromSecsSinceEpoch(int(seconds))
    return QLocale().toString(moment, QLocale.FormatType.ShortFormat)


def _described(abandoned: Abandoned) -> str:
    """Return one line: title, time, and the file's folder where there is a file."""
    parts = [_short(abandoned.title), _when(abandoned.time)]
    if abandoned.path is not None:
        parts.append(_short(str(abandoned.path.parent)))
    return " · ".join(parts)


def file_stem(title: str) -> str:
    """Return a title as the beginning of a file's name; empty where nothing of it can be one."""
    return re.sub(r"\W+", "-", title).strip("-")[:60]


def _short(text: str) -> str:
    return displayable(text, _NAME_LIMIT)


def own_folder(kind: QStandardPaths.StandardLocation = _DOCUMENTS) -> Path:
    """Return this person's folder of such files; their home where there is none."""
    named = QStandardPaths.writableLocation(kind)
    return Path(named) if named and Path(named).is_dir() else Path.home()


def _chosen(dialog: QFileDialog) -> Path | None:
    """Return the file that was chosen; None where the dialog was left, or went with its window."""
    files: list[str] = []
    dialog.accepted.connect(lambda: files.extend(dialog.selectedFiles()))
    _ask(dialog)
    return Path(files[0]) if files else None


def _clicked(box: QMessageBox) -> QAbstractButton | None:
    """Return the button that closed the box; None or the rejecting one where it was left."""
    clicked: list[QAbstractButton] = []
    box.finished.connect(lambda: clicked.append(box.clickedButton()))
    _ask(box)
    return clicked[0] if clicked else None


def _ask(dialog: QDialog) -> None:
    """Open a dialog until it is closed. It is gone then: nothing of it may be asked afterwards."""
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.exec()
