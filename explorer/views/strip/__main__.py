"""`python -m explorer.views.strip`: the strip alone."""

from explorer.views.preview import preview
from explorer.views.strip import StripView

if __name__ == "__main__":
    preview(StripView)
