"""Measures label search over 1.01 million names with a large vocabulary.

    python benchmarks/labels.py [NAMES]

The names are made of 120,000 words of a few syllables, so that many are spelled alike, and of numbers and identifiers.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from results import busy, write_section

from hpc_explorer.ontology.labels import search_words
from hpc_explorer.stores.names.label_index import LabelEntry, LabelIndex

NAMES = 1_010_000
SYLLABLES = (
    *("ka", "to", "mi", "ra", "se", "lo", "ven", "dar", "tis", "mo", "pre"),
    *("gra", "ph", "del", "ni", "co", "ex", "tra", "for", "us", "ing"),
)
KNOWN = ("decision", "training", "seismic", "curation", "evaluation", "hyperparameter")
SEARCHES = {
    "a word": ("seismic", "kato"),
    "beginnings of two words": ("kato ven", "run 12"),
    "one or two letters": ("m", "mo"),
    "mistyped, one slip": ("seizmic", "curatoin", "MO00123x5"),
    "mistyped, two slips": ("evluaton", "hyprparametr"),
    "inside a word": ("eismi", "yperpara"),
    "nothing like it": ("vprofq", "zzzebra"),
}


def entries(number: int) -> Iterator[LabelEntry]:
    """Names of three kinds: of a file, of a run, of something with an identifier."""
    chance = random.Random(1)
    words = ["".join(chance.choice(SYLLABLES) for _ in range(chance.randint(2, 5))) for _ in range(120_000)]
    words += KNOWN
    for which in range(number):
        one, two = chance.choice(words), chance.choice(words)
        text = (f"{one}{two.title()}.onnx", f"{one} {two} run {which}", f"MO{which:07d} of {one}")[which % 3]
        yield LabelEntry(f"https://example.org/r/{which}", text, f"{search_words(text)} {which}", 0)


def ms(work: Callable[[], object]) -> float:
    """How long something takes, in milliseconds."""
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def table(number: int = NAMES) -> list[str]:
    """The figures as Markdown."""
    names = list(entries(number))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "labels.db")
        built = ms(lambda: LabelIndex(names, file).close())
        lines = [
            f"{number:,} names, built in {built / 1000:.1f} s, {file.stat().st_size / 1e6:,.0f} MB on disk. The",
            "slowest of two or three texts; each the median of five, after one given apart: it may wait for the disk.",
            "",
            "| | first ms | ms |",
            "|---|---|---|",
        ]
        index = LabelIndex.opened(file)
        for what, texts in SEARCHES.items():
            first = max(ms(lambda text=text: index.search(text, 50)) for text in texts)
            again = max(
                statistics.median(ms(lambda text=text: index.search(text, 50)) for _ in range(5)) for text in texts
            )
            lines.append(f"| {what} | {first:,.1f} | {again:,.1f} |")
        index.close()
    return lines


if __name__ == "__main__":
    before = busy()
    write_section("Label search", table(int(sys.argv[1]) if sys.argv[1:] else NAMES), before)
