"""The units file: whole, exact, and in step with QUDT where QUDT can be asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from hpc_explorer.rdf.namespaces import HPC, QUDT, RDF, RDFS, SKOS, UNIT, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode
from tests.helpers.ontology_files import BY_FILE, SHORT, name_of, read

UNITS_FILE = BY_FILE["units"]
UNITS = sorted(
    (unit for unit in UNITS_FILE.subjects(RDF.type, QUDT.Unit) if isinstance(unit, NamedNode)),
    key=str,
)


def factor(unit: NamedNode) -> Decimal:
    (value,) = UNITS_FILE.objects(unit, QUDT.conversionMultiplier)
    assert isinstance(value, Literal)
    assert value.datatype == XSD.decimal
    return Decimal(value.value)


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ("unit:BYTE", "1"),
        ("unit:KiloBYTE", "1e3"),
        ("unit:GigaBYTE", "1e9"),
        ("unit:ExaBYTE", "1e18"),
        ("unit:KibiBYTE", "1024"),
        ("unit:MebiBYTE", "1048576"),
        ("unit:GibiBYTE", "1073741824"),
        ("unit:TebiBYTE", "1099511627776"),
        ("unit:PebiBYTE", "1125899906842624"),
        ("unit:ExbiBYTE", "1152921504606846976"),
        ("unit:HZ", "1"),
        ("unit:MegaHZ", "1e6"),
        ("unit:GigaHZ", "1e9"),
        ("unit:FLOPS", "1"),
        ("hpc:KiloFLOPS", "1e3"),
        ("unit:TeraFLOPS", "1e12"),
        ("unit:PetaFLOPS", "1e15"),
        ("hpc:ExaFLOPS", "1e18"),
        ("unit:W", "1"),
        ("unit:KiloW", "1e3"),
        ("unit:MegaW", "1e6"),
        ("unit:SEC", "1"),
        ("unit:MilliSEC", "1e-3"),
        ("unit:MicroSEC", "1e-6"),
        ("unit:NanoSEC", "1e-9"),
        ("unit:MIN", "60"),
        ("unit:HR", "3600"),
        ("unit:DAY", "86400"),
        ("unit:FRACTION", "1"),
        ("unit:PERCENT", "1e-2"),
        ("unit:BYTE-PER-SEC", "1"),
        ("unit:GigaBYTE-PER-SEC", "1e9"),
        ("hpc:TeraBYTE-PER-SEC", "1e12"),
        ("hpc:FLOPS-PER-W", "1"),
        ("hpc:GigaFLOPS-PER-W", "1e9"),
    ],
)
def test_factor_is_exact(unit: str, expected: str) -> None:
    assert factor(SHORT.resolve(unit)) == Decimal(expected)


@pytest.mark.parametrize("unit", UNITS, ids=name_of)
def test_unit_is_complete(unit: NamedNode) -> None:
    assert len(UNITS_FILE.texts(unit, RDFS.label)) == 1
    assert len(UNITS_FILE.texts(unit, QUDT.symbol)) == 1
    (kind,) = UNITS_FILE.objects(unit, QUDT.hasQuantityKind)
    of_its_kind = UNITS_FILE.subjects(QUDT.hasQuantityKind, kind)
    (base,) = [other for other in of_its_kind if not UNITS_FILE.objects(other, QUDT.scalingOf)]
    if unit == base:
        assert factor(unit) == 1
    else:
        assert UNITS_FILE.objects(unit, QUDT.scalingOf) == {base}
        assert factor(unit) > 0


@pytest.mark.parametrize("unit", UNITS, ids=name_of)
def test_unit_is_qudt_s_or_says_that_qudt_lacks_it(unit: NamedNode) -> None:
    assert unit.value.startswith((UNIT, HPC))
    assert bool(UNITS_FILE.texts(unit, SKOS.note)) == unit.value.startswith(HPC)


@pytest.mark.parametrize("predicate", [RDFS.label, QUDT.symbol], ids=name_of)
def test_labels_and_symbols_tell_units_apart(predicate: NamedNode) -> None:
    texts = Counter(text for unit in UNITS for text in UNITS_FILE.texts(unit, predicate))
    assert [text for text, times in texts.items() if times > 1] == []


def test_fugaku_s_efficiency() -> None:
    """Listing 2 of the HPC ontology paper: 442010 Tflop/s for 29899.23 kW are 14.78 Gflop/s/W."""
    performance = Decimal("442010.00") * factor(UNIT.TeraFLOPS)
    power = Decimal("29899.23") * factor(UNIT.KiloW)
    assert round(performance / power / factor(HPC.term("GigaFLOPS-PER-W")), 2) == Decimal("14.78")


# Units of ours that QUDT got after 2.1, the release at hand.
YOUNGER_THAN_QUDT_2_1 = {
    "unit:FLOPS",
    "unit:MegaFLOPS",
    "unit:GigaFLOPS",
    "unit:TeraFLOPS",
    "unit:PetaFLOPS",
    "unit:BYTE-PER-SEC",
    "unit:MegaBYTE-PER-SEC",
    "unit:GigaBYTE-PER-SEC",
}
# Units to which QUDT 2.1 gave powers of 1024; later releases have powers of 1000, as we do.
BINARY_IN_QUDT_2_1 = {"unit:KiloBYTE", "unit:MegaBYTE", "unit:GigaBYTE"}


def test_factors_agree_with_qudt(shared_data: Callable[[str], Path]) -> None:
    """Our factor of a unit is the ratio of QUDT's multipliers of the unit and of its base."""
    qudt = read(shared_data("ontologies/vocabularies/unit.nq"))
    known = {triple.subject for triple in qudt.triples}
    assert {name_of(u) for u in UNITS if u.value.startswith(UNIT)} - set(map(name_of, known)) == YOUNGER_THAN_QUDT_2_1
    compared, disagreeing = set(), set()
    for unit in UNITS:
        for base in UNITS_FILE.objects(unit, QUDT.scalingOf):
            multipliers = [qudt.texts(term, QUDT.conversionMultiplier) for term in (unit, base)]
            if all(multipliers):
                (of_unit,), (of_base,) = multipliers
                compared.add(name_of(unit))
                if abs(Decimal(of_unit) / Decimal(of_base) / factor(unit) - 1) > Decimal("1e-15"):
                    disagreeing.add(name_of(unit))
    assert len(compared) >= 20
    assert disagreeing == BINARY_IN_QUDT_2_1
