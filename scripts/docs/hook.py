"""Fits the pages, written to be read in the repository, into the site of `make docs`.

README is the site's first page, and pictures come from resources/pictures; neither is kept twice.
Links out of the pages' folder are led to where their target stands in the site.
"""

from __future__ import annotations

import re
from pathlib import Path

import jieba
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "resources" / "pictures"
WORKER = Path(__file__).with_name("iframe-worker.js")
jieba.setLogLevel("WARNING")  # it tells how long its dictionary took


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add README, the pictures, and what search needs where there is no server."""
    chinese = config.theme["language"] == "zh"
    readme = ROOT / ("README.zh.md" if chinese else "README.md")
    text = readme.read_text("utf-8").replace(f"](docs/{'zh/' if chinese else ''}", "](")
    files.append(File.generated(config, "index.md", content=text))
    files.append(File.generated(config, "LICENSE.txt", abs_src_path=str(ROOT / "LICENSE")))
    files.append(File.generated(config, WORKER.name, abs_src_path=str(WORKER)))
    for path in PICTURES.rglob("*.png"):
        uri = f"pictures/{path.relative_to(PICTURES).as_posix()}"
        files.append(File.generated(config, uri, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Return a page with its links as the site has them.

    The link to the same page in the other language is left out: the site has a menu for it.
    """
    markdown = re.sub(
        r"^(English · \[简体中文\]|\[English\]).*\n", "", markdown, count=1, flags=re.M
    )
    markdown = re.sub(r"\]\((?:\.\./)*resources/pictures/", "](pictures/", markdown)
    return markdown.replace("](LICENSE)", "](LICENSE.txt)")
