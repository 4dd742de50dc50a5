"""Tables made to do harm: refused clearly or taken as the texts they are; nothing is run, and memory stays bounded."""

from __future__ import annotations

import csv
import time
import tracemalloc
import zipfile
from pathlib import Path

import openpyxl
import pytest

from hpc_explorer.annotate.tables.conversion import Conversion
from hpc_explorer.annotate.tables.mapping import TableMapping
from hpc_explorer.annotate.tables.mapping_file import parse_mapping
from hpc_explorer.annotate.tables.reading import open_table
from hpc_explorer.annotate.tables.suggestion import suggest_mapping
from hpc_explorer.annotate.tables.tarql import parse_tarql
from hpc_explorer.errors import DamagedMapping, ExplorerError, SourceSyntaxError
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad

MAPPING = parse_mapping("""
subject: https://example.org/{ID}
columns:
  Name: {property: hpc:name}
""")


def convert(path: Path, mapping: TableMapping = MAPPING) -> tuple[Conversion, list[Quad]]:
    with open_table(path) as table:
        conversion = Conversion(mapping, table)
        return conversion, list(conversion.quads())


def workbook(path: Path, *rows: tuple[object, ...]) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in rows:
        book.active.append(row)
    book.save(path)


def with_member(source: Path, target: Path, name: str, change: bytes) -> None:
    """A workbook in which a part begins with something else."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.infolist():
            data = old.read(member)
            if member.filename == name:
                declaration, mark, rest = data.partition(b"?>")
                data = declaration + mark + change + rest if mark else change + data
            new.writestr(member.filename, data)


@pytest.mark.slow
def test_ten_thousand_columns(tmp_path: Path) -> None:
    with open(tmp_path / "t.csv", "w", newline="") as stream:
        csv.writer(stream).writerows([[f"c{n}" for n in range(10_000)], *[range(10_000)] * 5])
    began = time.thread_time()
    with open_table(tmp_path / "t.csv") as table:
        mapping = suggest_mapping(table, (), {}, {}).mapping
    conversion, quads = convert(tmp_path / "t.csv", mapping)
    assert (conversion.converted, conversion.reject_count) == (5, 0)
    assert len(quads) == 5 * 10_001
    assert time.thread_time() - began < 30


FORMULAS = ["=cmd|'/c calc'!A0", "@SUM(1)", "+1+2", "-2+3", '=HYPERLINK("https://example.org")']


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_is_a_text(tmp_path: Path, text: str) -> None:
    with open(tmp_path / "t.csv", "w", newline="") as stream:
        csv.writer(stream).writerows([["ID", "Name"], ["1", text]])
    _, quads = convert(tmp_path / "t.csv")
    assert quads[0].object == Literal(text)


def test_a_workbooks_formula_is_not_computed(tmp_path: Path) -> None:
    workbook(tmp_path / "t.xlsx", ("ID", "Name"), (1, "=1+1"))
    _, quads = convert(tmp_path / "t.xlsx")
    assert quads == [], "no value was saved with it"


TURTLE = '"> . <https://evil.example/s> <https://evil.example/p> <https://evil.example/o> . "'


def test_turtle_in_a_cell_of_a_workbook_stays_a_literal(tmp_path: Path) -> None:
    workbook(tmp_path / "t.xlsx", ("ID", "Name"), (1, TURTLE))
    _, quads = convert(tmp_path / "t.xlsx")
    assert [quad.object for quad in quads] == [Literal(TURTLE)]


@pytest.mark.parametrize(
    "text", ["a b", "a> . <urn:x", '"', "<>", "../../etc", "a#b?c", "\\", "{ID}", "%2e%2e", "a\r\nb", "javascript:x"]
)
def test_no_cell_leaves_its_place_in_an_iri(tmp_path: Path, text: str) -> None:
    with open(tmp_path / "t.csv", "w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([["ID", "Name"], [text, "x"]])
    _, quads = convert(tmp_path / "t.csv")
    (iri,) = {quad.subject for quad in quads}
    assert isinstance(iri, NamedNode)
    rest = iri.value.removeprefix("https://example.org/")
    assert rest != iri.value
    assert not set(rest) & set(' <>"{}|^`\\/#?')


def test_a_cell_of_ten_megabytes_is_refused_and_not_held_twice(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f'ID,Name\n1,"{"x" * 10_000_000}"\n')
    tracemalloc.start()
    with pytest.raises(SourceSyntaxError, match="a cell has more than 131,072 characters"):
        convert(tmp_path / "t.csv")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40_000_000


def test_zeros_in_a_text_are_rejected_by_themselves(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"ID,Name\n1,a\0b\n2,good\n\0,x\n")
    conversion, quads = convert(tmp_path / "t.csv")
    assert [quad.object for quad in quads] == [Literal("good")]
    assert [reject.reason for reject in conversion.rejects] == [
        "the text has a NUL character",
        "an IRI cannot contain a NUL character",
    ]


def test_mixed_encodings_are_told(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes("ID,Name\n1,ö\n".encode() + "2,é\n".encode("latin-1"))
    with open_table(tmp_path / "t.csv") as table:
        assert len(list(table.rows())) == 2
        assert table.note == (
            "the text is not UTF-8 (line 3): read as Windows-1252; other letters look like UTF-8 and will be wrong:"
            " give the file one encoding"
        )


def test_utf16_without_a_mark_is_read(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes("ID,Name\n1,ö\n".encode("utf-16-le"))
    _, quads = convert(tmp_path / "t.csv")
    assert [quad.object for quad in quads] == [Literal("ö")]


def test_a_workbook_that_unpacks_to_gigabytes_is_refused(tmp_path: Path) -> None:
    with (
        zipfile.ZipFile(tmp_path / "t.xlsx", "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("xl/worksheets/sheet1.xml", "w") as member,
    ):
        for _ in range(100):
            member.write(b"0" * 1_000_000)
    with pytest.raises(SourceSyntaxError, match="would unpack to 100,000,000 bytes"):
        convert(tmp_path / "t.xlsx")


LAUGHS = b'<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/styles.xml"])
@pytest.mark.parametrize("before", [b"", b"<!-- <root> -->", b"\n" * 100])
def test_entities_in_a_workbook_are_refused(tmp_path: Path, part: str, before: bytes) -> None:
    workbook(tmp_path / "good.xlsx", ("ID", "Name"), (1, "x"))
    with_member(tmp_path / "good.xlsx", tmp_path / "t.xlsx", part, before + LAUGHS)
    with pytest.raises(SourceSyntaxError, match="defines entities of its own"):
        convert(tmp_path / "t.xlsx")


BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nsubject: https://example.org/{ID}\ncolumns: {Name: *b}\n"


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        "subject: !!python/object/apply:os.system [echo]\ncolumns: {}\n",
        "subject: https://example.org/{ID}\ncolumns: " + "{a: " * 5_000,
        "subject: https://example.org/{ID}\ncolumns:\n  <<: {Name: hpc:name}\n  X: [[[[hpc:name]]]]\n",
    ],
)
def test_a_mapping_cannot_grow_or_run_anything(text: str) -> None:
    with pytest.raises(DamagedMapping):
        parse_mapping(text)


def test_a_tarql_file_deep_in_itself_is_refused(tmp_path: Path) -> None:
    from hpc_explorer.annotate.tables.tarql import read_tarql

    text = f"CONSTRUCT {{ ?r <urn:p> ?x }} WHERE {{ BIND ({'(' * 20_000}?x{')' * 20_000} AS ?r) }}"
    (tmp_path / "f.sparql").write_text(text)
    with pytest.raises(ExplorerError):
        read_tarql(tmp_path / "f.sparql")
    with pytest.raises(ExplorerError):
        parse_tarql("CONSTRUCT { ?r <urn:p> ?x } WHERE { BIND (IRI(CONCAT('https://', ?x, '/a')) AS ?r) }", ("x",))


SHEET = "xl/worksheets/sheet1.xml"


def with_text(source: Path, target: Path, name: str, before: bytes, change: bytes) -> None:
    """A workbook in which something stands before something else in a part."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.infolist():
            data = old.read(member)
            if member.filename == name:
                assert before in data
                data = data.replace(before, change + before, 1)
            new.writestr(member.filename, data)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "before", "change"),
    [
        (SHEET, b"</worksheet>", b"<mergeCells>" + b'<mergeCell ref="C3:D3"/>' * 300_000 + b"</mergeCells>"),
        (SHEET, b"</sheetData>", b'<row r="3">' + b"<c/>" * 300_000 + b"</row>"),
        (SHEET, b"</sheetData>", b"<row/>" * 1_349_000),
        (SHEET, b"</worksheet>", b"<mergeCells>" + b"<row/>" * 300_000 + b"</mergeCells>"),
        ("xl/styles.xml", b"<cellXfs", b"<x/>" * 300_000),
    ],
    ids=["merged cells", "a row", "rows", "rows where none are", "styles"],
)
def test_a_workbook_with_too_much_in_one_place(tmp_path: Path, name: str, before: bytes, change: bytes) -> None:
    """A few kilobytes, which would be gigabytes of elements."""
    workbook(tmp_path / "t.xlsx", ("ID", "Name"), ("1", "a"))
    with_text(tmp_path / "t.xlsx", tmp_path / "heavy.xlsx", name, before, change)
    with pytest.raises(SourceSyntaxError, match="300,000 elements"):
        convert(tmp_path / "heavy.xlsx")


def test_a_sheet_that_says_it_is_smaller_than_it_is(tmp_path: Path) -> None:
    workbook(tmp_path / "t.xlsx", ("ID", "Name"), ("1", "a"), ("2", "b"))
    with zipfile.ZipFile(tmp_path / "t.xlsx") as old, zipfile.ZipFile(tmp_path / "small.xlsx", "w") as new:
        for member in old.infolist():
            data = old.read(member)
            new.writestr(member.filename, data.replace(b'<dimension ref="A1:B3"', b'<dimension ref="A1"'))
    conversion, quads = convert(tmp_path / "small.xlsx")
    assert (conversion.rows, len(quads)) == (2, 2)


def test_empty_rows_of_a_sheet_are_none_and_what_stands_beside_it_is_told(tmp_path: Path) -> None:
    rows = (("ID", "Name"), ("1", "a"), (), ("2", "b"), (None, None), ("3", "c", None, "a note"))
    workbook(tmp_path / "t.xlsx", *rows)
    conversion, quads = convert(tmp_path / "t.xlsx")
    assert (conversion.rows, len(quads)) == (3, 3)
    with zipfile.ZipFile(tmp_path / "t.xlsx") as old, zipfile.ZipFile(tmp_path / "narrow.xlsx", "w") as new:
        for member in old.infolist():
            new.writestr(
                member.filename, old.read(member).replace(b'<dimension ref="A1:D6"', b'<dimension ref="A1:B2"')
            )
    conversion, quads = convert(tmp_path / "narrow.xlsx")
    (reject,) = conversion.rejects
    assert (reject.row, reject.reason.partition(",")[0]) == (5, "1 cells right of the last column")
    assert len(quads) == 2
