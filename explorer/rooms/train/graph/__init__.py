"""The word graph: words in space, and the attention between them."""

from explorer.rooms.train.graph.view import GraphView

__all__ = ["GraphView"]
