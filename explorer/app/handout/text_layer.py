"""PDF files whose text can be copied and searched: it is exactly what was drawn.

Qt's PDF writer looks up what each glyph means in the font's own table of characters. There a glyph
that a font feature chose (tabular digits, ligatures) has no character or a private one, and one
that serves several characters (里 and the radical ⾥, space and tab) has the first of them. So what
is drawn is drawn a second time on a device that keeps nothing but the texts, in the same order,
and the file's tables (ToUnicode) are written anew from these.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from typing import Any

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import (
    QFont,
    QPaintDevice,
    QPaintEngine,
    QPaintEngineState,
    QPainter,
    QPdfWriter,
    QTextItem,
    QTextLayout,
)

Drawn = Callable[[QPainter], None]

# What Qt writes for one text: the font, its stretch, and each glyph after where it stands.
_BLOCK = re.compile(
    rb"BT\n(?P<font>/F\d+) \S+ Tf (?P<stretch>\S+) [^\n]*Tm\n"
    rb"(?P<x>\S+) (?P<y>\S+) Td .*?ET\n",
    re.DOTALL,
)
_GLYPH = re.compile(rb"<([0-9A-Fa-f]{4})> Tj")
_NEAR = 1.0  # unit: a glyph may stand this far from where its text was asked to stand
_AT_MOST = 100  # entries of one table of a character map
_MAP_HEAD = """/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
"""
_MAP_END = """endcmap
CMapName currentdict /CMap defineresource pop
end
end
"""


def exact_pdf(settle: Callable[[QPdfWriter], None], pages: Iterable[Drawn]) -> bytes:
    """Return a PDF file of pages.

    Parameters
    ----------
    settle : callable
        Sets the size of the paper, the resolution and the title.
    pages : iterable of callable
        Each draws a page; is called twice, and draws the same both times.
    """
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    settle(writer)
    texts = _Texts(writer)
    with QPainter(writer) as painter, QPainter(texts) as listener:
        for number, page in enumerate(pages):
            if number:
                writer.newPage()
            for each in (painter, listener):
                each.save()
                each.setRenderHint(QPainter.RenderHint.Antialiasing)
                page(each)
                each.restore()
    return _with_texts(bytes(buffer.data().data()), texts.engine.runs)


@dataclass(frozen=True)
class _Run:
    """A text that was drawn in one font, and where."""

    text: str
    font: QFont
    x: float
    y: float
    width: float

    def begins(self, x: float, y: float) -> bool:
        """Return whether its first glyph may stand at a place: the right end, in Hebrew."""
        return abs(y - self.y) < _NEAR and -_NEAR < x - self.x < max(self.width - _NEAR, _NEAR)


class _Engine(QPaintEngine):
    """Keeps the texts that are drawn, and draws nothing."""

    def __init__(self) -> None:
        super().__init__(QPaintEngine.PaintEngineFeature.AllFeatures)
        self.runs: list[_Run] = []

    def begin(self, _device: QPaintDevice) -> bool:
        return True

    def end(self) -> bool:
        return True

    def type(self) -> QPaintEngine.Type:
        return QPaintEngine.Type.User

    def updateState(self, _state: QPaintEngineState) -> None: ...

    def drawPixmap(self, *_what: Any) -> None: ...

    def drawImage(self, *_what: Any) -> None: ...

    def drawPath(self, _path: Any) -> None: ...

    def drawPolygon(self, *_what: Any) -> None: ...

    def drawRects(self, *_what: Any) -> None: ...

    def drawLines(self, *_what: Any) -> None: ...

    def drawTextItem(self, at: Any, item: QTextItem) -> None:
        self.runs.append(_Run(item.text(), item.font(), at.x(), at.y(), item.width()))


class _Texts(QPaintDevice):
    """A device as large and fine as another, on which `_Engine` draws."""

    def __init__(self, like: QPdfWriter) -> None:
        super().__init__()
        self.engine = _Engine()
        metric = QPaintDevice.PaintDeviceMetric
        self._metrics = {
            metric.PdmWidth: like.width(),
            metric.PdmHeight: like.height(),
            metric.PdmWidthMM: like.widthMM(),
            metric.PdmHeightMM: like.heightMM(),
            metric.PdmDpiX: like.logicalDpiX(),
            metric.PdmDpiY: like.logicalDpiY(),
            metric.PdmPhysicalDpiX: like.physicalDpiX(),
            metric.PdmPhysicalDpiY: like.physicalDpiY(),
            metric.PdmNumColors: 2**24,
            metric.PdmDepth: like.depth(),
            metric.PdmDevicePixelRatio: 1,
            metric.PdmDevicePixelRatioScaled: int(QPaintDevice.devicePixelRatioFScale()),
        }

    def paintEngine(self) -> QPaintEngine:
        return self.engine

    def metric(self, metric: QPaintDevice.PaintDeviceMetric) -> int:
        return self._metrics.get(metric, 0)


def _glyph_texts(run: _Run) -> list[str]:
    """Return what each glyph of a text stands for, in the order in which they are drawn.

    Of several glyphs that stand for several characters together the first one has them all.
    """
    layout = QTextLayout(run.text, run.font)
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    units = run.text.encode("utf-16-le")  # Qt counts these
    found = layout.glyphRuns(-1, -1, QTextLayout.GlyphRunRetrievalFlag.RetrieveAll)
    starts = [index for glyphs in found for index in glyphs.stringIndexes()]
    ends = dict(pairwise([*sorted(set(starts)), len(units) // 2]))
    texts = []
    for index in starts:
        end = ends.pop(index, index)
        texts.append(units[2 * index : 2 * end].decode("utf-16-le", "replace"))
    return texts


def _matched(blocks: Sequence[re.Match[bytes]], runs: Sequence[_Run]) -> Iterator[list[str]]:
    """Yield for each text of a file what its glyphs stand for; nothing for one nobody knows.

    What no font has a glyph for is drawn as a frame, and is no text in the file.
    """
    at = 0
    for block in blocks:
        x, y = float(block["x"]) * float(block["stretch"]), -float(block["y"])
        count = len(_GLYPH.findall(block[0]))
        found = next((place for place in range(at, len(runs)) if runs[place].begins(x, y)), None)
        texts: list[str] = []
        if found is not None:
            texts, at = _glyph_texts(runs[found]), found + 1
        # A bold that the font lacks is drawn with each glyph twice.
        yield [*texts, *[""] * (count - len(texts))][:count]


class _Codes:
    """The codes by which a font's glyphs are called, each with the text that it stands for."""

    def __init__(self) -> None:
        self.texts: dict[int, str] = {}  # of each code
        self.glyphs: dict[int, int] = {}  # of the codes that are not the glyph's own
        self._found: dict[tuple[int, str], int] = {}

    def of(self, glyph: int, text: str, free: int) -> int:
        """Return the code of a glyph that stands for a text; `free` and above are no glyph's."""
        if (glyph, text) not in self._found:
            code = glyph
            if glyph in self.texts:
                code = free + len(self.glyphs)
                self.glyphs[code] = glyph
            self.texts[code] = text
            self._found[glyph, text] = code
        return self._found[glyph, text]

    def character_map(self) -> bytes:
        """Return the table from codes to characters (PDF 1.7, 9.10.3)."""
        lines = [
            f"<{code:04X}> <{text.encode('utf-16-be', 'replace').hex()}>\n"
            for code, text in sorted(self.texts.items())
        ]
        tables = [lines[at : at + _AT_MOST] for at in range(0, len(lines), _AT_MOST)]
        parts = [f"{len(part)} beginbfchar\n{''.join(part)}endbfchar\n" for part in tables]
        return (_MAP_HEAD + "".join(parts) + _MAP_END).encode()


def _with_texts(data: bytes, runs: Sequence[_Run]) -> bytes:
    """Return Qt's PDF file with character maps that say what was drawn.

    A glyph that stands for different texts is called by a code for each.
    """
    from pypdf import PdfReader, PdfWriter
    from pypdf.generic import ArrayObject, DecodedStreamObject, NameObject, NumberObject

    writer = PdfWriter(clone_from=PdfReader(BytesIO(data)))
    pages: list[Any] = list(writer.pages)
    fonts = {
        name.encode(): font.get_object()
        for page in pages
        for name, font in page["/Resources"].get("/Font", {}).items()
    }
    codes = {name: _Codes() for name in fonts}
    contents = [page["/Contents"].get_object() for page in pages]
    drawn = [content.get_data() for content in contents]
    blocks = [block for content in drawn for block in _BLOCK.finditer(content)]
    texts = _matched(blocks, runs)
    free: dict[bytes, int] = defaultdict(int)  # the first code that is no glyph's
    for block in blocks:
        last = max(int(glyph, 16) for glyph in _GLYPH.findall(block[0]))
        free[block["font"]] = max(free[block["font"]], last + 1)

    def coded(block: re.Match[bytes]) -> bytes:
        font, meant = block["font"], iter(next(texts))
        return _GLYPH.sub(
            lambda glyph: b"<%04X> Tj" % codes[font].of(int(glyph[1], 16), next(meant), free[font]),
            block[0],
        )

    for content, before in zip(contents, drawn, strict=True):
        content.set_data(_BLOCK.sub(coded, before))
    for name, font in fonts.items():
        font["/ToUnicode"].set_data(codes[name].character_map())
        if codes[name].glyphs:
            letters = font["/DescendantFonts"][0].get_object()
            added = list(codes[name].glyphs.values())
            table = DecodedStreamObject()
            table.set_data(
                b"".join(code.to_bytes(2, "big") for code in [*range(free[name]), *added])
            )
            letters[NameObject("/CIDToGIDMap")] = writer._add_object(table)
            if "/W" in letters:
                widths, usual = _widths(letters["/W"]), letters.get("/DW", NumberObject(1000))
                added_widths = ArrayObject(widths.get(glyph, usual) for glyph in added)
                letters["/W"].extend([NumberObject(free[name]), added_widths])
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def _widths(array: Iterable[Any]) -> dict[int, Any]:
    """Return the width of each glyph that an array of widths has (PDF 1.7, 9.7.4.3)."""
    widths: dict[int, Any] = {}
    items = iter(array)
    for first in items:
        second = next(items)
        if isinstance(second, list):
            widths |= dict(enumerate(second, first))
        else:
            widths |= dict.fromkeys(range(first, second + 1), next(items))
    return widths
