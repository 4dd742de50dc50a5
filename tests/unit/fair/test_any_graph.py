"""Whatever a graph says of a resource, it is assessed: 47 findings with a sentence each, the same each time."""

from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.fair.assessment import assess
from hpc_explorer.fair.collecting import subject_of, subjects_of
from hpc_explorer.fair.indicators import INDICATORS
from hpc_explorer.fair.terms import (
    BACKWARD_ROLES,
    DATASET_CLASSES,
    ELEMENTS_INTO,
    ELEMENTS_OF,
    FAIR_TERMS,
    FORWARD_ROLES,
    MODEL_CLASSES,
)
from hpc_explorer.fair.values import Verdict
from hpc_explorer.ontology.common_terms import TERMS
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad
from tests.helpers.examples import examples
from tests.helpers.fair_mutations import WHEN, store_with
from tests.helpers.graphs import ex

PREDICATES = sorted(
    {
        RDF.type,
        *ELEMENTS_INTO,
        *ELEMENTS_OF,
        *(term for terms in (*TERMS.values(), *FAIR_TERMS.values()) for term in terms),
        *(term for _, terms in (*FORWARD_ROLES, *BACKWARD_ROLES) for term in terms),
    },
    key=str,
)
NODES = [ex("d"), ex("a"), ex("b"), BlankNode("x"), BlankNode("y"), NamedNode("https://doi.org/10.1234/a")]
WORDS = [
    "", " ", "\n", "http://[bad/", "//[", "10.", "doi:", "ark:/", "1e400", "-1", "a" * 5000, "\u202e",
    "file:///a", "://", "c_abf2", "CC BY", "text/csv", "x/y/z", "2022-99-99", "true", "https://", "ftp://h/%", "0:0:0",
]  # fmt: skip
OBJECTS = [
    *NODES,
    *sorted(DATASET_CLASSES | MODEL_CLASSES, key=str)[:6],
    *(Literal(word) for word in WORDS),
    *(Literal(word, datatype=kind) for word in WORDS[:6] for kind in (XSD.integer, XSD.date, XSD.boolean)),
    NamedNode("urn:x"), NamedNode("http://h:99999/"), NamedNode("mailto:a"), NamedNode("http://a.eu/?#"),
]  # fmt: skip

QUADS = st.builds(
    Quad,
    st.sampled_from(NODES),
    st.sampled_from(PREDICATES),
    st.sampled_from(OBJECTS),
    st.just(NamedNode("urn:g")),
)


@examples(25)
@given(st.lists(QUADS, max_size=40))
def test_any_graph_is_assessed(quads: list[Quad]) -> None:
    store = store_with(quads)
    for resource in NODES:
        subject = subject_of(store, resource)
        found = assess(subject, when=WHEN)

        assert [each.indicator for each in found.findings] == [each.id for each in INDICATORS]
        assert all(each.sentence.endswith(".") and "\n" not in each.sentence for each in found.findings)
        assert all(len(each.sentence) < 600 for each in found.findings)
        held = frozenset(store.match())
        assert all(held.issuperset(each.evidence) for each in found.findings)
        if subject.quads or subject.links_here:
            assert all(each.evidence for each in found.findings if each.verdict is Verdict.PASS)
        assert assess(subject_of(store, resource), when=WHEN) == found


@examples(100)
@given(st.lists(QUADS, max_size=40))
def test_each_of_many_is_assessed_as_it_is_alone(quads: list[Quad]) -> None:
    store = store_with(quads)
    for resource, subject in zip(NODES, subjects_of(store, NODES), strict=True):
        assert assess(subject, when=WHEN) == assess(subject_of(store, resource), when=WHEN)
