"""`python -m explorer.rooms.explore.strip`: the strip alone."""

from explorer.kit.preview import preview
from explorer.rooms.explore.strip import StripView

if __name__ == "__main__":
    preview(StripView)
