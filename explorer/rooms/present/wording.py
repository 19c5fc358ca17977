"""What a lesson's page says on a slide, as HTML."""

from __future__ import annotations

import re
from collections.abc import Callable

from explorer.kit.theme import Theme
from explorer.session.lesson import Question, Sheet, Verdict
from explorer.session.wording import LONGEST
from explorer.text import displayable, html_escaped

_LINE = 120  # % of the font's own
_ASKING = ("?", "？", "…")  # how a text ends that asks


def paragraph(html: str) -> str:
    """Return HTML as a paragraph with the space between lines that is read from afar."""
    return f'<p style="line-height:{_LINE}%; margin:0 0 4px 0">{html}</p>'


def waits(sheet: Sheet | None) -> bool:
    """Return whether a lesson's page asks for a prediction that nothing answers yet."""
    question = None if sheet is None else sheet.question
    return question is not None and (question.verdict is Verdict.OPEN or question.again)


def sheet_html(sheet: Sheet, worded: Callable[[str], str], theme: Theme) -> str:
    """Return what a lesson's page says and asks: its few words, or the questions at the end.

    worded : how a text is written as HTML
    """
    if sheet.questions and not sheet.fault:
        texts = (f"{n}. {worded(text)}" for n, text in enumerate(sheet.questions, 1))
        return "".join(map(paragraph, texts))
    said = paragraph(worded(sheet.fault or sheet.short or sheet.text))
    if sheet.question is None or sheet.fault:
        return said
    return said + "".join(map(paragraph, _asked(sheet, sheet.question, worded, theme)))


def _asked(
    sheet: Sheet, question: Question, worded: Callable[[str], str], theme: Theme
) -> list[str]:
    """Return a question's lines: its choices, the right one marked once it may be seen.

    What is asked of every number alike is asked in the lesson's own words, which name it.
    """
    lines = []
    if not sheet.short.endswith(_ASKING):
        own = _last_question(sheet.text) if question.general else ""
        lines.append(worded(own or question.text))
    if question.choices:
        choices = " · ".join(
            _choice(choice, choice == question.right, theme) for choice in question.choices
        )
        lines.append(choices)
    if question.verdict is not Verdict.OPEN:
        lines.append(f"<b>{html_escaped(displayable(question.said))}</b>")
    return lines


def _last_question(text: str) -> str:
    """Return the last sentence that asks; empty where none does."""
    sentences = re.split(r"(?<=[.!?])\s+|(?<=[。！？])", text)
    return next((each for each in reversed(sentences) if each.endswith(("?", "？"))), "")


def _choice(choice: str, right: bool, theme: Theme) -> str:
    name = html_escaped(displayable(choice, LONGEST)).replace(" ", "\u00a0")
    return f'<b style="color:{theme.palette.ok}">{name}\u00a0✓</b>' if right else name
