"""The text of PDF files, read by two programs that know nothing of each other."""

from __future__ import annotations

import shutil
import subprocess
from io import BytesIO

import pytest
from pypdf import PdfReader


def bare(text: str) -> str:
    return "".join(text.split())


def by_pypdf(data: bytes) -> str:
    """Return all the text of a file, bare; a page takes a third of a second."""
    return "".join(bare(page.extract_text()) for page in PdfReader(BytesIO(data)).pages)


def by_poppler(data: bytes) -> str:
    """Return all the text of a file, bare."""
    return "".join(pages_of(data))


def pages_of(data: bytes) -> list[str]:
    """Return the text of each page of a file, bare, as Poppler reads it."""
    if not shutil.which("pdftotext"):
        pytest.skip("pdftotext is not installed")
    done = subprocess.run(
        ["pdftotext", "-raw", "-", "-"], input=data, capture_output=True, check=True
    )
    assert not done.stderr
    *pages, _end = done.stdout.decode().split("\f")
    return list(map(bare, pages))
