"""Read yProv4ML's documents: PROV-JSON whose types are texts, whose names have no namespace, and which are runs.

The roles that yProv4ML gives (`provml:Metric`, `provml:HyperParameter`, …) become PROV-ML's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hpc_explorer.interchange.json_values import read_json
from hpc_explorer.interchange.prov_json import is_prov_json, records_of_json
from hpc_explorer.interchange.prov_records import statements_of
from hpc_explorer.interchange.statements import Findings
from hpc_explorer.rdf.namespaces import HPC, PROV, PROVML, RDF
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad

_ROLES: Mapping[str, NamedNode] = {
    "provml:HyperParameter": PROVML.LearningHyperparameterValue,
    "provml:Metric": PROVML.ModelEvaluation,
    "provml:Dataset": PROVML.LearningDataset,
    "provml:Model": PROVML.Model,
    "provml:ModelVersion": PROVML.Model,
}


def is_yprov(keys: Mapping[str, frozenset[str]], text: str) -> bool:
    """Whether a document is PROV-JSON by yProv4ML."""
    return is_prov_json(keys) and "HPCI-Lab/yProv4ML" in text


def read_yprov(document: Document, base: str, findings: Findings) -> Iterator[Quad]:
    """The statements of a document, with PROV-ML's classes beside PROV's."""
    for record in records_of_json(read_json(document, findings), base, document.where, findings):
        yield from statements_of(record)
        if record.id is None:
            continue
        if record.kind == "activity":
            yield Quad(record.id, RDF.type, HPC.Experiment, record.bundle)
        for name, term in record.attributes:
            if name == PROV.type and isinstance(term, Literal) and term.value in _ROLES:
                yield Quad(record.id, RDF.type, _ROLES[term.value], record.bundle)
