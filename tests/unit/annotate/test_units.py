"""Units by what a person types."""

from __future__ import annotations

import pytest

from hpc_explorer.annotate.forms.entries import entry_text, read_quantity_entry
from hpc_explorer.annotate.units import unit_called, units_called
from hpc_explorer.errors import WrongEntry
from hpc_explorer.rdf.namespaces import HPC, UNIT
from hpc_explorer.rdf.quantities import known_units
from hpc_explorer.rdf.terms import NamedNode


@pytest.mark.parametrize(
    ("typed", "unit"),
    [
        ("GB", UNIT.GigaBYTE),
        ("GBy", UNIT.GigaBYTE),
        ("unit:GigaBYTE", UNIT.GigaBYTE),
        ("GigaBYTE", UNIT.GigaBYTE),
        ("gigabytes", UNIT.GigaBYTE),
        ("<http://qudt.org/vocab/unit/GigaBYTE>", UNIT.GigaBYTE),
        ("GiBy", UNIT.GibiBYTE),
        ("GiB", UNIT.GibiBYTE),
        ("GB/s", UNIT.term("GigaBYTE-PER-SEC")),
        ("GBy/s", UNIT.term("GigaBYTE-PER-SEC")),
        ("GBy.s-1", UNIT.term("GigaBYTE-PER-SEC")),
        ("TFLOP/s", UNIT.TeraFLOPS),
        ("TFLOPS", UNIT.TeraFLOPS),
        ("Tflop/s", UNIT.TeraFLOPS),
        ("hpc:ExaFLOPS", HPC.ExaFLOPS),
        ("us", UNIT.MicroSEC),
        ("min", UNIT.MIN),
        ("Minutes", UNIT.MIN),
        ("%", UNIT.PERCENT),
        ("mW", UNIT.MilliW),
        ("MW", UNIT.MegaW),
        ("kWs", None),
        ("parsec", None),
    ],
)
def test_a_unit_by_its_symbol_its_code_or_its_name(typed: str, unit: NamedNode | None) -> None:
    assert unit_called(typed) == unit


def test_a_case_of_letters_that_means_two_units_means_none() -> None:
    assert unit_called("mw") is None


def test_each_unit_is_named_by_all_that_it_is_called() -> None:
    for iri, unit in known_units().items():
        for name in filter(None, (unit.symbol, unit.label, unit.ucum, unit.other_name, iri.value)):
            assert unit_called(name) == iri


def test_units_are_found_as_they_are_typed() -> None:
    assert [unit.symbol for unit in units_called("Gi")][:2] == ["GiB", "GB"]
    assert units_called("GBy")[0].iri == UNIT.GigaBYTE
    assert {unit.symbol for unit in units_called("watt")} >= {"W", "kW", "MW", "mW"}
    assert len(units_called("")) == len(known_units())
    assert units_called("parsec") == ()


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("1.5 TFLOP/s", "1.5 Tflop/s"),
        ("3GiBy", "3 GiB"),
        ("442,010.00 unit:TeraFLOPS", "442,010.00 Tflop/s"),
        ("2e3 GB/s", "2e3 GB/s"),
        ("40%", "40%"),
    ],
)
def test_a_quantity_typed_with_a_code(typed: str, shown: str) -> None:
    assert entry_text(read_quantity_entry(typed)) == shown


def test_a_unit_chosen_beside_the_number_gives_way_to_one_in_the_text() -> None:
    assert entry_text(read_quantity_entry("16", unit=UNIT.GigaBYTE)) == "16 GB"
    assert entry_text(read_quantity_entry("16 MB", unit=UNIT.GigaBYTE)) == "16 MB"
    with pytest.raises(WrongEntry, match="needs a unit"):
        read_quantity_entry("16")
