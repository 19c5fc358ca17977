"""Shows the panel alone, on a sample frame."""

from explorer.kit.preview import preview
from explorer.rooms.explore.results import ResultsView

if __name__ == "__main__":
    preview(ResultsView)
