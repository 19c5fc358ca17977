"""One HTML file: style, script and data in it, and a policy that lets nothing else be loaded."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from xml.etree import ElementTree as ET

from explorer.resources import resource
from explorer.share.words import WORDS
from explorer.text import in_language, language, languages, plain_text
from explorer.text.messages import EXAMPLE

MOST_BYTES = 120_000  # of a scene's page


def page(
    title: str,
    still: Iterable[ET.Element],
    data: Mapping[str, Any] | None = None,
    scripts: Sequence[str] = (),
    start: str = "",
    examples: Iterable[str] = (),
) -> bytes:
    """Return a page as the bytes of its file.

    Parameters
    ----------
    title : str
        Untrusted, like all texts: it stands in the page as text alone.
    still : elements
        What is seen where no script runs; the script puts the page in its place.
    data : mapping, optional
        What the script reads as `data`; without it the page has no script.
    scripts : sequence of str
        Files of `resources/share`, in order, after `common.js`.
    start : str
        The script's function that begins.
    examples : iterable of str
        Texts of a scene that are translated where it is an example.
    """
    style = _file("style.css").replace("/*dark*/", _file("dark.css"))
    script = ""
    if data is not None:
        parts = "\n".join(_file(name) for name in ("common.js", *scripts))
        script = f"(() => {{\n'use strict';\n{parts}\n{start}();\n}})();\n"
    html = ET.Element("html", lang=language())
    head = ET.SubElement(html, "head")
    ET.SubElement(head, "meta", charset="utf-8")
    ET.SubElement(
        head, "meta", {"http-equiv": "Content-Security-Policy", "content": _policy(style, script)}
    )
    ET.SubElement(head, "meta", name="viewport", content="width=device-width, initial-scale=1")
    # Without a picture of its own a browser would ask the server for one.
    ET.SubElement(head, "link", rel="icon", href="data:,")
    ET.SubElement(head, "title").text = plain_text(title) or "Attention Explorer"
    ET.SubElement(head, "style").text = style
    body = ET.SubElement(html, "body")
    main = ET.SubElement(body, "main", id="page")
    main.extend(still)
    if data is not None:
        told = {**_languages(examples), **data, "title": plain_text(title)}
        text = json.dumps(told, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        held = ET.SubElement(body, "script", id="data", type="application/json")
        # Nothing in it can end the element or open another.
        held.text = text.replace("<", "\\u003c")
        ET.SubElement(body, "script").text = script
    return b"<!DOCTYPE html>\n" + ET.tostring(html, "utf-8", method="html") + b"\n"


def _policy(style: str, script: str) -> str:
    """Return the policy that allows this very style and script and nothing else."""
    allowed = {"style": style} | ({"script": script} if script else {})
    hashes = (
        f"{name}-src 'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
        for name, text in allowed.items()
    )
    rest = "img-src data:", "base-uri 'none'", "form-action 'none'"
    return "; ".join(("default-src 'none'", *hashes, *rest))


def _languages(examples: Iterable[str]) -> dict[str, Any]:
    """Return every word of the pages in all languages, and the languages' names."""
    named = languages()
    words = {
        code: {
            **{word: in_language(code, word) for word in WORDS},
            **{text: in_language(code, text, EXAMPLE) for text in examples if text},
        }
        for code in named
    }
    return {"language": language(), "names": named, "words": words}


def _file(name: str) -> str:
    return resource("share", name).read_text("utf-8")
