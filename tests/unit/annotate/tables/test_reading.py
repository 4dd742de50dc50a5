"""Tables of each kind as rows, and damaged ones."""

from __future__ import annotations

import csv
import json
import re
import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hpc_explorer.annotate.tables.mapping import LIKELY_ROW, TableFormat
from hpc_explorer.annotate.tables.reading import open_table, sniff_delimiter
from hpc_explorer.errors import InputError, SourceNotFound, SourceSyntaxError, SourceUnreadable, UnknownFormat
from hpc_explorer.stores.columns.parquet import ParquetColumn, ParquetType, write_parquet


def read(path: Path) -> tuple[tuple[str, ...] | None, list[dict[str, tuple[str, ...]]], str]:
    with open_table(path) as table:
        return table.columns, [dict(row.cells) for row in table.rows()], table.note


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_text_tables_in_any_dress(tmp_path: Path, encoding: str, delimiter: str) -> None:
    text = f'Größe{delimiter}b\n"x{delimiter}\ny"{delimiter}2\n\n3{delimiter}4\n'
    (tmp_path / "t.csv").write_text(text, encoding=encoding)
    columns, rows, note = read(tmp_path / "t.csv")
    assert (columns, note) == (("Größe", "b"), "")
    assert rows == [{"Größe": (f"x{delimiter}\ny",), "b": ("2",)}, {"Größe": ("3",), "b": ("4",)}]


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (r'"say \"hi\""', 'say "hi"'),
        (r'"the end \""', 'the end "'),
        (r'"tab\tand \"line\n\""', 'tab\tand "line\n"'),
        (r'"C:\dir\"', "C:\\dir\\"),
        (r'"C:\\new"', r"C:\\new"),
        (r"C:\new", r"C:\new"),
        ('"q""q"', 'q"q'),
        ('"two\nlines"', "two\nlines"),
        ('"a\tb"', "a\tb"),
        ('5" disk', '5" disk'),
    ],
)
def test_quotes_of_a_table_with_tabs(tmp_path: Path, cell: str, text: str) -> None:
    (tmp_path / "t.tsv").write_text(f"a\tb\n{cell}\t1\n2\t{cell}\n\n3\t4\n", encoding="utf-8", newline="")
    _, rows, _ = read(tmp_path / "t.tsv")
    assert rows == [{"a": (text,), "b": ("1",)}, {"a": ("2",), "b": (text,)}, {"a": ("3",), "b": ("4",)}]


@given(st.lists(st.lists(st.text("ab\"\\\t\n'", max_size=6), min_size=2, max_size=2), min_size=1, max_size=5))
def test_a_table_with_tabs_reads_back(tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]]) -> None:
    # A line that ends with a backslash and a quote can be meant in both ways.
    assume(not any(re.search(r'\\"+[\t\n]', cell) for row in rows for cell in row))
    path = tmp_path_factory.getbasetemp() / "again.tsv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, delimiter="\t", quoting=csv.QUOTE_ALL).writerows([["a", "b"], *rows])
    assert [list(row.values()) for row in read(path)[1]] == [[(cell,) for cell in row] for row in rows]


def test_where_a_table_with_tabs_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text('a\tb\n1\t2\n"two\nlines"\t2\n3\t"x"y\n', encoding="utf-8")
    with pytest.raises(SourceSyntaxError) as fault:
        read(tmp_path / "t.tsv")
    assert fault.value.where.endswith("t.tsv:5")


def test_a_text_that_is_not_utf8_is_read_as_windows_1252_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"a,b\n1,2\n" * 20_000 + "ö,€\n".encode("cp1252"))
    columns, rows, note = read(tmp_path / "t.csv")
    assert (columns, rows[-1]) == (("a", "b"), {"a": ("ö",), "b": ("€",)})
    assert "Windows-1252" in note


def test_a_comma_in_numbers_is_no_delimiter() -> None:
    assert sniff_delimiter("a;b\n1,000;2,5\n3,000;4,5\n") == ";"


RECORDS = [{"a": 1, "deep": {"b": 1.50, "c": None}, "list": ["x", 2], "yes": True}, {"a": "{[,]}"}]
ROWS = [
    {"a": ("1",), "deep.b": ("1.5",), "deep.c": (), "list": ("x", "2"), "yes": ("true",)},
    {"a": ("{[,]}",)},
]


def test_json_records(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(json.dumps(RECORDS))
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, RECORDS)))
    (tmp_path / "k.json").write_text(json.dumps({"k1": RECORDS[0], "k2": RECORDS[1]}))
    assert read(tmp_path / "t.json")[1] == ROWS
    assert read(tmp_path / "t.jsonl")[1] == ROWS
    assert read(tmp_path / "k.json")[1] == [{"@key": ("k1",), **ROWS[0]}, {"@key": ("k2",), **ROWS[1]}]


@given(
    records=st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=9) | st.integers(), max_size=4), max_size=4),
    times=st.sampled_from([1, 30_000]),
)
def test_records_across_the_chunks_of_reading(
    records: list[dict[str, str | int]], times: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("json") / "t.json"
    long = [
        {name: value * times if isinstance(value, str) else value for name, value in one.items()} for one in records
    ]
    file.write_text(json.dumps(long, indent=1))
    assert read(file)[1] == [{name: (str(value),) for name, value in record.items()} for record in long]


def test_parquet(tmp_path: Path) -> None:
    columns = [ParquetColumn("n", ParquetType.WHOLE_NUMBER), ParquetColumn("t [x]", ParquetType.TEXT)]
    write_parquet(columns, [(1, "a"), (2, None)], tmp_path / "t[1]*.parquet")
    found, rows, _ = read(tmp_path / "t[1]*.parquet")
    assert (found, rows) == (("n", "t [x]"), [{"n": ("1",), "t [x]": ("a",)}, {"n": ("2",), "t [x]": ()}])


def test_a_parquet_file_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    import duckdb

    file = tmp_path / "t.parquet"
    for size in (10_000, 300_000):
        columns = f"repeat('x', {size}) AS a, repeat('y', {size}) AS b"  # together too much, neither alone
        duckdb.sql(f"COPY (SELECT {columns} FROM range(2000)) TO '{file}' (FORMAT parquet)")
        assert file.stat().st_size < 100_000
        if size == 10_000:
            assert sum(len(row["a"][0]) for row in read(file)[1]) == 20_000_000
        else:
            with pytest.raises(SourceUnreadable, match="unpack to more than 1,000 MB"):
                read(file)


def test_parquet_with_lists_and_structs(tmp_path: Path) -> None:
    import duckdb

    with duckdb.connect(":memory:") as engine:
        engine.execute(
            "COPY (SELECT [1, NULL, 30] AS l, {'x': 1.50, 'y''s': {'z': 'b'}} AS s, [{'k': 1}] AS d, MAP {'k': 1} AS m"
            " UNION ALL SELECT NULL, NULL, NULL, NULL) TO '" + str(tmp_path / "t.parquet") + "' (FORMAT parquet)"
        )
    columns, rows, _ = read(tmp_path / "t.parquet")
    assert columns == ("l", "s.x", "s.y's.z", "d", "m")
    assert rows == [
        {"l": ("1", "30"), "s.x": ("1.50",), "s.y's.z": ("b",), "d": ('[{"k":1}]',), "m": ('{"k":1}',)},
        dict.fromkeys(columns, ()),
    ]


def test_numbers_in_lists_of_records_stay_numbers(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('[{"runs": [{"n": 1.50, "t": "1", "l": [true, null]}]}]')
    assert read(tmp_path / "t.json")[1] == [{"runs": ('{"n": 1.50, "t": "1", "l": [true, null]}',)}]


def test_two_columns_of_one_name(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b,a,\n1,2,3,4\n")
    assert read(tmp_path / "t.csv")[1] == [{"a": ("1",), "b": ("2",), "a (column 3)": ("3",), "(column 4)": ("4",)}]


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("ID,Name\n1,a\n", 1),
        ("Kind,Name\nx,y\nz,w\n", 1),
        (",Name,Kind\nr1,x,y\n", 1),
        ("# made by a tool\n# in 2020\nID,Name\n1,a\n", 3),
        ("All runs,,\n\nID,Name,Start\n1,a,2\n", 3),
        ("All runs,,,\nMachine,,Time,\nID,Name,Start,End\n1,a,2020-01-01,2020-01-02\n", 3),
        ("Machine,,Time,\n1,a,2020-01-01,2020-01-02\n", 1),
        ("a\nb\n", 1),
    ],
)
def test_the_row_that_seems_to_name_the_columns(tmp_path: Path, text: str, heading: int) -> None:
    (tmp_path / "t.csv").write_text(text)
    with open_table(tmp_path / "t.csv", TableFormat(heading=LIKELY_ROW)) as table:
        assert table.format.heading == heading
        found = list(table.rows())
    with open_table(tmp_path / "t.csv", table.format) as again:
        assert [row.cells for row in again.rows()] == [row.cells for row in found]
        assert again.columns == table.columns


def test_what_a_sheet_does_not_show_is_told(tmp_path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    for row in (["n", "m"], ["=1+1", "a"], [2, None], [3, "b"]):
        book.active.append(row)
    book.active.merge_cells("B2:B3")
    book.active.merge_cells("A4:B4")
    book.save(tmp_path / "t.xlsx")
    note = read(tmp_path / "t.xlsx")[2]
    assert "1 formulas of the workbook have no saved value" in note
    assert "(B2:B3)" in note


def test_excel_without_its_formulas(tmp_path: Path) -> None:
    from datetime import date

    from openpyxl import Workbook

    book = Workbook()
    book.active.append(["n", "day", "formula", "text"])
    book.active.append([1.5, date(2020, 11, 1), "=HYPERLINK(1)", "<a> <b> <c> ."])
    book.save(tmp_path / "t.xlsx")
    columns, rows, _ = read(tmp_path / "t.xlsx")
    assert columns == ("n", "day", "formula", "text")
    assert rows == [{"n": ("1.5",), "day": ("2020-11-01",), "formula": (), "text": ("<a> <b> <c> .",)}]


def test_a_workbook_that_unpacks_to_far_more_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "t.xlsx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b" " * (100 * 1024**2))
    with pytest.raises(SourceSyntaxError, match="would unpack to"):
        read(tmp_path / "t.xlsx")


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("t.csv", b"", "the table is empty"),
        ("t.csv", b",\n1,2\n", "no heading"),
        ("t.csv", b'a,b\n1,"2\n', "not a sound table"),
        ("t.csv", b'a,b\n1,"' + b"x" * 200_000, "more than"),
        ("t.json", b"[1", "ends in the middle"),
        ("t.json", b'{"a": 1', "not valid JSON"),
        ("t.jsonl", b'{"a": 1}\n\n{"a":\n 2}\n{"a" 3}\n', r"t\.jsonl:5"),
        ("t.json", b"42", "no records"),
        ("t.json", b"[" * 100_000, "deep"),
        ("t.json", b"[" + b'{"a":' * 980 + b"1" + b"}" * 980 + b"]", "deep"),
        ("t.json", b'[{"a": "\xff"}]', "not utf-8"),
        ("t.parquet", b"PAR1", "Parquet"),
        ("t.xlsx", b"PK", "Excel"),
        ("t.ods", b"", "not a known kind of table"),
    ],
)
def test_damaged_tables_are_named_faults(tmp_path: Path, name: str, content: bytes, what: str) -> None:
    (tmp_path / name).write_bytes(content)
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)  # Python's own; a library that an earlier test imported may have raised it
    try:
        with pytest.raises(InputError, match=what):
            read(tmp_path / name)
    finally:
        sys.setrecursionlimit(before)


def test_a_row_that_is_no_record_is_told(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('[1, {"a": 2}]')
    with open_table(tmp_path / "t.json") as table:
        assert [bool(row.fault) for row in table.rows()] == [True, False]


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound):
        read(tmp_path / "t.csv")
    (tmp_path / "t").write_text("a")
    with pytest.raises(UnknownFormat):
        read(tmp_path / "t")


def test_ten_thousand_columns(tmp_path: Path) -> None:
    names = [f"c{place}" for place in range(10_000)]
    (tmp_path / "t.csv").write_text(",".join(names) + "\n" + ",".join(names) + "\n")
    columns, rows, _ = read(tmp_path / "t.csv")
    assert columns == tuple(names)
    assert rows[0]["c9999"] == ("c9999",)


def test_a_workbook_names_its_sheets_and_one_is_chosen(tmp_path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.title = "Notes"
    book.active.append(["Remark"])
    book.create_sheet("Runs").append(["ID", "Time"])
    book["Runs"].append([1, 2.5])
    book.save(tmp_path / "t.xlsx")
    with open_table(tmp_path / "t.xlsx") as table:
        assert (table.sheets, table.format.sheet, table.columns) == (("Notes", "Runs"), "Notes", ("Remark",))
    with open_table(tmp_path / "t.xlsx", TableFormat(sheet="Runs")) as table:
        assert (table.format.sheet, table.columns) == ("Runs", ("ID", "Time"))
        assert [dict(row.cells) for row in table.rows()] == [{"ID": ("1",), "Time": ("2.5",)}]
    with (
        pytest.raises(SourceSyntaxError, match=r"no sheet 'Other'.*'Notes', 'Runs'"),
        open_table(tmp_path / "t.xlsx", TableFormat(sheet="Other")),
    ):
        pass


@pytest.mark.parametrize(
    ("heading", "columns", "first"),
    [
        (1, ("made by a tool", "(column 2)"), ("", "")),
        (3, ("ID", "Time"), ("1", "2")),
        (0, ("(column 1)", "(column 2)"), ("made by a tool", "")),
    ],
)
def test_the_row_of_the_heading_is_chosen(
    tmp_path: Path, heading: int, columns: tuple[str, ...], first: tuple[str, ...]
) -> None:
    (tmp_path / "t.csv").write_text("made by a tool,\n,\nID,Time\n1,2\n")
    with open_table(tmp_path / "t.csv", TableFormat(heading=heading)) as table:
        assert table.columns == columns
        assert tuple(text for (text,) in next(table.rows()).cells.values()) == first


def test_delimiter_and_encoding_are_taken_as_given_and_told_as_found(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes("a,b;c\nö,1;2\n".encode("latin-1"))
    with open_table(tmp_path / "t.csv", TableFormat(delimiter=";", encoding="latin-1")) as table:
        assert (table.columns, table.note) == (("a,b", "c"), "")
        assert table.format == TableFormat(delimiter=";", encoding="latin-1")
    with open_table(tmp_path / "t.csv") as table:
        assert (table.format.delimiter, table.format.encoding) == (",", "cp1252")
