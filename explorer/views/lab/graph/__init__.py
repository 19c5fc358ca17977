"""The word graph: words in space, and the attention between them."""

from explorer.views.lab.graph.view import GraphView

__all__ = ["GraphView"]
