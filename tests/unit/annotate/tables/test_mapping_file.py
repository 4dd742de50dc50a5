"""Mappings as YAML."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.annotate.tables.mapping import ColumnRule, Constant, NumberFormat, TableMapping
from hpc_explorer.annotate.tables.mapping_file import (
    find_mapping,
    mapping_text,
    parse_mapping,
    read_mapping,
    shipped_mappings,
    write_mapping,
)
from hpc_explorer.annotate.tables.template import parse_template
from hpc_explorer.errors import DamagedMapping, SourceNotFound
from hpc_explorer.rdf.namespaces import HPC, UNIT, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode

NAMES = (
    st.text(st.characters(codec="utf-8", exclude_categories=("C",), exclude_characters="{}"), min_size=1)
    .map(str.strip)
    .filter(bool)
)
IRIS = st.sampled_from([HPC.name, HPC.hasRmax, UNIT.TeraFLOPS, NamedNode("https://example.org/a")])
ABSENT = st.frozensets(NAMES, max_size=3).map(lambda texts: texts | {""})
PLAIN = st.builds(
    ColumnRule,
    property=IRIS,
    datatype=st.sampled_from([XSD.string, XSD.integer, XSD.date]),
    separator=st.sampled_from(["", ";"]),
    absent=st.none() | ABSENT,
    required=st.booleans(),
    date_format=st.sampled_from(["", "%d.%m.%Y"]),
)
QUANTITIES = st.builds(ColumnRule, property=IRIS, datatype=st.sampled_from([XSD.decimal, XSD.double]), unit=IRIS)
TEXTS = st.builds(ColumnRule, property=IRIS, language=st.sampled_from(["en", "de-ch"]))
LINKS = st.builds(
    ColumnRule, property=IRIS, link=NAMES.map(lambda name: parse_template(f"https://example.org/{{{name}}}"))
)
LOOKUPS = st.builds(ColumnRule, property=IRIS, lookup=st.dictionaries(NAMES, IRIS, min_size=1, max_size=3))
RULES = st.lists(PLAIN | QUANTITIES | TEXTS | LINKS | LOOKUPS, min_size=1, max_size=2).map(tuple)
VALUES = IRIS | st.sampled_from([Literal("x", language="en"), Literal("1", datatype=XSD.integer), Literal("true")])
MAPPINGS = st.builds(
    TableMapping,
    subject=NAMES.map(lambda name: parse_template(f"https://example.org/{{{name}}}")),
    classes=st.lists(IRIS, max_size=2).map(tuple),
    columns=st.dictionaries(NAMES, RULES, min_size=1, max_size=4),
    ignored=st.lists(NAMES, max_size=2).map(tuple),
    constants=st.lists(st.builds(Constant, IRIS, VALUES), max_size=2).map(tuple),
    absent=ABSENT,
    numbers=st.sampled_from([NumberFormat(), NumberFormat(".", ","), NumberFormat("", ".")]),
    skip=st.dictionaries(NAMES, st.frozensets(NAMES, min_size=1, max_size=2), max_size=2),
    prefixes=st.just({"ex": "https://example.org/"}),
)


@given(MAPPINGS)
def test_a_mapping_comes_back_as_it_was_written(mapping: TableMapping) -> None:
    assert parse_mapping(mapping_text(mapping)) == mapping


@given(st.text())
def test_any_text_is_a_mapping_or_a_named_fault(text: str) -> None:
    try:
        parse_mapping(text)
    except DamagedMapping as fault:
        assert fault.what


HEAD = "subject: https://example.org/{No}\n"


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("columns: {}\n", 1, "lacks 'subject'"),
        (HEAD + "columns:\n  A: {property: nope:x}\n", 3, "unknown prefix"),
        (HEAD + "columns:\n  A:\n    property: hpc:name\n    unti: unit:W\n", 5, "'unti'"),
        (HEAD + "columns:\n  A: {property: hpc:name, datatype: xsd:duration}\n", 3, "not known here"),
        (HEAD + "columns:\n  A: {property: hpc:name, unit: unit:W, datatype: xsd:string}\n", 3, "not known here"),
        (HEAD + "columns:\n  A: {property: hpc:name, language: en, datatype: xsd:date}\n", 3, "both"),
        (HEAD + "columns:\n  A: hpc:name\n  A: hpc:name\n", 4, "twice"),
        (HEAD + "columns:\n  A: &a hpc:name\n  B: *a\n", 3, "anchors"),
        (HEAD + "columns: [\n", 3, "YAML"),
        ("subject: '{No}'\ncolumns: {}\n", 1, "begins with a whole IRI"),
        (HEAD + "columns: {}\nnumbers: {thousands: '.', decimal: '.'}\n", 3, "two different signs"),
    ],
)
def test_a_fault_is_told_with_its_line(text: str, line: int, what: str) -> None:
    with pytest.raises(DamagedMapping) as caught:
        parse_mapping(text, "m.yaml")
    assert caught.value.where == f"m.yaml:{line}"
    assert what in caught.value.what


def test_a_name_that_yaml_takes_for_a_truth_value_stays_a_name() -> None:
    mapping = parse_mapping(
        "subject: ex:{No}\nprefixes: {ex: 'https://example.org/'}\ncolumns: {No: hpc:name}\nabsent: [None, no]\n"
    )
    assert mapping.columns == {"No": (ColumnRule(HPC.name),)}
    assert mapping.absent == {"", "None", "no"}
    assert mapping.subject == parse_template("https://example.org/{No}")


def test_a_mapping_as_a_file(tmp_path: Path) -> None:
    mapping = find_mapping("mapping:top500")
    write_mapping(mapping, tmp_path / "m.yaml")
    assert read_mapping(tmp_path / "m.yaml") == mapping
    for name in ("mapping:none", str(tmp_path / "none.yaml")):
        with pytest.raises(SourceNotFound):
            find_mapping(name)


def test_all_shipped_mappings_can_be_read() -> None:
    assert len(shipped_mappings()) == 7
    assert all(read_mapping(path).columns for path in shipped_mappings().values())
