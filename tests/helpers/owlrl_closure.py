"""What owlrl, the reference implementation of OWL 2 RL, concludes."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterable

from pyoxigraph import RdfFormat, parse, serialize

from hpc_explorer.rdf.terms import BlankNode, NamedNode, Quad, Triple


def owlrl_conclusions(triples: Iterable[Triple]) -> set[Triple]:
    """What owlrl, the reference implementation of OWL 2 RL, adds to a graph, without what is no RDF."""
    import owlrl
    import rdflib

    # Blank nodes would come back under other names.
    data = serialize((Quad(*skolemised(one)) for one in triples), format=RdfFormat.N_TRIPLES)
    graph = rdflib.Graph().parse(data=data, format="nt")
    before = set(graph)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        owlrl.DeductiveClosure(owlrl.OWLRL_Semantics, axiomatic_triples=False, datatype_axioms=False).expand(graph)
    for one in set(graph):
        if isinstance(one[0], rdflib.Literal) or not isinstance(one[1], rdflib.URIRef) or one in before:
            graph.remove(one)
    text = graph.serialize(format="nt", encoding="utf-8")
    return {quad.triple for quad in parse(io.BytesIO(text), RdfFormat.N_TRIPLES)}


def skolemised(one: Triple) -> Triple:
    """A triple with IRIs in place of blank nodes."""

    def named(term: object) -> object:
        return NamedNode(f"urn:blank:{term.value}") if isinstance(term, BlankNode) else term

    return Triple(named(one.subject), one.predicate, named(one.object))  # type: ignore[arg-type]
