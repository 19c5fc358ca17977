"""Shows the word graph alone: `python -m explorer.rooms.train.graph`."""

from explorer.rooms.train.graph import GraphView
from explorer.rooms.train.preview import preview

if __name__ == "__main__":
    preview(GraphView)
