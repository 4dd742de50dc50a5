"""Makes the shipped typeface: subsets of Inter and the table of its advance widths.

    python packaging/make_fonts.py FOLDER_WITH_INTER_OTF

Needs fontTools, which the program itself does not. FOLDER holds the unmodified files of Inter 3.19
(Debian package `fonts-inter`, or https://github.com/rsms/inter/releases). Written are
`src/hpc_explorer/canvas/fonts/Inter-*.otf` and `src/hpc_explorer/canvas/fonts/metrics.json`; the same
input gives the same bytes. Inter declares no Reserved Font Name, so a subset may keep its name (OFL 1.1).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

TARGET = Path(__file__).resolve().parents[1] / "src" / "hpc_explorer" / "canvas" / "fonts"
WEIGHTS = {"Regular": 400, "Medium": 500, "SemiBold": 600}
RANGES = (
    (0x0020, 0x007E),  # Basic Latin
    (0x00A0, 0x024F),  # Latin-1, Latin Extended-A and -B
    (0x02B0, 0x036F),  # modifier letters, combining marks
    (0x0370, 0x03FF),  # Greek
    (0x0400, 0x04FF),  # Cyrillic
    (0x1E00, 0x1EFF),  # Latin Extended Additional
    (0x2000, 0x206F),  # punctuation
    (0x2070, 0x209F),  # superscripts and subscripts
    (0x20A0, 0x20BF),  # currency
    (0x2100, 0x214F),  # letterlike
    (0x2150, 0x218F),  # number forms
    (0x2190, 0x21FF),  # arrows
    (0x2200, 0x22FF),  # mathematical operators
    (0x25A0, 0x25FF),  # geometric shapes
    (0x2713, 0x2718),  # ticks and crosses
)
# `calt` is left out on purpose: it turns "->" in an identifier into an arrow.
FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl", "tnum"]


def make_subset(source: Path, target: Path) -> None:
    """Writes the part of one font that the program can need."""
    options = subset.Options()
    options.layout_features = FEATURES
    options.hinting = False
    options.desubroutinize = False
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 7, 13, 14, 16, 17]
    options.recalc_timestamp = False
    options.notdef_outline = True
    font = subset.load_font(str(source), options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[code for first, last in RANGES for code in range(first, last + 1)])
    subsetter.subset(font)
    subset.save_font(font, str(target), options)


def advance_runs(font: TTFont) -> list[list[int]]:
    """The advance widths in font units as runs `[first code point, width, width, …]`."""
    widths = font["hmtx"]
    runs: list[list[int]] = []
    previous = None
    for code, glyph in sorted(font.getBestCmap().items()):
        if previous is None or code != previous + 1:
            runs.append([code])
        runs[-1].append(widths[glyph][0])
        previous = code
    return runs


def main(folder: Path) -> None:
    TARGET.mkdir(parents=True, exist_ok=True)
    metrics: dict[str, object] = {}
    runs: dict[str, list[list[int]]] = {}
    for name, weight in WEIGHTS.items():
        target = TARGET / f"Inter-{name}.otf"
        make_subset(folder / f"Inter-{name}.otf", target)
        font = TTFont(target)
        metrics |= {
            "family": "Inter",
            "units_per_em": font["head"].unitsPerEm,
            "ascent": font["hhea"].ascent,
            "descent": -font["hhea"].descent,
            "cap_height": font["OS/2"].sCapHeight,
            "x_height": font["OS/2"].sxHeight,
        }
        runs[str(weight)] = advance_runs(font)
    metrics["advances"] = runs
    (TARGET / "metrics.json").write_text(json.dumps(metrics, separators=(",", ":")) + "\n", encoding="ascii")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
