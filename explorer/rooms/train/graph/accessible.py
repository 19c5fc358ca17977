"""The graph in words: what it shows in a sentence, and a name for each of its words."""

from __future__ import annotations

from explorer.rooms.train.graph.graph_edges import Kind
from explorer.rooms.train.graph.setting import Content
from explorer.session.train import TrainFrame
from explorer.text import _, display_number, displayable, ngettext


def summary(content: Content) -> str:
    """Return in a few sentences what the graph shows."""
    frame, ties = content.frame, content.ties.ties
    words = len(frame.vocabulary)
    head = frame.cursor.head
    drawn = [_tie(frame, tie.query, tie.key, tie.weight) for tie in ties if tie.kind is Kind.BOLD]
    said = [
        _("Epoch {epoch}, {words}").format(
            epoch=frame.epoch, words=displayable(" ".join(frame.words))
        ),
        ngettext("{count} word", "{count} words", words).format(count=words),
        _("average over heads") if head is None else _("head {head}").format(head=head + 1),
        _("edges from {least}").format(least=display_number(frame.look.threshold, 2)),
    ]
    text = ", ".join(said) + "."
    if drawn:
        text += " " + _("Edges: {edges}.").format(edges=", ".join(drawn))
    for tie in ties:
        if tie.kind is Kind.PREDICTED:
            text += " " + _("Next word: {word} {value}.").format(
                word=displayable(frame.vocabulary[tie.key]), value=display_number(tie.weight, 2)
            )
    return text


def word_names(content: Content) -> list[str]:
    """Return a name for every word, with the edges that leave it."""
    frame = content.frame
    leaving: dict[int, list[str]] = {}
    for tie in reversed(content.ties.ties):
        if tie.kind is not Kind.PREDICTED:
            text = f"{displayable(frame.vocabulary[tie.key])} {display_number(tie.weight, 2)}"
            leaving.setdefault(tie.query, []).append(text)
    names = []
    for number, name in enumerate(frame.vocabulary):
        text = displayable(name)
        if number in leaving:
            text = _("{word}, edges to {others}").format(
                word=text, others=", ".join(leaving[number])
            )
        if number == frame.word:
            text = _("{word}, selected").format(word=text)
        names.append(text)
    return names


def _tie(frame: TrainFrame, query: int, key: int, weight: float) -> str:
    return _("{query} to {key} {value}").format(
        query=displayable(frame.vocabulary[query]),
        key=displayable(frame.vocabulary[key]),
        value=display_number(weight, 2),
    )
