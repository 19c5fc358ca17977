"""Shows the laboratory of √d alone: `python -m explorer.views.sqrt_d`."""

from explorer.views.preview import preview
from explorer.views.sqrt_d import SqrtDView

if __name__ == "__main__":
    preview(SqrtDView)
