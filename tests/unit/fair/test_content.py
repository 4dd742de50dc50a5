"""What is said of files, and whether a local file is like that."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from hpc_explorer.fair.collecting import subject_of
from hpc_explorer.fair.content import column_names, differences, files_on_hand, sizes_of
from hpc_explorer.fair.subject import Subject
from hpc_explorer.fair.surroundings import LocalFile, NoSurroundings
from tests.helpers.fair_mutations import PREFIXES
from tests.helpers.graphs import ex, store_of


@dataclass(frozen=True)
class Here(NoSurroundings):
    """Surroundings with one file."""

    file: LocalFile = field(default_factory=lambda: LocalFile(Path("runs.csv"), "runs.csv", 12_345))

    def local_file(self, address: str) -> LocalFile | None:
        return self.file if address.endswith("runs.csv") else None


def of_file(turtle: str) -> Subject:
    whole = f"ex:d dcat:distribution ex:f . ex:f dcat:downloadURL <https://lab.eu/runs.csv> ; {turtle} ."
    return subject_of(store_of(PREFIXES + whole), ex("d"))


@pytest.mark.parametrize(
    ("stated", "size", "fits"),
    [
        ("dcat:byteSize 12345", 12_345, True),
        ("dcat:byteSize 12345", 12_346, False),
        ("dcat:byteSize 12345.0", 12_345, True),
        ('schema:contentSize "12,345"', 12_345, True),
        ('schema:contentSize "12345 B"', 12_345, True),
        ('schema:contentSize "12 kB"', 12_345, True),
        ('schema:contentSize "12 kB"', 13_000, False),
        ('schema:contentSize "12.3 KB"', 12_345, True),
        ('schema:contentSize "12.1 KiB"', 12_345, True),
        ('schema:contentSize "1.2 MB"', 1_258_000, True),
        ('schema:contentSize "1.2 MB"', 1_100_000, False),
        ("hpc:size [ qudt:value 12.345 ; qudt:unit unit:KiloBYTE ]", 12_345, True),
        ("hpc:size [ qudt:value 12 ; qudt:unit unit:KiloBYTE ]", 20_000, False),
    ],
)
def test_sizes(stated: str, size: int, fits: bool) -> None:
    subject = of_file(stated)
    (read,) = sizes_of(subject, subject.distributions[0])

    assert read.fits(size) is fits


@pytest.mark.parametrize(
    "stated", ['schema:contentSize "large"', "dcat:byteSize ex:some", 'schema:contentSize "12 m"@en']
)
def test_a_size_that_cannot_be_read_is_none_or_fits_nothing_small(stated: str) -> None:
    subject = of_file(stated)

    assert not any(size.fits(12_345) for size in sizes_of(subject, subject.distributions[0]))


@pytest.mark.parametrize(
    ("described", "file", "words"),
    [
        ("dcat:byteSize 1", LocalFile(Path("runs.csv"), "runs.csv", 2), ["it has 2 bytes and not 1 bytes"]),
        ('dcat:mediaType "application/x-hdf5"', LocalFile(Path("a"), "a", 2, "text/csv"),
         ["it is CSV and not application/x-hdf5"]),
        ('dcat:mediaType "text/plain"', LocalFile(Path("a"), "a", 2, "text/csv"), []),
        ('hpc:sha256 "AB"', LocalFile(Path("a"), "a", 2, None, {"sha256": "ab"}), []),
        ('hpc:sha256 "AB"', LocalFile(Path("a"), "a", 2, None, {"sha256": "cd"}), ["its SHA256 is another"]),
        ("spdx:checksum [ spdx:algorithm spdx:checksumAlgorithm_md5 ; spdx:checksumValue 'ab' ]",
         LocalFile(Path("a"), "a", 2, None, {"md5": "cd"}), ["its MD5 is another"]),
        ("csvw:tableSchema [ csvw:column [ csvw:name 't' ] , [ csvw:titles 'n' ] ]",
         LocalFile(Path("a"), "a", 2, None, {}, ("T", "n", "more")), []),
        ("csvw:tableSchema [ csvw:column [ csvw:name 't' ] , [ csvw:titles 'n' ] ]",
         LocalFile(Path("a"), "a", 2, None, {}, ("t",)), ["its header lacks n"]),
        ("dcterms:title 'x'", LocalFile(Path("a"), "a", 2, "text/csv", {"md5": "x"}, ("t",)), []),
    ],
)  # fmt: skip
def test_what_a_file_is_not(described: str, file: LocalFile, words: list[str]) -> None:
    subject = of_file(described)
    (on_hand,) = files_on_hand(subject, Here(file))
    found = differences(subject, on_hand)

    assert [text for text, _ in found] == words
    assert all(evidence for _, evidence in found)


def test_columns_of_croissant_and_schema_org() -> None:
    subject = of_file(
        "dcterms:title 'x' . ex:d cr:recordSet [ cr:field [ schema:name 'r/t' ; cr:source [ cr:extract "
        "[ cr:column 't' ] ] ] ] ; schema:variableMeasured 'n' , [ schema:name 'm' ]"
    )

    assert sorted(each.text for each in column_names(subject)) == ["m", "n", "t"]
