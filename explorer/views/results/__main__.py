"""Shows the panel alone, on a sample frame."""

from explorer.views.preview import preview
from explorer.views.results import ResultsView

if __name__ == "__main__":
    preview(ResultsView)
