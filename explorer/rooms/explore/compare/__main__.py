"""Shows both sides alone: `python -m explorer.rooms.explore.compare`."""

from explorer.kit.preview import preview
from explorer.rooms.explore.compare import CompareView

if __name__ == "__main__":
    preview(CompareView)
