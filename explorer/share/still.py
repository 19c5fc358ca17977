"""A scene without a script: the plane as SVG and its tables as HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.etree import ElementTree as ET

import numpy as np

from explorer.session.frame import Frame
from explorer.session.look import Space, Stage
from explorer.session.scene import Array
from explorer.text import N_, Message, _, display_number, joined, of_example, plain_text

MOST_SHOWN = 24  # rows and columns of a table
_MOST_POINTS = 200
_ALL_NAMED = 12  # of more tokens those with a colour of their own are named in the picture
_WIDTH, _HEIGHT, _MARGIN = 720, 440, 60
_TOO_MANY = N_(
    "This page is a still picture: a scene of more than {tokens} tokens or {columns} columns is"
    " not computed in the page. Open it in Attention Explorer to change it."
)


def still(frame: Frame, limits: tuple[int, int] | None = None) -> list[ET.Element]:
    """Return what a frame shows as elements.

    limits : of tokens and columns, where the page says that it is still because of them
    """
    scene, result, head = frame.scene, frame.attention, frame.look.head
    top = ET.Element("header")
    ET.SubElement(top, "h1").text = plain_text(of_example(scene.title)) or _("Attention")
    body = ET.Element("section", {"class": "still"})
    if limits is not None:
        said = Message(_TOO_MANY, {"tokens": limits[0], "columns": limits[1]})
        ET.SubElement(body, "p").text = str(said)
    body.append(_picture(frame))
    queries, keys = scene.tokens, scene.key_tokens
    if result.heads > 1:
        ET.SubElement(body, "p").text = _("head {n}").format(n=head + 1)
    tables = [
        (Stage.A, _("attention"), result.of_head(head).weights, queries, keys),
        (Stage.O, _("output"), result.of_head(head).head_output, queries, None),
    ]
    if scene.Wo is not None:
        tables.append((Stage.Y, _("output after Wo"), result.output, queries, None))
    if scene.given:
        tables.append((Stage.Q, _("queries"), result.Q[head], queries, None))
        tables.append((Stage.K, _("keys"), result.K[head], keys, None))
        tables.append((Stage.V, _("values"), result.V[head], keys, None))
    else:
        tables.append((Stage.X, _("one row for each token"), scene.X, queries, None))
    for stage, what, values, names, columns in tables:
        if stage not in frame.look.hidden:
            _table(body, str(stage), what, values, names, columns)
    if scene.note:
        ET.SubElement(body, "p", {"class": "note"}).text = plain_text(of_example(scene.note))
    ET.SubElement(body, "p", {"class": "foot"}).text = _("Made with Attention Explorer.")
    return [top, body]


def _table(
    body: ET.Element,
    letter: str,
    what: str,
    values: Array,
    names: Sequence[str],
    columns: Sequence[str] | None,
) -> None:
    """Add a table, or as much of it as a page can hold."""
    box = ET.SubElement(body, "div", {"class": "scroll"})
    table = ET.SubElement(box, "table")
    caption = ET.SubElement(table, "caption")
    ET.SubElement(caption, "b").text = letter
    rows, width = values.shape
    shown = [min(count, MOST_SHOWN) for count in values.shape]
    said = [what]
    if rows > MOST_SHOWN or width > MOST_SHOWN:
        part = _("the first {rows} × {columns} of {all_rows} × {all_columns}").format(
            rows=shown[0], columns=shown[1], all_rows=rows, all_columns=width
        )
        said.append(part)
    caption[0].tail = f" {joined(said)}"
    if columns is not None:
        line = ET.SubElement(table, "tr")
        ET.SubElement(line, "td")
        for name in columns[:MOST_SHOWN]:
            ET.SubElement(line, "th", scope="col").text = plain_text(name)
    for name, numbers in zip(names[: shown[0]], values.tolist(), strict=False):
        line = ET.SubElement(table, "tr")
        ET.SubElement(line, "th", scope="row").text = plain_text(name)
        for value in numbers[: shown[1]]:
            ET.SubElement(line, "td").text = display_number(value, 3)


def _picture(frame: Frame) -> ET.Element:
    """Return the plane: the tokens where they stand, and what the selected one attends to."""
    svg = ET.Element(
        "svg", viewBox=f"0 0 {_WIDTH} {_HEIGHT}", width=str(_WIDTH), height=str(_HEIGHT), role="img"
    )
    ET.SubElement(svg, "title").text = _("Plane of the tokens")
    scene = frame.scene
    queries = frame.points(Space.Q if scene.given else Space.X)
    keys = queries if scene.context is None else scene.context.X
    crossed = scene.context is not None and keys.shape[1] == queries.shape[1]
    rows = np.concatenate([queries, keys]) if crossed else queries
    projected = _flat(rows)[:_MOST_POINTS]
    low = np.minimum(projected.min(axis=0), 0.0)
    high = np.maximum(projected.max(axis=0), 0.0)
    size = np.array([_WIDTH, _HEIGHT]) - 2 * _MARGIN
    scale = float(min(size / np.maximum(high - low, 1e-6)))
    middle = (low + high) / 2
    at = (projected - middle) * [scale, -scale] + [_WIDTH / 2, _HEIGHT / 2]
    x, y = -middle * [scale, -scale] + [_WIDTH / 2, _HEIGHT / 2]
    _line(svg, "axis", (0, y), (_WIDTH, y))
    _line(svg, "axis", (x, 0), (x, _HEIGHT))
    count = len(queries)
    for query, key, weight in _edges(frame) if crossed or scene.context is None else ():
        target = key + count if crossed else key
        if max(query, target) < len(at) and query != target:
            edge = ET.SubElement(svg, "g", {"class": f"edge {_colour(frame, query)}"})
            line = _line(edge, "line", at[query], at[target])
            line.set("stroke-width", f"{1 + 12 * weight:.1f}")
    names = [*scene.tokens, *(scene.key_tokens if crossed else ())]
    for place, (px, py) in enumerate(at.tolist()):
        group = ET.SubElement(svg, "g", {"class": _colour(frame, place)})
        shape = {"class": "mark", "cx": f"{px:.1f}", "cy": f"{py:.1f}", "r": "9"}
        ET.SubElement(group, "circle", shape)
        if len(at) <= _ALL_NAMED or _colour(frame, place) != "tn":
            words = {"class": "name", "x": f"{px + 13:.1f}", "y": f"{py - 9:.1f}"}
            ET.SubElement(group, "text", words).text = plain_text(names[place])
    return svg


def _flat(rows: Array) -> Array:
    """Return the points of rows of any width on the plane, (N, 2)."""
    from explorer.attention import fit_projection

    return fit_projection(rows).project(rows)


def _edges(frame: Frame) -> Iterator[tuple[int, int, float]]:
    """Yield the selected query's keys with their weights."""
    chosen = frame.selection
    if chosen is None or chosen.query is None or chosen.in_weights or Stage.A in frame.look.hidden:
        return
    weights = frame.attention.of_head(frame.look.head).weights[chosen.query]
    for key, weight in enumerate(weights.tolist()):
        if weight > 0.0:
            yield chosen.query, key, min(weight, 1.0)


def _colour(frame: Frame, place: int) -> str:
    slot = frame.slots[place] if place < len(frame.slots) else -1
    return f"t{slot}" if slot >= 0 else "tn"


def _line(
    parent: ET.Element, kind: str, start: Sequence[float], end: Sequence[float]
) -> ET.Element:
    place = {"x1": start[0], "y1": start[1], "x2": end[0], "y2": end[1]}
    numbers = {name: f"{value:.1f}" for name, value in place.items()}
    return ET.SubElement(parent, "line", {"class": kind, **numbers})
