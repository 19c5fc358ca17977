"""What is written on a widget, as its paint event writes it: texts, where, and what is left out."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from babel.messages.pofile import read_po
from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleInterface,
    QFont,
    QPaintDevice,
    QPaintEngine,
    QPaintEngineState,
    QPainter,
    QRegion,
    QTextItem,
    QTransform,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QFileDialog,
    QLabel,
    QListView,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QWidget,
)

from explorer.kit.code_lines import CodeLines
from explorer.kit.fold import Fold
from explorer.kit.formula import FormulaView
from explorer.kit.painted import PaintedWidget

CATALOGUE = Path(__file__).parents[1] / "resources/i18n/zh/LC_MESSAGES/explorer.po"
_METRIC = QPaintDevice.PaintDeviceMetric
_CLIP = (
    QPaintEngine.DirtyFlag.DirtyClipRegion
    | QPaintEngine.DirtyFlag.DirtyClipPath
    | QPaintEngine.DirtyFlag.DirtyClipEnabled
)
_ENGLISH = re.compile("[A-Za-z]{3}")
_HAN = "\u3400-\u9fff\uff00-\uffef"
_CHINESE, _MARK = re.compile("[\u3400-\u9fff]"), re.compile("[,:;.(]")
# A point (1, 0), a shape (B, T, d), a cell A[猫, 鱼], a mnemonic, a file dialog's kinds of files.
_POINT = re.compile(
    r"\([^()\u3400-\u9fff]*, [^()\u3400-\u9fff]*\)|\[[^\[\]]*\]|(?<! )\(&?[A-Z]\)|\(\*[^()]*\)"
)
_ENGLISH_MARK = re.compile(
    rf"[,:;](?:\s|$)|[\u3400-\u9fff][,:;?!.](?!\d)|[,:;?!][{_HAN}]|\s[，。；：、（]"
    rf"|\([^()]*[\u3400-\u9fff][^()]*\)|[{_HAN}] \("
)
_FAR = 1e6  # px: as far as one can scroll
_APART = 16  # px between places at which a tooltip is asked for
_MOST = 40  # lines of a list that are read
_SPOKEN = (
    QAccessible.Text.Name,
    QAccessible.Text.Description,
    QAccessible.Text.Value,
    QAccessible.Text.Help,
)
_ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.AccessibleDescriptionRole,
)


@dataclass(frozen=True)
class Written:
    """A text on a widget, its box in the widget's coordinates, and how it is set.

    line, transform : its box before it is moved and turned, and what moves and turns it
    """

    text: str
    box: QRectF
    font: QFont
    right_to_left: bool
    line: QRectF
    transform: QTransform


class _Writer(QPaintEngine):
    """Keeps texts, and lets everything else go."""

    def __init__(self) -> None:
        super().__init__(QPaintEngine.PaintEngineFeature.AllFeatures)
        self.written: list[Written] = []
        self._transform = QTransform()

    def begin(self, _device: QPaintDevice) -> bool:
        return True

    def end(self) -> bool:
        return True

    def type(self) -> QPaintEngine.Type:
        return QPaintEngine.Type.User

    def updateState(self, state: QPaintEngineState) -> None:
        if state.state() & QPaintEngine.DirtyFlag.DirtyTransform:
            self._transform = state.transform()

    def drawTextItem(self, at: QPointF, item: QTextItem) -> None:
        height = item.ascent() + item.descent()
        box = QRectF(at.x(), at.y() - item.ascent(), item.width(), height)
        right_to_left = bool(item.renderFlags() & QTextItem.RenderFlag.RightToLeft)
        turned = QTransform(self._transform)
        place, font = turned.mapRect(box), QFont(item.font())
        self.written.append(Written(item.text(), place, font, right_to_left, box, turned))

    def _nothing(self, *_what: object) -> None:
        """Draw nothing."""

    drawPixmap = drawImage = drawPath = drawPolygon = drawRects = drawLines = _nothing
    drawEllipse = drawPoints = drawTiledPixmap = _nothing


class Sheet(QPaintDevice):
    """As large as a widget, and written on instead of it."""

    def __init__(self, size: QSize) -> None:
        super().__init__()
        self.writer, self._size = _Writer(), size

    def paintEngine(self) -> QPaintEngine:
        return self.writer

    def metric(self, metric: QPaintDevice.PaintDeviceMetric) -> int:
        known = {_METRIC.PdmWidth: self._size.width(), _METRIC.PdmHeight: self._size.height()}
        if metric in known:
            return known[metric]
        if "Dpi" in metric.name:
            return 96
        if "Scaled" in metric.name:
            return int(QPaintDevice.devicePixelRatioFScale())
        return 32 if metric == _METRIC.PdmDepth else 1


def written_on(widget: QWidget) -> list[Written]:
    """Return the texts that a widget paints, without those of its children."""
    sheet = Sheet(widget.size())
    with QPainter(sheet) as painter:
        widget.render(painter, QPoint(0, 0), QRegion(), QWidget.RenderFlag(0))
    return [each for each in sheet.writer.written if each.text.strip()]


def parts(whole: QWidget) -> Iterator[QWidget]:
    """Yield a widget and all its visible parts, without windows of their own."""
    for widget in (whole, *whole.findChildren(QWidget)):
        # Lists of what a picture shows stand far outside of it, for screen readers alone.
        heard = isinstance(widget.parentWidget(), QListWidget) and widget.parentWidget().x() < -1000
        if widget.isVisible() and widget.window() is whole.window() and not heard:
            yield widget


def told_by(whole: QWidget) -> Iterator[str]:
    """Yield what a window says to those who do not read it: spoken names and tooltips.

    Of long lists the beginning is read, and what is painted is asked at places of a grid.
    """
    interface = QAccessible.queryAccessibleInterface(whole)
    if interface is not None:
        yield from _spoken(interface)
    for widget in parts(whole):
        yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription())
        if isinstance(widget, QAbstractItemView):
            yield from _told_by_items(widget)
        if isinstance(widget, PaintedWidget):
            seen = widget.visibleRegion().boundingRect()
            for y in range(seen.top() + 4, seen.bottom(), _APART):
                for x in range(seen.left() + 4, seen.right(), _APART):
                    yield widget.tip(QPointF(x, y))


def _spoken(interface: QAccessibleInterface) -> Iterator[str]:
    yield from map(interface.text, _SPOKEN)
    for place in range(min(interface.childCount(), _MOST)):
        child = interface.child(place)
        if child is not None and child.isValid() and not child.state().invisible:
            yield from _spoken(child)


def _told_by_items(view: QAbstractItemView) -> Iterator[str]:
    model = view.model()
    if model is None:
        return
    columns = 1 if isinstance(view, QListView) else model.columnCount()
    for row in range(min(model.rowCount(), _MOST)):
        for column in range(min(columns, _MOST)):
            index = model.index(row, column)
            yield from (str(index.data(role) or "") for role in _ROLES)


def _room(widget: QWidget) -> QRectF:
    """Return where a widget is seen, in its coordinates: all of it where one can scroll to it."""
    room = QRectF(widget.visibleRegion().boundingRect())
    part, at, along, up = widget, QPointF(0, 0), 0.0, 0.0
    whole = QRectF(-_FAR, -_FAR, 2 * _FAR, 2 * _FAR)
    while True:
        area = part.parentWidget()
        if isinstance(area, QAbstractScrollArea) and area.viewport() is part:
            along = along or _FAR * (area.horizontalScrollBar().maximum() > 0)
            up = up or _FAR * (area.verticalScrollBar().maximum() > 0)
        whole &= QRectF(part.rect()).translated(at).adjusted(-along, -up, along, up)
        if part.isWindow() or area is None:
            return whole if along or up else whole & room
        at -= QPointF(part.pos())
        part = area


def _clipped(written: Written, room: QRectF) -> bool:
    """Return whether a text goes over the edge of where its widget is seen.

    Letters do not fill the height of their line: a fifth of it may be missing at either side.
    """
    box = written.box
    air = 0.2 * box.height()
    return (
        box.left() < room.left() - 1
        or box.right() > room.right() + 1
        or box.top() < room.top() - air
        or box.bottom() > room.bottom() + air
    )


def _covered(widget: QWidget, written: Written) -> bool:
    """Return whether another label or button lies over a label's text."""
    above = widget.parentWidget()
    if not isinstance(widget, QLabel) or above is None:
        return False
    air = 0.2 * written.box.height()
    box = written.box.translated(widget.pos()).adjusted(1, air, -1, -air)
    return any(
        isinstance(other, QLabel | QToolButton | QPushButton)
        and other is not widget
        and other.isVisible()
        and QRectF(other.geometry()).intersects(box)
        and other.parentWidget() is above
        for other in above.children()
    )


class Proofreader:
    """Reads windows in one language, and keeps what cannot be read there, by place.

    Parameters
    ----------
    language : str
        "en" or "zh".

    Attributes
    ----------
    names : set of str
        Words that stand on screen in any language, and may be shortened: tokens, for example.
    sentences : set of str
        What is not the program's to say, and may have an ellipsis: a lesson's texts.
    """

    def __init__(self, language: str) -> None:
        self._language = language
        self.names: set[str] = set()
        self.sentences: set[str] = set()
        self.found: dict[str, list[str]] = {}
        self.read = 0
        with CATALOGUE.open("rb") as file:
            sentences = [each for each in read_po(file) if each.id]
        said = [each.id if language == "en" else each.string for each in sentences]
        texts = [text for each in said for text in ([each] if isinstance(each, str) else each)]
        # Sentences of the program that have an ellipsis of their own, whatever is filled in. They
        # are written in pieces where they have a mnemonic or several scripts.
        self._with_ellipsis = [
            re.compile(re.sub(r"\\\{\w*\\\}", ".*", re.escape(text.replace("&", ""))))
            for text in texts
            if "…" in text
        ]
        self._endings = [text for text in texts if text.endswith("…")]

    def look(self, place: str, window: QWidget) -> None:
        """Read a window, or a part of one, as it is now: what is written, tips, spoken names."""
        QApplication.processEvents()
        wrong: list[str] = []
        in_file_dialog = isinstance(window, QFileDialog)  # which Qt arranges
        read = {widget: written_on(widget) for widget in parts(window)}
        for widget, texts in read.items():
            kind = type(widget).__name__
            room = _room(widget) if texts else QRectF()
            self.read += len(texts)
            for written in texts:
                name = f"{kind}: {written.text}"
                if _clipped(written, room) and not in_file_dialog:
                    wrong.append(f"clipped {name}, {written.box.getRect()} in {room.getRect()}")
                if _covered(widget, written):
                    wrong.append(f"covered {name}")
                if self._elided(written.text) and not _is_summary(widget):
                    wrong.append(f"elided {name}")
                if self._untranslated(written.text) and not _is_code(widget):
                    wrong.append(f"untranslated {name}")
            if _lacks_room(widget, texts):
                wrong.append(f"clipped {kind}: {widget.text()}")
            if not (texts or widget.toolTip() or _is_summary(widget)) and _is_button(widget):
                wrong.append(f"unexplained {kind}: {widget.accessibleName()}")
            for told in (widget.toolTip(), widget.accessibleName()):
                if self._untranslated(_plain(told)) and not isinstance(widget, FormulaView):
                    wrong.append(f"untranslated tip of {kind}: {told}")
        if self._language != "en":
            wrong += self._mispunctuated(window, read)
        if wrong:
            self.found[place] = wrong

    def _mispunctuated(
        self, window: QWidget, read: Mapping[QWidget, Sequence[Written]]
    ) -> Iterator[str]:
        """Yield Chinese that has English punctuation: written, in tips, and said."""
        said = [_plain(each) for each in dict.fromkeys(told_by(window))]
        for widget, texts in read.items():
            # What a label or a button says is among what is told, before it is broken into lines.
            if not isinstance(widget, QLabel | QAbstractButton) and not _is_code(widget):
                said += _in_lines(texts)
        lines = dict.fromkeys(line for each in said for line in each.splitlines())
        yield from (f"mispunctuated {line}" for line in lines if self._has_english_marks(line))

    def _has_english_marks(self, line: str) -> bool:
        if not _CHINESE.search(line) or self._is_said(line) or "\\" in line:  # a formula's LaTeX
            return False
        line = _POINT.sub("0", line)
        for name in sorted(filter(_MARK.search, self.names), key=len, reverse=True):
            line = line.replace(name, "a")
        return _ENGLISH_MARK.search(line) is not None

    @property
    def report(self) -> str:
        """What was found, a line each."""
        return "\n".join(f"{place}: {each}" for place, all_ in self.found.items() for each in all_)

    def _elided(self, text: str) -> bool:
        return (
            "…" in text.replace("……", "")  # which is Chinese punctuation
            and not self._begins_a_name(text)
            and not any(self._is_sentence(part) for part in (text, *text.split(" · ")))
            and not any(ending.endswith(text) for ending in self._endings)
            and not self._is_said(text)
        )

    def _is_sentence(self, text: str) -> bool:
        return any(sentence.fullmatch(text) for sentence in self._with_ellipsis)

    def _is_said(self, text: str) -> bool:
        """Return whether a text is a piece of a sentence that is not the program's to say."""
        return any(text.strip() in sentence for sentence in self.sentences)

    def _untranslated(self, text: str) -> bool:
        if self._language == "en" or not _ENGLISH.search(text) or self._begins_a_name(text):
            return False
        if self._is_said(text):
            return False
        names = sorted({*self.names, *_SAME_EVERYWHERE}, key=len, reverse=True)
        rest = re.sub("|".join(map(re.escape, names)), "", text)
        return _ENGLISH.search(rest) is not None

    def _begins_a_name(self, text: str) -> bool:
        start = text.partition("…")[0].strip()
        return any(name.startswith(start) for name in self.names)


def _in_lines(texts: Sequence[Written]) -> Iterator[str]:
    """Yield what stands side by side, which is written in pieces where it has several scripts."""
    line, end = "", QRectF()
    for each in sorted(texts, key=lambda text: (round(text.box.center().y()), text.box.left())):
        beside = abs(each.box.center().y() - end.center().y()) < 2
        if line and beside and -3 < each.box.left() - end.right() < 6:
            line += each.text
        else:
            yield line
            line = each.text
        end = each.box
    yield line


def _lacks_room(widget: QWidget, texts: Sequence[Written]) -> bool:
    """Return whether a label has more lines than room for them, or a button none for its text."""
    if isinstance(widget, QLabel):
        return widget.wordWrap() and widget.height() < widget.heightForWidth(widget.width())
    if isinstance(widget, QToolButton):
        with_text = widget.toolButtonStyle() is not Qt.ToolButtonStyle.ToolButtonIconOnly
        return (with_text or widget.icon().isNull()) and bool(widget.text()) and not texts
    return isinstance(widget, QPushButton) and bool(widget.text()) and not texts


def _is_button(widget: QWidget) -> bool:
    return isinstance(widget, QToolButton | QPushButton)


def _is_code(widget: QWidget) -> bool:
    """Return whether a part shows a program, which has words of its own."""
    return isinstance(widget, CodeLines) or isinstance(widget.parentWidget(), QPlainTextEdit)


def _is_summary(widget: QWidget) -> bool:
    """Return whether a part says what is folded away: in short, and all of it in its tip."""
    above = widget.parentWidget()
    return above is not None and any(isinstance(each, Fold) for each in (above, above.parent()))


def _plain(tip: str) -> str:
    """Return a tooltip as it reads."""
    return html.unescape(re.sub("<[a-z/]+>", " ", tip))


_SAME_EVERYWHERE = (
    "softmax", "logits", "Attention Explorer", "PCA", "t-SNE", "NumPy", "PyTorch", "LaTeX", "CSV",
    "Jupyter", "JSON", "Markdown", "English", "Transformer", "Adam", "AdamW", "SGD", "ReLU", "FFN",
    "CPU", "CUDA", "MPS", "Seq2Seq", "d_model", "d_out", "nn.Linear", "linear.weight.T",
    "torch.manual_seed", "cos", "diag", "nat", "Ctrl", "Shift", "Esc", "Alt", "Tab", "Page Up",
    "Page Down", "PgUp", "PgDown", "Home", "End", "PDF", "png", "svg",
    "toml", "log", "reshape", "json", "safetensors", "txt", "npz", "npy", "pdf", "xlsx",
    "csv", "tsv", "Enter", "Del", "BERT", "GPT", "Llama", "Xavier", "nn.MultiheadAttention",
    "batch_first", "True", "transpose",
)  # fmt: skip
