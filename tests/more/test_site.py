"""The site of `make docs`: strict about dead links, searchable, and read without a network."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.project.pages.told import CHINESE, ENGLISH, ROOT

READ = ("mkdocs.yml", "mkdocs.zh.yml", "README.md", "README.zh.md", "LICENSE")
FOLDERS = ("docs", "scripts", "resources/pictures")


def build(checkout: Path, site: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "scripts/docs/build.sh", str(site), sys.executable, "-m", "mkdocs"],
        cwd=checkout,
        capture_output=True,
        text=True,
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documentation") / "a site"
    done = build(ROOT, folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


class Links(HTMLParser):
    """What a page loads by itself, and what it leads to."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.led_to: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self.loaded += [told[name] or "" for name in ("src", "srcset", "data") if name in told]
        if "href" in told:
            (self.led_to if tag == "a" else self.loaded).append(told["href"] or "")
        self.anchors |= {told["id"] or ""} if "id" in told else set()


def pages(site: Path) -> Iterator[tuple[Path, Links]]:
    for path in site.rglob("*.html"):
        if path.name != "404.html":  # only a server shows it
            links = Links()
            links.feed(path.read_text("utf-8"))
            yield path, links


def test_every_page_is_there(site: Path) -> None:
    names = {"index.html" if name == "README" else f"{name}.html" for name in ENGLISH}
    there = {path.relative_to(site).as_posix() for path, _links in pages(site)}
    assert there == names | {f"zh/{name}" for name in names}


def test_nothing_is_loaded_from_a_network(site: Path) -> None:
    for path, links in pages(site):
        assert any(name.endswith(".js") for name in links.loaded)
        for name in links.loaded:
            assert not urlsplit(name).scheme, (path, name)
            assert not name.startswith("/"), (path, name)
            assert (path.parent / unquote(urlsplit(name).path)).is_file(), (path, name)
    for sheet in site.rglob("*.css"):
        text = sheet.read_text("utf-8").replace(" ", "")
        assert "@import" not in text
        assert "url(http" not in text.replace('"', "").replace("'", "")


def test_every_link_leads_somewhere(site: Path) -> None:
    known = dict(pages(site))
    for path, links in known.items():
        for link in links.led_to:
            to = urlsplit(link)
            if to.scheme:
                assert to.scheme == "https"
                continue
            target = (path.parent / unquote(to.path)).resolve() if to.path else path
            assert target.is_file(), (path, link)
            if to.fragment and target in known:
                assert unquote(to.fragment) in known[target].anchors, (path, link)


def test_each_language_leads_to_the_other(site: Path) -> None:
    known = {path.relative_to(site).as_posix(): links for path, links in pages(site)}
    assert "zh/index.html" in {link.removeprefix("./") for link in known["guide.html"].led_to}
    assert "../index.html" in known["zh/guide.html"].led_to


@pytest.mark.parametrize(
    ("folder", "told", "words"),
    [
        (".", ENGLISH, {"playhead": "guide.html", "safetensors": "files.html"}),
        ("zh", CHINESE, {"播放": "guide.html", "轨迹": "files.html"}),
    ],
)
def test_every_page_is_searched(
    site: Path, folder: str, told: dict[str, str], words: dict[str, str]
) -> None:
    found = json.loads((site / folder / "search" / "search_index.json").read_text("utf-8"))
    entries = {entry["location"]: entry for entry in found["docs"]}
    assert len({name.partition("#")[0] for name in entries}) == len(told)
    for word, name in words.items():
        # Chinese words are parted by spaces without width.
        texts = [
            part.strip("，。、；：（）“”")
            for location, entry in entries.items()
            if location.startswith(name)
            for part in entry["text"].replace("\u200b", " ").split()
        ]
        assert word in texts


@pytest.mark.parametrize(
    ("page", "links"),
    [
        ("docs/guide.md", ["[x](no-such-page.md)", "[x](files.md#no-such-heading)"]),
        ("README.zh.md", ["[x](docs/zh/guide.md#没有的标题)", "![x](resources/pictures/none.png)"]),
    ],
)
def test_dead_links_fail_the_build(tmp_path: Path, page: str, links: list[str]) -> None:
    for name in READ:
        shutil.copy(ROOT / name, tmp_path / name)
    for name in FOLDERS:
        shutil.copytree(ROOT / name, tmp_path / name)
    with (tmp_path / page).open("a", encoding="utf-8") as file:
        file.write("".join(f"\n{link}\n" for link in links))
    done = build(tmp_path, tmp_path / "site")
    assert done.returncode != 0
    assert "Aborted with 2 warnings in strict mode!" in done.stdout + done.stderr
