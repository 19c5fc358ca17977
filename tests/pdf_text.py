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
    return "".join(bare(page.extract_text()) for page in PdfReader(BytesIO(data)).pages)


def by_poppler(data: bytes) -> str:
    if not shutil.which("pdftotext"):
        pytest.skip("pdftotext is not installed")
    done = subprocess.run(
        ["pdftotext", "-raw", "-", "-"], input=data, capture_output=True, check=True
    )
    assert not done.stderr
    return bare(done.stdout.decode())
