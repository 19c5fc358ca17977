"""Shows the laboratory of √d alone: `python -m explorer.rooms.explore.sqrt_d`."""

from explorer.kit.preview import preview
from explorer.rooms.explore.sqrt_d import SqrtDView

if __name__ == "__main__":
    preview(SqrtDView)
