"""Values of the graph as values of Python, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from numbers import Real
from os import PathLike
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

from hpc_explorer.app.results.cells import python_value
from hpc_explorer.errors import InvalidIri, UsageError
from hpc_explorer.ontology.labels import fallback_label
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Term, Triple, iri_text, is_resource, resource_of
from hpc_explorer.stores.base import NO_LIMITS, Limits

if TYPE_CHECKING:
    from hpc_explorer.api.opened import OpenGraph
    from hpc_explorer.app.views import ResourceRef
    from hpc_explorer.rdf.terms import Resource as Node


class Resource(str):
    """A resource of a graph. It is a string: its IRI, or `_:label` for a blank node.

    It can be given to every method that takes a resource.

    >>> import hpc_explorer as hx
    >>> with hx.open("sample:xplacer") as g:
    ...     model = g["decisionTree.onnx"]
    ...     print(model.label, model.curie, model.kind, sep=", ")
    ...     print(model)
    decisionTree.onnx, aimodel:MO000001, AI model
    http://example.org/AIModel/MO000001
    """

    _graph: OpenGraph | None
    _ref: ResourceRef | None

    @classmethod
    def _of(cls, node: Node, graph: OpenGraph | None, ref: ResourceRef | None = None) -> Resource:
        made = cls(iri_text(node))
        made._graph, made._ref = graph, ref
        return made

    def __new__(cls, iri: str) -> Resource:
        """A resource by its IRI, or by `_:label`.

        Raises:
            InvalidIri: it is neither.
        """
        try:
            resource_of(iri)
        except ValueError:
            raise InvalidIri("not an IRI", str(iri)[:80], "write it in full, such as http://example.org/x") from None
        made = super().__new__(cls, iri)
        made._graph = made._ref = None
        return made

    @property
    def label(self) -> str:
        """Its name, or a readable form of its IRI."""
        ref = self._known()
        return fallback_label(self.node) if ref is None else ref.label

    @property
    def curie(self) -> str:
        """Its prefixed name, or its IRI in angle brackets."""
        ref = self._known()
        return f"<{self}>" if ref is None else ref.curie

    @property
    def kind(self) -> str:
        """The name of its most specific class; empty if unknown."""
        ref = self._known()
        return "" if ref is None else ref.kind

    @property
    def node(self) -> Node:
        """The RDF term."""
        return resource_of(str(self))

    def _known(self) -> ResourceRef | None:
        if self._ref is None and self._graph is not None and not self._graph.closed:
            self._ref = self._graph._reference(self.node)
        return self._ref

    def __repr__(self) -> str:
        ref = self._known()
        return f"Resource({str(self)!r})" if ref is None else f"<{ref.label}: {ref.curie.strip('<>')}>"

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)  # a copy in another process has no graph to ask


Value: TypeAlias = Resource | str | bool | int | float | Decimal | date | datetime | timedelta | None
"""A value of an answer: None where there is none."""


def value_of(term: Term | Triple | None, graph: OpenGraph | None = None) -> Value:
    """A term as a value of Python; see `python_value`."""
    if term is None:
        return None
    return Resource._of(term, graph) if is_resource(term) else python_value(term)


def term_of(value: object) -> Term:
    """The RDF term of a value of Python, of rdflib, or of the engine. A string is a text, not an IRI.

    Raises:
        UsageError: there is no term for such a value.
        InvalidIri: an IRI of rdflib that is none.
    """
    if isinstance(value, Resource):
        return value.node
    if isinstance(value, (NamedNode, BlankNode, Literal)):
        return value
    if type(value).__module__.startswith("rdflib."):
        return _of_rdflib(value)
    if isinstance(value, (bool, int, float, str)):
        return Literal(value)
    if isinstance(value, Decimal):
        return Literal(format(value, "f"), datatype=XSD.decimal)
    if isinstance(value, datetime):
        return Literal(value.isoformat(), datatype=XSD.dateTime)
    if isinstance(value, date):
        return Literal(value.isoformat(), datatype=XSD.date)
    if isinstance(value, timedelta):
        span = abs(value)
        part = f".{span.microseconds:06}".rstrip("0") if span.microseconds else ""
        text = f"{'-' if value < timedelta() else ''}PT{span.days * 86_400 + span.seconds}{part}S"
        return Literal(text, datatype=XSD.dayTimeDuration)
    if hasattr(value, "item") and not isinstance(value.item(), type(value)):
        return term_of(value.item())  # a number of numpy
    raise UsageError(
        "there is no statement about a value of this type",
        f"{type(value).__name__} {str(value)[:40]!r}",
        "give a text, a number, a time, or a resource: g['name'] or hx.Resource(iri)",
    )


def _of_rdflib(value: object) -> Term:
    import rdflib

    if isinstance(value, rdflib.URIRef):
        return Resource(str(value)).node
    if isinstance(value, rdflib.BNode):
        return BlankNode(str(value))
    if isinstance(value, rdflib.Literal):
        if value.language:
            return Literal(str(value), language=value.language)
        return Literal(str(value), datatype=NamedNode(value.datatype or XSD.string.value))
    raise UsageError("this is no term of RDF", repr(value)[:60], "give a URIRef, a BNode or a Literal")


def library(name: str) -> ModuleType:
    """A library of the extra `notebook`.

    Raises:
        UsageError: it is not installed.
    """
    import importlib

    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        raise UsageError(f"{name} is not installed", "", "pip install 'hpc-explorer[notebook]'") from None


def texts_of(values: Mapping[str, object]) -> dict[str, str]:
    """The values for the blanks of a question as texts; None leaves one open."""
    return {
        name: str(value) if isinstance(value, Resource) else python_text(value)
        for name, value in values.items()
        if value is not None
    }


def python_text(value: object) -> str:
    """A value as it is typed: the value of its literal, or an IRI."""
    term = term_of(value)
    return iri_text(term) if is_resource(term) else term.value


def limits_of(timeout: float | None, servers: Iterable[str] = ()) -> Limits:
    """The limits of a call that starts now.

    Args:
        timeout: in seconds; None for none.
        servers: the hosts that queries may ask with SERVICE.

    Raises:
        UsageError: the time is not above 0.
    """
    given: Any = timeout  # whatever a caller gives
    if given is not None and (isinstance(given, bool) or not isinstance(given, Real) or not float(given) > 0):
        raise UsageError("a time to wait is above 0", f"timeout={timeout!r}", "give seconds, or None for no limit")
    limits = NO_LIMITS if timeout is None else Limits.seconds(timeout)
    return replace(limits, servers=frozenset(one.lower() for one in servers))


def several(value: Any) -> Iterable[Any]:
    """Several values, where one may be given alone.

    Raises:
        UsageError: it is neither a text nor several.
    """
    if isinstance(value, (str, Path)):
        return (value,)
    if not isinstance(value, Iterable):
        raise UsageError("a text is needed here, or several", _told(value), "put it in quotes; several in a list")
    return value


def text(value: object) -> str:
    """A text that was given.

    Raises:
        UsageError: it is none.
    """
    if not isinstance(value, str):
        raise UsageError("a text is needed here", _told(value), "put it in quotes")
    return value


def file_path(value: object) -> Path:
    """The path of a file that was given.

    Raises:
        UsageError: it is none.
    """
    if not isinstance(value, (str, PathLike)):
        raise UsageError("the path of a file is needed here", _told(value), "give a text or a Path")
    return Path(value)


def whole_number(value: Any, name: str, *, least: int) -> int:
    """A whole number that was given.

    Args:
        name: of the argument.
        least: the smallest that makes sense.

    Raises:
        UsageError: it is none, or less.
    """
    if isinstance(value, bool) or not hasattr(value, "__index__") or value < least:
        raise UsageError(f"a whole number from {least} is needed here", f"{name}={value!r}"[:60], "give another one")
    return int(value)


def _told(value: object) -> str:
    return f"{type(value).__name__} {str(value)[:40]!r}"
