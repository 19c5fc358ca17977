"""The lesson: a page at a time, in place of the left panel."""

from explorer.rooms.lesson.panel import LessonPanel, ModelLessonPanel, RunLessonPanel

__all__ = ["LessonPanel", "ModelLessonPanel", "RunLessonPanel"]
