"""Shows the word graph alone: `python -m explorer.views.lab.graph`."""

from explorer.views.lab.graph import GraphView
from explorer.views.lab.preview import preview

if __name__ == "__main__":
    preview(GraphView)
