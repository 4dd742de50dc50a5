"""Rows to quads, and what is set aside."""

from __future__ import annotations

import csv
import re
import tracemalloc
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.annotate.tables.conversion import KEPT, Conversion, Reject, Repeat
from hpc_explorer.annotate.tables.mapping import TableFormat, TableMapping
from hpc_explorer.annotate.tables.mapping_file import parse_mapping
from hpc_explorer.annotate.tables.reading import Table, open_table
from hpc_explorer.annotate.tables.rows import TableRow
from hpc_explorer.errors import Cancelled, SourceSyntaxError
from hpc_explorer.rdf.namespaces import HPC, QUDT, RDF, UNIT, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.base import CancelToken, Limits

MAPPING = parse_mapping("""
subject: https://example.org/m/{ID}
class: hpc:SuperComputer
absent: [None]
skip: {State: [gone]}
constants:
  - {property: hpc:isPartOf, link: https://example.org/list}
columns:
  Name: {property: hpc:name, language: en}
  Rmax: {property: hpc:hasRmax, unit: unit:TeraFLOPS}
  Rank: {property: hpc:top500Rank, datatype: xsd:integer, required: true}
  Vendor: {property: hpc:vendor, link: "https://example.org/v/{Vendor}"}
  OS: {property: hpc:operatingSystem, lookup: {L: hpc:Linux}, separator: ";"}
""")
HEADING = "ID,Name,Rmax,Rank,Vendor,OS,State\n"


def convert(folder: Path, text: str, mapping: TableMapping = MAPPING) -> tuple[Conversion, list[Quad]]:
    (folder / "t.csv").write_text(text, encoding="utf-8")
    with open_table(folder / "t.csv") as table:
        conversion = Conversion(mapping, table)
        return conversion, list(conversion.quads())


def test_what_a_row_says(tmp_path: Path) -> None:
    conversion, quads = convert(tmp_path, HEADING + '1,Fugaku,"442,010.00",1,A&B,L,\n')
    one = NamedNode("https://example.org/m/1")
    node = next(quad.object for quad in quads if quad.predicate == HPC.hasRmax)
    assert set(quads) == {
        Quad(one, RDF.type, HPC.SuperComputer),
        Quad(one, HPC.isPartOf, NamedNode("https://example.org/list")),
        Quad(one, HPC.name, Literal("Fugaku", language="en")),
        Quad(one, HPC.hasRmax, node),
        Quad(node, RDF.type, QUDT.QuantityValue),
        Quad(node, QUDT.value, Literal("442010.00", datatype=XSD.decimal)),
        Quad(node, QUDT.unit, UNIT.TeraFLOPS),
        Quad(one, HPC.top500Rank, Literal("1", datatype=XSD.integer)),
        Quad(one, HPC.vendor, NamedNode("https://example.org/v/A%26B")),
        Quad(one, HPC.operatingSystem, HPC.Linux),
    }
    assert (conversion.rows, conversion.converted, conversion.reject_count) == (1, 1, 0)


def test_what_is_absent_says_nothing(tmp_path: Path) -> None:
    conversion, quads = convert(tmp_path, HEADING + "1,None, ,1,None,,\n")
    assert {quad.predicate for quad in quads} == {RDF.type, HPC.isPartOf, HPC.top500Rank}
    assert conversion.rejects == []


def test_rejects_say_row_column_and_reason(tmp_path: Path) -> None:
    conversion, quads = convert(
        tmp_path,
        HEADING
        + "1,a,fast,1,v,L;W,\n"  # two cells
        + ",b,1,2,v,L,\n"  # no subject
        + "3,c,1,,v,L,\n"  # no required value
        + "4,d,1\n"  # too short
        + "5,e,1,3,v,L,gone\n"
        + "6,f,1,4,..,L,\n",
    )
    assert conversion.rejects == [
        Reject(1, "Rmax", "fast", "not a number", False),
        Reject(1, "OS", "W", "not in the mapping's lookup", False),
        Reject(2, "ID", "", "no value in the column 'ID', which the IRI needs", True),
        Reject(3, "Rank", "", "no value, and there must be one", True),
        Reject(4, "", "", "3 cells, where the heading has 7 (line 5)", True),
        Reject(6, "Vendor", "..", "an IRI cannot contain a dot segment", False),
    ]
    assert (conversion.rows, conversion.converted, conversion.skipped) == (6, 2, 1)
    subjects = {
        quad.subject.value for quad in quads if quad.predicate == RDF.type and isinstance(quad.subject, NamedNode)
    }
    assert subjects == {"https://example.org/m/1", "https://example.org/m/6"}


def test_a_table_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceSyntaxError, match="lacks the columns 'State', 'Name'"):
        convert(tmp_path, "ID,Rmax,Rank,Vendor,OS\n1,2,3,4,5\n")


def test_columns_that_no_rule_speaks_of_are_told(tmp_path: Path) -> None:
    conversion, _ = convert(tmp_path, HEADING.strip() + ",Extra\n")
    assert conversion.unmentioned == ("Extra",)


def test_of_records_both_sides_are_told(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('[{"ID": 1, "Name": "a", "Extra": 1}]')
    mapping = parse_mapping("subject: https://example.org/{ID}\ncolumns: {Name: hpc:name, Nmae: hpc:name}\n")
    with open_table(tmp_path / "t.json") as table:
        conversion = Conversion(mapping, table)
        list(conversion.quads())
    assert (conversion.unmentioned, conversion.never_met) == (("Extra",), ("Nmae",))


def test_a_conversion_can_be_stopped(tmp_path: Path) -> None:
    token = CancelToken()
    token.cancel()
    (tmp_path / "t.csv").write_text(HEADING + "1,a,1,1,v,L,\n")
    with open_table(tmp_path / "t.csv") as table, pytest.raises(Cancelled):
        list(Conversion(MAPPING, table).quads(Limits(cancel=token)))


@pytest.mark.slow
def test_memory_does_not_grow_with_the_table() -> None:
    """Twenty times the rows, all of them with a reject, need no more memory."""

    def peak(rows: int) -> int:
        cells = {"ID": ("1",), "Name": ("a",), "Rmax": ("fast",), "Rank": ("1",), "Vendor": ("v",)}
        table = Table(Path("t"), None, lambda: (TableRow(number, cells) for number in range(1, rows + 1)))
        conversion = Conversion(MAPPING, table)
        tracemalloc.start()
        try:
            for _ in conversion.quads():
                pass
            assert (conversion.reject_count, len(conversion.rejects)) == (rows, KEPT)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(10_000) < peak(500) + 50_000


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\r\n\x00"), max_size=8)


@given(rows=st.lists(st.lists(CELLS, min_size=7, max_size=7), max_size=5))
def test_each_row_is_converted_skipped_or_rejected(
    rows: list[list[str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("table") / "t.csv"
    with open(file, "w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([HEADING.strip().split(","), *rows])
    with open_table(file) as table:
        conversion = Conversion(MAPPING, table)
        quads = list(conversion.quads())
    lost = sum(reject.whole_row for reject in conversion.rejects)
    assert (conversion.rows, conversion.converted + conversion.skipped + lost) == (len(rows), len(rows))
    for quad in quads:
        if isinstance(quad.subject, NamedNode):
            assert quad.subject.value.startswith("https://example.org/m/")


def test_rows_with_one_iri_are_told_and_whether_they_differ(tmp_path: Path) -> None:
    text = HEADING + "1,a,,1,,,\n2,b,,2,,,\n1,c,,3,,,\n1,a,,1,,,\n"
    conversion, _ = convert(tmp_path, text)
    assert conversion.repeats == [
        Repeat(3, 1, "https://example.org/m/1", differs=True),
        Repeat(4, 1, "https://example.org/m/1", differs=False),
    ]
    assert (str(conversion.repeat_count), str(conversion.differing_count)) == ("2", "1")
    conversion, _ = convert(tmp_path, text, replace(MAPPING, shared_subjects=True))
    assert (conversion.repeats, conversion.repeat_count.value) == ([], 0)


def test_rows_that_differ_in_a_column_of_several_values_agree(tmp_path: Path) -> None:
    conversion, _ = convert(tmp_path, HEADING + "1,a,,1,,L,\n1,a,,1,,,\n")
    assert [repeat.differs for repeat in conversion.repeats] == [False]


def test_the_name_of_the_file_can_be_part_of_an_iri(tmp_path: Path) -> None:
    mapping = parse_mapping("subject: https://example.org/{@file}/{#}\ncolumns: {Name: hpc:name}\n")
    made = []
    for name in ("bfs 1.csv", "cfd.csv"):
        (tmp_path / name).write_text("Name\na\n")
        with open_table(tmp_path / name) as table:
            made += [quad.subject.value for quad in Conversion(mapping, table).quads()]
    assert made == ["https://example.org/bfs%201/1", "https://example.org/cfd/1"]
    assert mapping.needed_columns == ("Name",)


MEASURED = parse_mapping("""
table: {units: true}
subject: https://example.org/{ID}
columns:
  Time: {property: hpc:executionTime, unit: unit:NanoSEC}
  Cycles: {property: hpc:cycle, datatype: xsd:integer}
  Kernel: {property: hpc:kernel, link: "https://example.org/k/{Kernel}", link class: hpc:Software}
headings: {Duration: Time, Kernel Name: Kernel}
needed: [Time]
""")


@pytest.mark.parametrize(
    ("unit", "made"),
    [("us", UNIT.MicroSEC), ("msecond", UNIT.MilliSEC), ("", UNIT.NanoSEC), ("Kbyte", None), ("tick", None)],
)
def test_units_are_taken_from_the_table_or_its_numbers_are_rejected(
    tmp_path: Path, unit: str, made: NamedNode | None
) -> None:
    (tmp_path / "t.csv").write_text(f"ID,Duration\n,{unit}\n1,2.5\n")
    with open_table(tmp_path / "t.csv", MEASURED.table) as table:
        conversion = Conversion(MEASURED, table)
        quads = list(conversion.quads())
    assert [quad.object for quad in quads if quad.predicate == QUDT.unit] == ([] if made is None else [made])
    assert conversion.reject_count == (made is None)


def test_a_number_that_is_counted_in_thousands_is_no_number_of_ones(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("ID,Time,Cycles\n,ns,Kcycle\n1,2,3\n")
    with open_table(tmp_path / "t.csv", MEASURED.table) as table:
        conversion = Conversion(MEASURED, table)
        quads = list(conversion.quads())
    assert HPC.cycle not in {quad.predicate for quad in quads}
    assert [reject.column for reject in conversion.rejects] == ["Cycles"]


def test_columns_may_have_other_headings_and_be_missing(tmp_path: Path) -> None:
    text = "ID,Duration,Kernel Name\n,ns,\n1,2,a\n2,3,a\n"
    (tmp_path / "t.csv").write_text(text)
    with open_table(tmp_path / "t.csv", MEASURED.table) as table:
        conversion = Conversion(MEASURED, table)
        quads = list(conversion.quads())
    kernel = NamedNode("https://example.org/k/a")
    assert [quad.object for quad in quads if quad.predicate == HPC.kernel] == [kernel, kernel]
    assert [quad for quad in quads if quad.object == HPC.Software] == [Quad(kernel, RDF.type, HPC.Software)]
    assert (conversion.unmentioned, conversion.reject_count) == ((), 0)
    with pytest.raises(SourceSyntaxError, match="lacks the column 'Time'"):
        convert(tmp_path, "ID,Cycles\n1,2\n", MEASURED)


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("https://example.org/a", True),
        ("urn:x:1", True),
        ("javascript:alert(1)", False),
        ("file:///etc/passwd", False),
        ("https://example.org/a> . <urn:x>", False),
        ("not one", False),
    ],
)
def test_a_cell_with_an_iri_is_a_link_where_the_mapping_says_so(tmp_path: Path, text: str, made: bool) -> None:
    mapping = parse_mapping("subject: https://example.org/{ID}\ncolumns:\n  See: {property: rdfs:seeAlso, iri: true}\n")
    conversion, quads = convert(tmp_path, f"ID,See\n1,{text}\n", mapping)
    assert [quad.object for quad in quads] == ([NamedNode(text)] if made else [])
    assert conversion.reject_count == (0 if made else 1)


def test_what_a_quantity_says_stands_behind_what_the_row_says(tmp_path: Path) -> None:
    _, quads = convert(tmp_path, HEADING + "1,a,5,1,V,L,\n")
    subjects = [quad.subject for quad in quads]
    assert subjects == sorted(subjects, key=lambda subject: not isinstance(subject, NamedNode))


# What a number of a table is written with: a sign, groups of three digits, a fraction with zeros behind, an exponent.
NUMBERS = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "-", "+"]),
    st.integers(0, 10**30).map(str) | st.integers(0, 10**12).map("{:,}".format),
    st.just("") | st.from_regex(r"\.[0-9]{1,20}", fullmatch=True),
    st.just("") | st.integers(-30, 30).map("e{}".format),
)
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=8)
ROWS = st.lists(
    st.fixed_dictionaries({"Key": TEXTS, "Name": TEXTS, "Exact": NUMBERS, "Size": NUMBERS, "Count": NUMBERS})
)
ANY = parse_mapping("""
subject: https://example.org/{Key}
columns:
  Key: hpc:alternateName
  Name: hpc:name
  Exact: {property: hpc:value, datatype: xsd:decimal}
  Size: {property: hpc:size, unit: unit:MegaBYTE}
  Count: {property: hpc:cycle, datatype: xsd:integer}
""")


@given(rows=ROWS)
def test_a_table_can_be_read_back_from_its_triples(
    rows: list[dict[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Each cell is what the table has, by value; no number gains or loses a digit; two rows are one only by their key."""
    file = tmp_path_factory.mktemp("table") / "t.csv"
    with open(file, "w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(ANY.columns), quoting=csv.QUOTE_ALL)
        writer.writeheader()
        writer.writerows(rows)
    with open_table(file, TableFormat(delimiter=",", encoding="utf-8")) as table:
        conversion = Conversion(ANY, table)
        quads = list(conversion.quads())
    wanted: dict[str, list[dict[NamedNode, str | Decimal]]] = {}
    for row in rows:
        key = row["Key"].strip()
        if key in ("", ".", ".."):
            continue
        exact, size, count = (Decimal(row[name].replace(",", "")) for name in ("Exact", "Size", "Count"))
        said: dict[NamedNode, str | Decimal] = {HPC.alternateName: key, HPC.value: exact, HPC.size: size}
        if row["Name"].strip():
            said[HPC.name] = row["Name"].strip()
        if count == count.to_integral_value():
            said[HPC.cycle] = count
        wanted.setdefault(f"https://example.org/{quote(key, safe='')}", []).append(said)
    inside = {quad.subject: quad.object for quad in quads if quad.predicate == QUDT.value}
    found: dict[str, list[tuple[NamedNode, str | Decimal]]] = {}
    for quad in quads:
        if isinstance(quad.subject, NamedNode):
            value = inside.get(quad.object, quad.object)
            assert isinstance(value, Literal)
            is_text = quad.predicate in (HPC.alternateName, HPC.name)
            found.setdefault(quad.subject.value, []).append(
                (quad.predicate, value.value if is_text else Decimal(value.value))
            )
            if quad.predicate == HPC.value:
                assert re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", value.value)
    assert found == {iri: [pair for said in its for pair in sorted_as(said)] for iri, its in wanted.items()}
    assert conversion.repeat_count.value == sum(len(its) - 1 for its in wanted.values())


def sorted_as(said: dict[NamedNode, str | Decimal]) -> list[tuple[NamedNode, str | Decimal]]:
    """In the order of the mapping's columns."""
    order = [rule.property for (rule,) in ANY.columns.values()]
    return sorted(said.items(), key=lambda pair: order.index(pair[0]))
