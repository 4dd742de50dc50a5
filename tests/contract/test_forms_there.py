"""What a form needs of a graph, of each kind of store: samples of values and members; and a form of an endpoint."""

from __future__ import annotations

import pytest

from hpc_explorer.app.forms.annotating import form_for, link_candidates, minted, removal_of, unit_candidates
from hpc_explorer.ontology.sampling import some_members, some_values
from hpc_explorer.rdf.namespaces import HPC, RDF, UNIT
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad
from hpc_explorer.stores.remote.remote import RemoteStore
from tests.contract.conftest import Backend, insertion
from tests.helpers.graphs import ex, store_of
from tests.helpers.sessions import session_of

GRAPH = NamedNode("http://example.org/graph")


def test_samples_are_of_the_class_and_no_more_than_were_asked_for(backend: Backend) -> None:
    quads = [Quad(ex(f"d{at}"), RDF.type, HPC.Dataset if at % 2 else HPC.AIModel, GRAPH) for at in range(30)]
    quads += [Quad(ex(f"d{at}"), HPC.name, Literal(f"thing {at}"), GRAPH) for at in range(30)]
    quads.append(Quad(BlankNode("b"), RDF.type, HPC.Dataset, GRAPH))
    backend.fill(quads)
    some = some_members(backend.store, (HPC.Dataset,), 4)
    assert len(set(some)) == len(some) == 4
    assert len(some_members(backend.store, (HPC.Dataset, HPC.AIModel), 100)) == 30
    assert set(some_members(backend.store, (HPC.Dataset,), 100)) == {ex(f"d{at}") for at in range(1, 30, 2)}
    assert some_members(backend.store, (HPC.GPU,), 4) == []
    assert len(some_values(backend.store, HPC.name, 7)) == 7
    assert {str(one) for one in some_values(backend.store, HPC.name, 100)} == {f'"thing {at}"' for at in range(30)}


@pytest.mark.parametrize("name", ["server", "union_server"])
def test_a_form_of_an_endpoint_is_whole_and_only_read(name: str, request: pytest.FixtureRequest) -> None:
    address = request.getfixturevalue(name)
    store = RemoteStore(f"{address}/query", update_address=f"{address}/update")
    store.update("DROP ALL")
    there = store_of(
        """
        ex:m1 a hpc:AIModel ; hpc:name 'Model 1' ; hpc:project ex:p ; hpc:size [ qudt:value 16 ; qudt:unit unit:GigaBYTE ] .
        ex:p a hpc:Project ; hpc:name 'XPlacer' .
        """
    )
    store.update(insertion(Quad(quad.subject, quad.predicate, quad.object, GRAPH) for quad in there.match()))
    store.close()
    session = session_of(f"{address}/query")
    view = form_for(session, ex("m1"))
    assert (view.title, view.graph, view.read_only) == ("Model 1", GRAPH, "an endpoint is not edited from here")
    values = {field.predicate: field.values for field in view.form.fields if field.values}
    assert set(values) == {HPC.name, HPC.project, HPC.size}
    assert view.refs[ex("p")].label == "XPlacer"
    project = view.form.field(HPC.project)
    assert project is not None
    assert [ref.label for ref in link_candidates(session, project.kinds[0], "xp")] == ["XPlacer"]
    assert minted(session, HPC.AIModel, "") == ex("m2")
    assert unit_candidates(session, predicate=HPC.size)[0].iri == UNIT.GigaBYTE
    assert len(removal_of(session, ex("p")).links) == 1
    session.close()
