"""The fonts of the tests: the same few ones on every machine, whatever else is installed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import escape

# The files of fonts-dejavu-core and fonts-noto-cjk; other parts of these families stay out.
_ALWAYS = (
    "DejaVuSans.ttf",
    "DejaVuSans-Bold.ttf",
    "DejaVuSansMono.ttf",
    "DejaVuSansMono-Bold.ttf",
    "NotoSansCJK-Regular.tt?",
    "NotoSansCJK-Bold.tt?",
)
USUAL_FAMILY = "DejaVu Sans"
# What a run may ask for instead, and its files.
FAMILIES: dict[str, tuple[str, ...]] = {
    USUAL_FAMILY: (),
    "Inter": ("Inter-*.otf", "Inter-*.ttf", "Inter-*.ttc"),
    "Liberation Sans": ("LiberationSans-*.ttf",),
    "Noto Sans": ("NotoSans-*.ttf",),
}
FAMILY = os.environ.get("EXPLORER_TEST_FAMILY", USUAL_FAMILY)  # of this run

# All other files; a plain asterisk would be the folders too.
_OTHERS = tuple(f"*.{kind}" for kind in ["?t?", "?T?", "t1", "pf?", "P??", "pcf*", "bdf*", "woff*"])
_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts")

# As Debian configures it, so that letters look the same everywhere.
_CONFIGURATION = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
{folders}
<cachedir>{cache}</cachedir>
<selectfont>
<acceptfont>{files}</acceptfont>
<rejectfont>{others}</rejectfont>
</selectfont>
<match target="pattern">
<edit name="family" mode="append_last" binding="same">
<string>{family}</string><string>Noto Sans CJK SC</string>
</edit>
</match>
<alias><family>sans-serif</family><prefer><family>{family}</family></prefer></alias>
<alias><family>serif</family><prefer><family>{family}</family></prefer></alias>
<alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
<match target="font">
<edit name="antialias"><bool>true</bool></edit>
<edit name="hinting"><bool>true</bool></edit>
<edit name="hintstyle"><const>hintslight</const></edit>
<edit name="rgba"><const>none</const></edit>
<edit name="embeddedbitmap"><bool>false</bool></edit>
</match>
</fontconfig>
"""


def own_fonts(folder: Path, family: str) -> Path:
    """Write a fontconfig file and return its path.

    With it a program sees DejaVu Sans, Noto Sans CJK and one family for the interface alone, if
    these are installed.

    Parameters
    ----------
    folder : Path
        For the file, and for what fontconfig keeps.
    family : str
        One of `FAMILIES`.
    """
    users = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share", "fonts")
    made = folder / "fonts.conf"
    made.write_text(
        _CONFIGURATION.format(
            folders=_elements("dir", (*_FOLDERS, str(users))),
            cache=escape(str(folder / "fonts")),
            files=_elements("glob", (f"*/{name}" for name in (*_ALWAYS, *FAMILIES[family]))),
            others=_elements("glob", _OTHERS),
            family=escape(family),
        ),
        "utf-8",
    )
    return made


def _elements(name: str, texts: Iterable[str]) -> str:
    return "\n".join(f"<{name}>{escape(text)}</{name}>" for text in texts)
