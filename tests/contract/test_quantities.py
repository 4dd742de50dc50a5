"""A quantity between two amounts is the same on every store, in whatever unit, spelling and terms it is given."""

from __future__ import annotations

from decimal import Decimal

import pytest

from hpc_explorer.query.model.patterns import Group, QuantityRange, Statement
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.query.sparql.writing import sparql_text
from hpc_explorer.rdf.namespaces import QUDT, RDF, UNIT, XSD, Namespace
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad, Variable
from tests.contract.conftest import Backend

EX = Namespace("https://example.org/")
AMOUNTS: dict[str, tuple[NamedNode, str, NamedNode, NamedNode, NamedNode]] = {
    "16-GB": (QUDT.value, "16", XSD.decimal, QUDT.unit, UNIT.GigaBYTE),
    "0.016-TB": (QUDT.numericValue, "0.016", XSD.decimal, QUDT.hasUnit, UNIT.TeraBYTE),
    "16E3-MB": (QUDT.numericValue, "1.6E4", XSD.double, QUDT.unit, UNIT.MegaBYTE),
    "16,000-MB": (RDF.value, "16,000.0", XSD.string, QUDT.unit, UNIT.MegaBYTE),
    "14.9-GiB": (RDF.value, "14.9", XSD.double, QUDT.hasUnit, UNIT.GibiBYTE),
    "200,000-EB": (QUDT.value, "200000", XSD.integer, QUDT.unit, UNIT.ExaBYTE),
    "16-GHz": (QUDT.value, "16", XSD.integer, QUDT.unit, UNIT.GigaHZ),
    "none-GB": (QUDT.value, "unknown", XSD.string, QUDT.unit, UNIT.GigaBYTE),
}


@pytest.mark.parametrize(
    ("least", "most", "expected"),
    [
        ("16", "16", {"16-GB", "0.016-TB", "16E3-MB", "16,000-MB"}),
        ("15.9", "15.9999", {"14.9-GiB"}),
        ("17", None, {"200,000-EB"}),
        ("1E+13", None, {"200,000-EB"}),
        (None, "15.9989", {"14.9-GiB"}),
    ],
)
def test_quantities(backend: Backend, least: str | None, most: str | None, expected: set[str]) -> None:
    backend.fill(
        quad
        for name, (value, spelled, datatype, has_unit, unit) in AMOUNTS.items()
        for quad in (
            Quad(EX.machine, EX.memory, EX.term(name), EX.graph),
            Quad(EX.term(name), value, Literal(spelled, datatype=datatype), EX.graph),
            Quad(EX.term(name), has_unit, unit, EX.graph),
        )
    )
    machine, memory = Variable("machine"), Variable("memory")
    bounds = (None if bound is None else Decimal(bound) for bound in (least, most))
    where = Group((Statement(machine, EX.memory, memory), QuantityRange(memory, UNIT.GigaBYTE, *bounds)))
    rows = backend.store.select(sparql_text(QueryModel(where, columns=(memory,))))
    assert {str(row["memory"]).strip("<>").removeprefix(EX) for row in rows} == expected
