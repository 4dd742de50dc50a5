"""A mapping to begin with."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import RdfFormat, serialize

from hpc_explorer.annotate.tables.conversion import Conversion
from hpc_explorer.annotate.tables.mapping import LIKELY_ROW, ColumnRule, TableFormat
from hpc_explorer.annotate.tables.mapping_file import mapping_text, parse_mapping
from hpc_explorer.annotate.tables.reading import open_table
from hpc_explorer.annotate.tables.suggestion import Suggestion, suggest_mapping
from hpc_explorer.annotate.validation.findings import Severity
from hpc_explorer.app.checks.validating import check_graph
from hpc_explorer.app.imports.converting import suggested_mapping
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.ontology.schema import build_schema
from hpc_explorer.ontology.shipped import property_kinds, shipped_ontology
from hpc_explorer.rdf.namespaces import HPC, UNIT, XSD
from hpc_explorer.rdf.quantities import known_units
from hpc_explorer.rdf.terms import NamedNode

SCHEMA = build_schema(shipped_ontology(), shipped_ontology(), used_classes=(), used_properties=())
PROPERTIES = SCHEMA.properties.values()


def suggest(file: Path) -> Suggestion:
    with open_table(file) as table:
        return suggest_mapping(
            table,
            PROPERTIES,
            known_units(),
            property_kinds(),
            superclasses=lambda cls: SCHEMA.superclasses(cls) | {cls},
        )


def rule_of(tmp_path: Path, heading: str, *values: str) -> ColumnRule:
    with open(tmp_path / "t.csv", "w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([[heading, "Other"], *([value, "x"] for value in values)])
    (rule,) = suggest(tmp_path / "t.csv").mapping.columns[heading]
    return rule


@pytest.mark.parametrize(
    ("heading", "values", "rule"),
    [
        ("Country", ["Japan"], ColumnRule(HPC.country)),
        ("Rmax [TFlop/s]", ["442,010.00"], ColumnRule(HPC.hasRmax, XSD.decimal, UNIT.TeraFLOPS)),
        ("Power (kW)", ["1", "2.5"], ColumnRule(HPC.power, XSD.decimal, UNIT.KiloW)),
        (
            "Power Efficiency [GFlops/Watts]",
            ["1"],
            ColumnRule(HPC.powerEfficiency, XSD.decimal, HPC.term("GigaFLOPS-PER-W")),
        ),
        ("CPUPageFault", ["1", "2"], ColumnRule(HPC.cpuPageFault, XSD.integer)),
        ("begin address", ["0x2"], ColumnRule(HPC.beginMemoryAddress)),
        ("Registers Per Thread", ["16"], ColumnRule(HPC.registersPerThread, XSD.integer)),
    ],
)
def test_a_heading_that_names_a_property(tmp_path: Path, heading: str, values: list[str], rule: ColumnRule) -> None:
    assert rule_of(tmp_path, heading, *values) == rule


def test_a_datatype_that_no_cell_has_is_left_to_a_person(tmp_path: Path) -> None:
    assert rule_of(tmp_path, "not understood", "https://lab.eu/0").property != HPC.notUnderstood
    (offer,) = suggest(tmp_path / "t.csv").offers.values()
    assert offer.property == HPC.notUnderstood
    assert any("Its values are JSON" in remark for remark in suggest(tmp_path / "t.csv").remarks)


@pytest.mark.parametrize(
    ("values", "datatype"),
    [
        (["1", "2,000"], XSD.integer),
        (["1.0", "2"], XSD.decimal),
        (["1", "NaN", "INF"], XSD.double),
        (["007", "8"], XSD.string),
        (["true", "False"], XSD.boolean),
        (["2020-01-01"], XSD.date),
        (["2020-01-01T10:00:00"], XSD.dateTime),
        (["a", "1"], XSD.string),
        (["None", "1"], XSD.integer),
        ([""], XSD.string),
    ],
)
def test_values_tell_the_datatype(tmp_path: Path, values: list[str], datatype: NamedNode) -> None:
    rule = rule_of(tmp_path, "Zzz", *values)
    assert rule.datatype == datatype
    assert rule.property == NamedNode("https://example.org/tables/t#zzz")


@pytest.mark.parametrize(
    ("heading", "name"),
    [("HPCG", "hpcg"), ("Power Source", "powerSource"), ("größe", "gr%C3%B6%C3%9Fe"), ("%", "column")],
)
def test_a_property_of_the_tables_own_is_called_like_its_heading(tmp_path: Path, heading: str, name: str) -> None:
    assert rule_of(tmp_path, heading, "x").property == NamedNode(f"https://example.org/tables/t#{name}")


def test_a_key_names_the_rows(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Rank,System ID\n1,a\n1,b\n")
    assert suggest(tmp_path / "t.csv").mapping.subject.text == "https://example.org/tables/t/{System ID}"
    (tmp_path / "t.csv").write_text("Rank,System ID\n1,a\n2,a\n")
    found = suggest(tmp_path / "t.csv")
    assert found.mapping.subject.text == "https://example.org/tables/t/{#}"
    assert "No column names its rows; their numbers do." in found.remarks


def write_names(file: Path, names: list[str]) -> None:
    """A table of names and ages, in the syntax of the file's ending."""
    if file.suffix == ".json":
        file.write_text(json.dumps([{"Name": name, "Age": 1} for name in names]))
    elif file.suffix == ".xlsx":
        import openpyxl

        book = openpyxl.Workbook()
        for row in (("Name", "Age"), *((name, 1) for name in names)):
            book.active.append(row)  # type: ignore[union-attr]  # a new workbook has a sheet
        book.save(file)
    else:
        file.write_text("Name,Age\n" + "".join(f"{name},1\n" for name in names))


@pytest.mark.parametrize("ending", ["csv", "json", "xlsx"])
@pytest.mark.parametrize("last", ["n700", "n3", ""])
def test_a_key_that_a_later_row_repeats_or_lacks_is_none(tmp_path: Path, ending: str, last: str) -> None:
    write_names(tmp_path / f"t.{ending}", [*(f"n{number}" for number in range(700)), last])
    blank = "{Name}" if last == "n700" else "{#}"
    assert suggest(tmp_path / f"t.{ending}").mapping.subject.text == f"https://example.org/tables/t/{blank}"


def test_sheets_of_one_workbook_share_no_row(tmp_path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    for sheet in (book.active, book.create_sheet("More")):
        sheet.append(["Colour"])  # type: ignore[union-attr]  # a new workbook has a sheet
        sheet.append(["red"])  # type: ignore[union-attr]
    book.save(tmp_path / "t.xlsx")
    subjects = []
    for name in book.sheetnames:
        with open_table(tmp_path / "t.xlsx", TableFormat(sheet=name)) as table:
            subjects.append(suggest_mapping(table, (), {}, {}).mapping.subject.text)
    assert subjects == ["https://example.org/tables/t/Sheet/{#}", "https://example.org/tables/t/More/{#}"]


@pytest.mark.parametrize(
    ("heading", "value", "doubt"),
    [
        ("Duration", "12448", "It is a quantity, and the heading names no unit that is known"),
        ("Execution time (kW)", "1.5", "Its values are in units like s, and those of the column in kW"),
        ("Power", "low", "It is a quantity, and the values are no numbers"),
        ("Benchmark", "bfs", "It is a link to a Benchmark, and the values are no links"),
        ("Theoretical occupancy [%]", "75", "It has no unit, and the heading names one"),
        ("Registers per thread", "1.5", "It is a whole number, and the values are not"),
        ("Identifier", "17", "It is an address, and the values are not"),
        ("Power", "", "No value was seen that could tell"),
    ],
)
def test_a_property_that_takes_other_values_is_offered_and_not_used(
    tmp_path: Path, heading: str, value: str, doubt: str
) -> None:
    (tmp_path / "t.csv").write_text(f"{heading},Other\n{value},x\n")
    found = suggest(tmp_path / "t.csv")
    (rule,) = found.mapping.columns[heading]
    offer = found.offers[heading]
    assert rule.property.value.startswith("https://example.org/tables/t#")
    assert offer.property.value.startswith(HPC)
    assert any(f"? {doubt}" in remark for remark in found.remarks)


def test_a_deprecated_spelling_stands_for_the_property_that_is_used(tmp_path: Path) -> None:
    assert rule_of(tmp_path, "Duration [ns]", "1") == ColumnRule(HPC.executionTime, XSD.decimal, UNIT.NanoSEC)


def test_numbers_take_the_datatype_of_the_property(tmp_path: Path) -> None:
    assert rule_of(tmp_path, "Theoretical occupancy", "100").datatype == XSD.double
    assert rule_of(tmp_path, "Waves Per SM", "7").datatype == XSD.decimal


def test_no_two_columns_share_a_property(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Zzz [%],Zzz,zzz,Kernel,Kernel name\n1,2,3,a,b\n")
    found = suggest(tmp_path / "t.csv").mapping
    assert len({rule.property for (rule,) in found.columns.values()}) == 5
    assert found.columns["Kernel"][0].property == HPC.kernelName


def test_a_row_of_units_below_the_heading_is_found(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Name,Time,Size,Rate\n,us,Kbyte,inst/cycle\na,1.5,2,3\n")
    with open_table(tmp_path / "t.csv", TableFormat(heading=LIKELY_ROW)) as table:
        mapping = suggest_mapping(table, (), known_units(), {}).mapping
    assert mapping.table.units
    assert [mapping.columns[name][0].unit for name in ("Time", "Size", "Rate")] == [UNIT.MicroSEC, UNIT.KiloBYTE, None]
    assert parse_mapping(mapping_text(mapping)) == mapping


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=6) | st.integers().map(str)


@given(
    names=st.lists(CELLS.filter(lambda name: name.strip() != "a key"), min_size=2, max_size=4, unique_by=str.strip),
    rows=st.lists(st.lists(CELLS, min_size=4, max_size=4), max_size=4),
)
def test_the_suggestion_converts_the_table_it_was_made_from(
    names: list[str], rows: list[list[str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("table") / "t.csv"
    with open(file, "w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, quoting=csv.QUOTE_ALL)
        writer.writerows([["a key", *names], *([f"k{number}", *row[: len(names)]] for number, row in enumerate(rows))])
    mapping = suggest(file).mapping
    assert parse_mapping(mapping_text(mapping)) == mapping
    with open_table(file) as table:
        conversion = Conversion(mapping, table)
        list(conversion.quads())
    assert (conversion.converted, conversion.rejects) == (len(rows), [])


@pytest.mark.parametrize(
    ("heading", "unit"),
    [("size_GB", UNIT.GigaBYTE), ("time in ms", UNIT.MilliSEC), ("power, kW", UNIT.KiloW), ("node_S", None)],
)
def test_units_behind_a_heading(tmp_path: Path, heading: str, unit: NamedNode | None) -> None:
    assert rule_of(tmp_path, heading, "1", "2").unit == unit


@pytest.mark.parametrize(
    ("values", "datatype", "date_format"),
    [
        (["31.12.2020", "1.2.2021"], XSD.date, "%d.%m.%Y"),
        (["12/31/2020"], XSD.date, "%m/%d/%Y"),
        (["31/12/2020"], XSD.date, "%d/%m/%Y"),
        (["31.12.2020 10:30"], XSD.dateTime, "%d.%m.%Y %H:%M"),
        (["01/02/2020"], XSD.string, ""),
    ],
)
def test_dates_tell_how_they_are_written(
    tmp_path: Path, values: list[str], datatype: NamedNode, date_format: str
) -> None:
    rule = rule_of(tmp_path, "Zzz", *values)
    assert (rule.datatype, rule.date_format) == (datatype, date_format)


def test_dates_that_can_be_read_two_ways_are_left_to_a_person(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Zzz\n01/02/2020\n")
    assert any("day and month could be either" in remark for remark in suggest(tmp_path / "t.csv").remarks)


def test_addresses_are_links(tmp_path: Path) -> None:
    assert rule_of(tmp_path, "Zzz", "https://example.org/a", "urn:x:b").iri


def test_numbers_with_decimal_commas(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Zzz;Yyy\n1.234,5;0,5\n2,5;1,5\n")
    mapping = suggest(tmp_path / "t.csv").mapping
    assert (mapping.numbers.thousands, mapping.numbers.decimal) == (".", ",")
    assert mapping.columns["Zzz"][0].datatype == XSD.decimal


def test_names_of_resources_that_are_there_become_links_to_them(tmp_path: Path) -> None:
    known = {"Summit": NamedNode("https://example.org/summit"), "Lassen": NamedNode("https://example.org/lassen")}
    (tmp_path / "t.csv").write_text("Machine,Other\nSummit,Summit\nLassen,x\n")
    with open_table(tmp_path / "t.csv") as table:
        suggestion = suggest_mapping(table, PROPERTIES, known_units(), property_kinds(), known.get)
    assert suggestion.mapping.columns["Machine"][0].lookup == known
    assert suggestion.mapping.columns["Other"][0].lookup is None
    assert any("names of resources" in remark for remark in suggestion.remarks)


def test_a_class_is_suggested_where_most_columns_are_of_its_things(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Rmax [TFlop/s],top500nmax,top500nhalf,Country,segment\n1,2,3,x,y\n")
    (cls,) = suggest(tmp_path / "t.csv").mapping.classes
    assert cls == HPC.Cluster


def test_one_text_among_numbers_is_no_value(tmp_path: Path) -> None:
    rule = rule_of(tmp_path, "Zzz [ns]", "1", "not measured", "3")
    assert (rule.unit, rule.absent) == (UNIT.NanoSEC, frozenset({"", "not measured"}))
    assert rule_of(tmp_path, "Zzz [ns]", "1", "no", "either").unit is None
    assert rule_of(tmp_path, "Zzz", "1", "x2").absent is None


VALUES = {
    "whole numbers": st.integers(0, 10**9).map(str),
    "fractions": st.decimals(0, 10**6, places=3).map(str),
    "floating-point": st.floats(0, 1e9).map(repr) | st.just("NaN"),
    "texts": st.sampled_from(["Japan", "x y", "0x2000", "=1+1"]),
    "addresses": st.integers(0, 9).map("https://lab.eu/{}".format),
    "dates": st.dates().map(str),
    "moments": st.datetimes().map(lambda moment: moment.isoformat()),
    "truths": st.sampled_from(["true", "false"]),
    "nothing": st.just(""),
}
HEADINGS = st.tuples(
    st.sampled_from(sorted({info.label for info in PROPERTIES if info.term.value.startswith(HPC)})),
    st.sampled_from(["", " [ns]", " (kW)", " [GB]", " [TFlop/s]", " [%]"]),
)


@pytest.mark.slow
@given(data=st.data(), headings=st.lists(HEADINGS.map("".join), min_size=1, max_size=8, unique=True))
def test_what_a_suggestion_writes_violates_no_shape(
    data: st.DataObject, headings: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever stands below a heading that is called like a property of the ontology."""
    folder = tmp_path_factory.mktemp("table")
    columns = [
        data.draw(st.lists(VALUES[data.draw(st.sampled_from(sorted(VALUES)))], min_size=2, max_size=2))
        for _ in headings
    ]
    with open(folder / "t.csv", "w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, quoting=csv.QUOTE_ALL).writerows([headings, *zip(*columns, strict=True)])
    mapping = parse_mapping(suggested_mapping(folder / "t.csv"))
    with open_table(folder / "t.csv", mapping.table) as table:
        conversion = Conversion(mapping, table)
        made = serialize(conversion.quads(), format=RdfFormat.N_TRIPLES)
    assert (conversion.converted, conversion.rejects) == (2, [])
    (folder / "made.nt").write_bytes(made)
    session = Session.new()
    try:
        open_sources(session, [str(folder / "made.nt")])
        assert [one for one in check_graph(session) if one.severity is Severity.VIOLATION] == []
    finally:
        session.close()


@pytest.mark.parametrize(
    ("first", "later", "datatype"),
    [
        ("1", ["2", "matrix1024", "3x"], XSD.string),
        ("1", ["2.5"], XSD.decimal),
        ("1", ["007"], XSD.string),
        ("1.5", ["NaN"], XSD.decimal),
        ("1.5", ["INF"], XSD.double),
        ("1", ["n/a"], XSD.integer),
        ("", ["5", "6"], XSD.integer),
        ("true", ["1"], XSD.string),
        ("2020-01-01", ["never, 2020"], XSD.string),
        ("01/02/2020", ["31/12/2020"], XSD.date),
        ("https://lab.eu/1", ["none of them"], XSD.string),
    ],
)
def test_later_values_of_a_column_count_too(tmp_path: Path, first: str, later: list[str], datatype: NamedNode) -> None:
    rule = rule_of(tmp_path, "Zzz", *([first] * 900), *later)
    assert (rule.datatype, rule.iri) == (datatype, False)
    with open_table(tmp_path / "t.csv") as table:
        conversion = Conversion(suggest(tmp_path / "t.csv").mapping, table)
        list(conversion.quads())
    assert conversion.rejects == []
