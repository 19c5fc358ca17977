"""Shows the plane alone: `python -m explorer.rooms.explore.plane`."""

from explorer.kit.preview import preview
from explorer.rooms.explore.plane import PlaneView

if __name__ == "__main__":
    preview(PlaneView)
