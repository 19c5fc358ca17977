"""Shows the plane alone: `python -m explorer.views.plane`."""

from explorer.views.plane import PlaneView
from explorer.views.preview import preview

if __name__ == "__main__":
    preview(PlaneView)
