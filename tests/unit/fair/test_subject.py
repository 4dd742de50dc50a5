"""A subject holds what belongs to one resource, wherever and in whatever order it is stored."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.fair.assessment import Assessed, assess
from hpc_explorer.fair.collecting import SAMPLE, subject_of, subjects_of
from hpc_explorer.fair.subject import Subject
from hpc_explorer.fair.terms import FairFact, Role
from hpc_explorer.rdf.namespaces import DCAT, DCTERMS, PROV, SCHEMA
from hpc_explorer.rdf.terms import BlankNode, NamedNode, Quad
from hpc_explorer.stores.base import Count, CountKind
from hpc_explorer.stores.remote.remote import RemoteStore
from tests.helpers.examples import examples
from tests.helpers.fair_mutations import PREFIXES, WHEN, store_with, whole_without
from tests.helpers.graphs import ex, store_of
from tests.helpers.oxigraph_server import oxigraph_server

RICH = (
    PREFIXES
    + whole_without().replace("{d}", "ex:d")
    + """
    ex:d schemas:identifier [ a schemas:PropertyValue ; schemas:value "10.5281/zenodo.9" ] ;
        dcat:contactPoint [ vcard:fn "Lab" ], [ vcard:fn "Desk" ] ;
        dcterms:license [ <http://www.w3.org/2000/01/rdf-schema#label> "MIT" ] ;
        prov:wasDerivedFrom ex:raw ; prov:wasGeneratedBy ex:run ;
        csvw:tableSchema [ csvw:column ( [ csvw:name "a" ] [ csvw:name "b" ] ) ] .
    ex:raw a dcat:Dataset ; dcterms:license <https://spdx.org/licenses/MIT> ; dcterms:creator ex:eve .
    ex:run a prov:Activity ; prov:used ex:raw ; prov:wasAssociatedWith ex:ann .
    ex:r a dcat:CatalogRecord ; foaf:primaryTopic ex:d ; dcterms:identifier "urn:nbn:de:1-2" .
    ex:catalogue dcat:dataset ex:raw ; dcterms:title "All" .
    ex:row1 hpc:isPartOf ex:d ; hpc:value [ qudt:numericValue 1 ; qudt:unit unit:SEC ] .
    ex:row2 hpc:isPartOf ex:d .
    ex:series a dcat:Dataset ; dcterms:isPartOf ex:d .
    """
)


def rich() -> Subject:
    return subject_of(store_of(RICH), ex("d"))


def test_what_belongs_to_it_is_told_by_what_it_is_to_it() -> None:
    subject = rich()

    assert [node.resource for node in subject.distributions] == [ex("csv")]
    assert [node.resource for node in subject.records] == [ex("r")]
    assert [node.resource for node in subject.activities] == [ex("run")]
    assert len(subject.of(Role.CONTACT)) == 2
    assert {node.resource for node in subject.agents} == {ex("ann"), ex("lab")}
    assert len(subject.of(Role.LICENCE)) >= 1
    assert (
        sum(quad.predicate.value.endswith("#name") for node in subject.of(Role.STRUCTURE) for quad in node.quads) == 2
    )
    assert [node.resource for node in subject.elements.nodes] == [ex("row1"), ex("row2")]
    assert subject.elements.count == Count(2)
    assert len(subject.elements.values) == 1
    assert not subject.is_model


def test_of_another_dataset_only_its_classes_are_known() -> None:
    subject = rich()

    assert subject.targets[ex("raw")] == (DCAT.Dataset,)
    assert subject.node(ex("raw")) is None
    assert all(quad.subject != ex("raw") for quad in subject.all_quads())
    assert Quad(ex("catalogue"), DCAT.dataset, ex("raw"), NamedNode("urn:test:graph")) not in subject.all_quads()


def test_the_statements_that_lead_to_a_node_are_told() -> None:
    subject = rich()

    assert [quad.predicate for quad in subject.link_to(ex("csv"))] == [DCAT.distribution]
    assert [quad.predicate for quad in subject.link_to(ex("ann"))] == [DCTERMS.creator]
    assert [quad.subject for quad in subject.link_to(ex("r"))] == [ex("r")]
    assert subject.link_to(ex("d")) == ()
    assert subject.link_to(ex("nobody")) == ()


def test_its_own_words_about_other_things_stay() -> None:
    subject = subject_of(store_of("ex:d schema:about ex:gpu ."), ex("d"))

    assert [quad.predicate for quad in subject.stated(FairFact.KEYWORDS)] == [SCHEMA.about]


@pytest.mark.parametrize(
    "kind", ["hpc:AIModel", "<https://w3id.org/fair4ml#MLModel>", "<https://w3id.org/fair4ml/MLModel>", "mls:Model"]
)
def test_a_model_is_told_by_its_class(kind: str) -> None:
    subject = subject_of(store_of(f"ex:d a {kind} ."), ex("d"))

    assert subject.is_model
    assert assess(subject, when=WHEN).assessed is Assessed.MODEL


def test_a_large_dataset_has_a_sample_and_a_count() -> None:
    store = store_of("\n".join(f"ex:row{number:04} dcterms:isPartOf ex:d ." for number in range(SAMPLE + 30)))
    elements = subject_of(store, ex("d")).elements

    assert elements.count == Count(SAMPLE + 30)
    assert [node.resource for node in elements.nodes] == [ex(f"row{number:04}") for number in range(SAMPLE)]


def test_many_are_the_same_as_one_by_one() -> None:
    store = store_of(RICH)
    resources = [ex("raw"), ex("d"), ex("nobody"), ex("series")]

    together = list(subjects_of(store, resources))

    assert together == [subject_of(store, each) for each in resources]


def test_parts_that_are_programs_are_no_data() -> None:
    subject = subject_of(
        store_of("ex:d schemas:hasPart ex:code, ex:how, ex:row . ex:code a schemas:SoftwareSourceCode . "
                 "ex:how a schemas:HowTo . ex:row hpc:value 1 ."),
        ex("d"),
    )  # fmt: skip

    assert [node.resource for node in subject.elements.nodes] == [ex("row")]
    assert subject.elements.count.value == 1


QUADS = list(store_of(RICH).match())


@examples(15)
@given(st.permutations(QUADS), st.integers(1, 3), st.text("abcdefgh", min_size=1, max_size=5))
def test_order_names_of_blank_nodes_and_graphs_do_not_matter(quads: list[Quad], graphs: int, name: str) -> None:
    def renamed(term: object) -> object:
        return BlankNode(f"{name}{term.value[::-1]}") if isinstance(term, BlankNode) else term

    others = [
        Quad(renamed(quad.subject), quad.predicate, renamed(quad.object), NamedNode(f"urn:g:{number % graphs}"))  # type: ignore[arg-type]  # terms stay terms
        for number, quad in enumerate(quads)
    ]
    as_it_was = assess(rich(), when=WHEN)
    again = assess(subject_of(store_with(others), ex("d")), when=WHEN)

    assert [(each.verdict, each.basis, each.sentence, each.missing) for each in again.findings] == [
        (each.verdict, each.basis, each.sentence, each.missing) for each in as_it_was.findings
    ]
    assert [[str(quad.predicate) for quad in each.evidence] for each in again.findings] == [
        [str(quad.predicate) for quad in each.evidence] for each in as_it_was.findings
    ]
    assert again.fingerprint == as_it_was.fingerprint


@pytest.fixture
def endpoint() -> Iterator[RemoteStore]:
    with oxigraph_server() as address:
        store = RemoteStore(f"{address}/query", update_address=f"{address}/update")
        more = "\n".join(f"ex:row{number:04} dcterms:isPartOf ex:raw ." for number in range(SAMPLE + 5))
        triples = "\n".join(f"{quad.triple} ." for quad in store_of(RICH + more).match())
        store.update(f"INSERT DATA {{\n{triples}\n}}")
        yield store
        store.close()


def test_an_endpoint_gives_the_same_subject(endpoint: RemoteStore) -> None:
    far, large = subjects_of(endpoint, [ex("d"), ex("raw")])
    near, here, there = rich(), assess(rich(), when=WHEN), assess(far, when=WHEN)

    assert [each.verdict for each in there.findings] == [each.verdict for each in here.findings]
    assert [each.sentence for each in there.findings] == [each.sentence for each in here.findings]
    assert there.fingerprint == here.fingerprint
    assert [node.resource for node in far.elements.nodes] == [node.resource for node in near.elements.nodes]
    assert large.elements.count.kind is CountKind.AT_LEAST
    assert len(large.elements.nodes) == SAMPLE


def test_what_made_it_is_found_from_both_sides() -> None:
    for turtle in ("ex:d prov:wasGeneratedBy ex:run .", "ex:run prov:generated ex:d .", "ex:run hpc:hadOutput ex:d ."):
        subject = subject_of(store_of(f"{turtle} ex:run prov:used ex:raw ."), ex("d"))
        assert [quad.predicate for node in subject.activities for quad in node.quads if quad.object == ex("raw")] == [
            PROV.used
        ]
