"""What an audience sees: one idea, large."""

from explorer.views.present.lab_page import PresentLab
from explorer.views.present.page import PresentPage

__all__ = ["PresentLab", "PresentPage"]
