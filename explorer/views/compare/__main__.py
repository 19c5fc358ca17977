"""Shows both sides alone: `python -m explorer.views.compare`."""

from explorer.views.compare import CompareView
from explorer.views.preview import preview

if __name__ == "__main__":
    preview(CompareView)
