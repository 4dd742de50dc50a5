"""Validation by pySHACL.

pySHACL gets an rdflib graph that fetches triples from a `GraphView` on demand, so only the needed part of the graph is
read. Imported inside functions, because pySHACL is slow to import.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from rdflib import Graph, URIRef
from rdflib.namespace import RDF as RDFLIB_RDF
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.plugins.sparql.sparql import Query
from rdflib.term import Node

from hpc_explorer.annotate.validation.findings import Result, ShapeFault, severity_of
from hpc_explorer.annotate.validation.rdflib_terms import from_rdflib, to_rdflib
from hpc_explorer.annotate.validation.view import GraphView
from hpc_explorer.errors import ExplorerError
from hpc_explorer.rdf.datatypes import FALSE, TRUE
from hpc_explorer.rdf.namespaces import OWL, RDF, RDFS, SH
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource, Term, is_resource
from hpc_explorer.stores.base import Store

with warnings.catch_warnings():
    # Its imports cause deprecation warnings of rdflib.
    warnings.simplefilter("ignore")
    import pyshacl
    from pyshacl.errors import ReportableRuntimeError
    from pyshacl.pytypes import SHACLExecutor
    from pyshacl.shapes_graph import ShapesGraph

    from hpc_explorer.annotate.validation import components

components.install()


# pySHACL logs a line per node for ignored constraints, such as sh:qualifiedValueShape outside a property shape.
_SILENT = logging.Logger("pyshacl", level=logging.CRITICAL)


class PreparedShapes:
    """A shapes graph for pySHACL."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._shapes = ShapesGraph(_shapes_graph(store), logger=_SILENT)
        self._executor = SHACLExecutor()

    def check(self, view: GraphView, focus: Term, shapes: Iterable[Resource]) -> list[Result]:
        """The validation results of pySHACL for a node.

        Raises:
            ShapeFault: pySHACL cannot use one of the shapes.
        """
        graph = AskedGraph(view)
        found: list[Result] = []
        for shape in shapes:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    # Collects all shapes at the first access.
                    self._shapes.shapes  # noqa: B018
                    known = self._shapes.lookup_shape_from_node(to_rdflib(shape))
                    _, reports = known.validate(self._executor, graph, focus=to_rdflib(focus))  # type: ignore[arg-type]  # a term is no other node
            except ExplorerError:
                raise
            except Exception as error:  # noqa: BLE001  # a shape can cause any error in the library
                raise ShapeFault(_words(error), shape) from None
            found.extend(_result(node, facts) for _, node, facts in reports)
        return found

    def fault(self) -> ShapeFault | None:
        """The faults of the shapes, by SHACL's shapes for shapes and by trying each one."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                shapes = list(self._shapes.shapes)
                conforms, report, _ = pyshacl.validate(_rdflib_graph(self._store), shacl_graph=_shapes_for_shapes())
            except Exception as error:  # noqa: BLE001  # likewise
                return ShapeFault(_words(error), None)
            if not conforms and isinstance(report, Graph):
                return _first_fault(report)
            for shape in shapes:
                try:
                    shape.validate(self._executor, _LocalGraph(), focus=URIRef("urn:hpc-explorer:nothing"))
                except Exception as error:  # noqa: BLE001  # likewise
                    at = from_rdflib(shape.node)
                    return ShapeFault(_words(error), at if is_resource(at) else None)
        return None


class _LocalGraph(Graph):
    """An rdflib graph whose queries contact no server: rdflib would send SERVICE and load FROM."""

    def query(self, query_object: Any, *args: Any, **named: Any) -> Any:
        """The result of a SPARQL query in rdflib's form.

        Raises:
            ReportableRuntimeError: it uses another server or another graph.
        """
        namespaces = named.pop("initNs", None) or dict(self.namespaces())
        prepared = _prepared(query_object, tuple(sorted((prefix, str(iri)) for prefix, iri in namespaces.items())))
        return super().query(prepared, *args, **named)


@lru_cache(maxsize=64)
def _prepared(text: str, namespaces: tuple[tuple[str, str], ...]) -> Query:
    query = prepareQuery(text, initNs=dict(namespaces))
    if query.algebra.datasetClause:
        raise ReportableRuntimeError("a query in it loads another graph (FROM), which shapes may not do")
    if _has_service(query.algebra):
        raise ReportableRuntimeError("a query in it calls another server (SERVICE), which shapes may not do")
    return query


def _has_service(part: Any) -> bool:
    if isinstance(part, CompValue):
        return part.name == "ServiceGraphPattern" or any(_has_service(one) for one in part.values())
    return isinstance(part, (list, tuple)) and any(_has_service(one) for one in part)


class AskedGraph(_LocalGraph):
    """An rdflib graph backed by a view of a store."""

    def __init__(self, view: GraphView) -> None:
        super().__init__()
        self._view = view

    def triples(self, triple: Any) -> Iterator[Any]:  # type: ignore[override]  # one signature for its three
        """The matching triples; superclasses come from the whole hierarchy, including equivalents."""
        subject, predicate, object = triple
        if predicate is not None and not isinstance(predicate, URIRef):
            # An rdflib path calls this method for each step.
            yield from super().triples(triple)
            return
        yield from self._found(subject, predicate, object)

    def _found(self, subject: Any, predicate: Any, object: Any) -> Iterator[tuple[Node, Node, Node]]:
        if subject is None:
            named = None if predicate is None else NamedNode(str(predicate))
            value = None if object is None else from_rdflib(object)
            for quad in self._view.statements(None, named, value):
                yield to_rdflib(quad.subject), to_rdflib(quad.predicate), to_rdflib(quad.object)
            return
        at = from_rdflib(subject)
        if not is_resource(at):
            return
        for named, values in self._of(at, None if predicate is None else NamedNode(str(predicate))):
            node = to_rdflib(named)
            for value in values:
                found = to_rdflib(value)
                if object is None or found == object:
                    yield subject, node, found

    def _of(self, at: Resource, predicate: NamedNode | None) -> Iterator[tuple[NamedNode, Sequence[Term]]]:
        if predicate is None:
            said = dict(self._view.said(at))
            said[RDF.type] = self._view.types(at)
            yield from said.items()
        elif predicate == RDF.type:
            yield predicate, self._view.types(at)
        elif predicate == RDFS.subClassOf and isinstance(at, NamedNode):
            yield predicate, tuple(self._view.superclasses(at) - {at})
        else:
            yield predicate, self._view.objects(at, predicate)


def _rdflib_graph(store: Store) -> Graph:
    graph = Graph()
    for quad in store.match():
        graph.add((to_rdflib(quad.subject), to_rdflib(quad.predicate), to_rdflib(quad.object)))
    return graph


# Only the term true enables these (SHACL, section 1.1); pySHACL accepts "1" too.
_SWITCHES = frozenset((SH.deactivated, SH.closed, SH.uniqueLang, SH.qualifiedValueShapesDisjoint, SH.optional))


def _shapes_graph(store: Store) -> Graph:
    """The shapes, adapted so that pySHACL treats flags and prefixes as SHACL defines."""
    graph = Graph()
    for quad in store.match():
        value = quad.object if quad.predicate not in _SWITCHES or quad.object == TRUE else FALSE
        graph.add((to_rdflib(quad.subject), to_rdflib(quad.predicate), to_rdflib(value)))
    for user in {quad.object for quad in store.match(None, SH.prefixes) if is_resource(quad.object)}:
        for declared in _declared(store, user):
            graph.add((to_rdflib(user), to_rdflib(SH.declare), to_rdflib(declared)))
        # pySHACL uses the prefixes of all others too if the declaring node is not an ontology.
        graph.add((to_rdflib(user), RDFLIB_RDF.type, to_rdflib(OWL.Ontology)))
    return graph


def _declared(store: Store, user: Resource) -> set[Term]:
    """The prefix declarations that apply to a node (SHACL, section 5.2.1)."""
    seen, waiting = {user}, [user]
    found: set[Term] = set()
    while waiting:
        at = waiting.pop()
        found.update(quad.object for quad in store.match(at, SH.declare))  # type: ignore[misc]  # no quoted triples
        for quad in store.match(at, OWL.imports):
            if is_resource(quad.object) and quad.object not in seen:
                seen.add(quad.object)
                waiting.append(quad.object)
    return found


def _shapes_for_shapes() -> str:
    """SHACL's shapes for shapes (appendix C), as bundled with pySHACL."""
    return "http://www.w3.org/ns/shacl-shacl"


def _result(node: Node, facts: Iterable[tuple[Node, Node, Any]]) -> Result:
    said: dict[str, list[Term]] = {}
    for subject, predicate, object in facts:
        if subject == node:
            value = object[1] if isinstance(object, tuple) else object
            said.setdefault(str(predicate), []).append(from_rdflib(value))

    def one(name: str) -> Term | None:
        return next(iter(said.get(SH + name, ())), None)

    focus, path, component, source, constraint = (
        one("focusNode"),
        one("resultPath"),
        one("sourceConstraintComponent"),
        one("sourceShape"),
        one("sourceConstraint"),
    )
    assert focus is not None
    assert is_resource(source)
    return Result(
        focus,
        path if isinstance(path, NamedNode) else None,
        one("value"),
        component if isinstance(component, NamedNode) else SH.ConstraintComponent,
        source,
        severity_of(one("resultSeverity")),
        tuple(message.value for message in said.get(SH + "resultMessage", ()) if isinstance(message, Literal)),
        constraint if is_resource(constraint) else None,
    )


def _first_fault(report: Graph) -> ShapeFault:
    node = next(iter(report.subjects(RDFLIB_RDF.type, URIRef(SH + "ValidationResult"))))
    result = _result(node, report.triples((node, None, None)))
    about = "" if result.path is None else f"sh:{result.path.value.removeprefix(SH)}: "
    return ShapeFault(about + " ".join(result.messages), result.focus if is_resource(result.focus) else None)


def _words(error: Exception) -> str:
    message = getattr(error, "message", None) or str(error)
    return " ".join(str(message).split()) or type(error).__name__
