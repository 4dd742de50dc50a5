"""What is said of a resource, parted into what is stated and what only follows, of it and to it."""

from __future__ import annotations

from hpc_explorer.app.explore.described import describing, sections
from hpc_explorer.app.views import PropertyView, ResourceRef, ResourceView, ValueView
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.terms import GraphName, Literal, NamedNode
from hpc_explorer.stores.base import Count

SOURCE = NamedNode("http://example.org/source")
HERE = NamedNode("http://example.org/here")


def value(text: str, *graphs: GraphName) -> ValueView:
    return ValueView(Literal(text), text, "", None, graphs or (SOURCE,))


def said(name: str, *values: ValueView) -> PropertyView:
    return PropertyView(NamedNode(f"http://example.org/{name}"), name, name, "", values, Count(len(values)))


def view(*outgoing: PropertyView, incoming: tuple[PropertyView, ...] = (), description: str = "") -> ResourceView:
    return ResourceView(ResourceRef(HERE, "here", HERE.value, "e:here", "", ""), (), description, outgoing, incoming)


def test_what_only_follows_stands_apart_from_what_a_source_states() -> None:
    name, kind = said("name", value("A")), said("kind", value("B", INFERRED))
    both = said("both", value("C", INFERRED), value("D", SOURCE, INFERRED))
    to, inferred_to = said("to", value("E")), said("follows", value("F", INFERRED))
    found = sections(view(name, kind, both, incoming=(to, inferred_to)))
    assert found == ((name, both), (kind,), (to,), (inferred_to,))
    assert found.inferred_links == (inferred_to,)


def test_the_description_stands_above_and_not_again_below_where_it_is_the_only_one() -> None:
    told, two = said("comment", value("It is here.")), said("note", value("It is here."), value("It is not."))
    assert sections(view(told, description="It is here.")).stated == ()
    assert describing(view(told, description="It is here.")) == told.values[0]
    assert sections(view(two, description="It is here.")).stated == (two,)
    assert describing(view(told)) is None
    assert sections(view(told)).stated == (told,)
