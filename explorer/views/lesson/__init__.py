"""The lesson: a page at a time, in the place of the left panel."""

from explorer.views.lesson.panel import LessonPanel, RunLessonPanel

__all__ = ["LessonPanel", "RunLessonPanel"]
