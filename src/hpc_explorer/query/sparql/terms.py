"""Write terms and paths as SPARQL (SPARQL 1.1 Query, sections 4.1 and 9.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from hpc_explorer.query.model.paths import AlternativePath, InversePath, NegatedPath, Path, RepeatedPath, SequencePath
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.query.sparql.blanks import sparql_term
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode, Variable

_LOCAL = re.compile(r"(?:[A-Za-z0-9_](?:[A-Za-z0-9_.\-]*[A-Za-z0-9_\-])?)?")

# The grammar's short forms of literals, by datatype.
_SHORT = {
    XSD.integer: re.compile(r"[+-]?[0-9]+"),
    XSD.decimal: re.compile(r"[+-]?[0-9]*\.[0-9]+"),
    XSD.double: re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.?[0-9]+)[eE][+-]?[0-9]+"),
    XSD.boolean: re.compile("true|false"),
}


class TermWriter:
    """Writes terms with the prefixes and parameters of one query.

    Args:
        prefixes: prefix and namespace; the longest matching namespace is used, then the first one.
        parameters: variables written with `$`.
    """

    def __init__(self, prefixes: Iterable[tuple[str, str]], parameters: Iterable[Variable] = ()) -> None:
        known = dict(prefixes)
        self._namespaces = sorted(
            ((namespace, prefix) for prefix, namespace in known.items() if namespace), key=lambda pair: -len(pair[0])
        )
        self._parameters = frozenset(parameters)

    @classmethod
    def of(cls, query: QueryModel) -> TermWriter:
        """The writer for a query."""
        return cls(query.prefixes, query.parameters)

    def iri(self, iri: NamedNode) -> str:
        """A prefixed name, or the IRI in angle brackets."""
        for namespace, prefix in self._namespaces:
            if iri.value.startswith(namespace) and _LOCAL.fullmatch(iri.value, len(namespace)):
                return f"{prefix}:{iri.value[len(namespace) :]}"
        return str(iri)

    def variable(self, variable: Variable) -> str:
        """`?name`, or `$name` for a parameter."""
        return f"{'$' if variable in self._parameters else '?'}{variable.value}"

    def term(self, term: Variable | NamedNode | Literal) -> str:
        """A term, on one line."""
        if isinstance(term, Variable):
            return self.variable(term)
        if isinstance(term, NamedNode):
            return self.iri(term)
        short = _SHORT.get(term.datatype)
        if short is not None and short.fullmatch(term.value):
            return term.value
        written = sparql_term(Literal(term.value))
        if term.language:
            return f"{written}@{term.language}"
        return written if term.datatype == XSD.string else f"{written}^^{self.iri(term.datatype)}"

    def predicate(self, predicate: Path | Variable) -> str:
        """A property path or variable."""
        return self.variable(predicate) if isinstance(predicate, Variable) else self._path(predicate, 0)

    def _path(self, path: Path, binding: int) -> str:
        """A path, in parentheses if its context binds more tightly: | 0, / 1, ^ 2, * + ? 3."""
        match path:
            case NamedNode():
                return self._property(path)
            case AlternativePath():
                text, own = "|".join(self._path(choice, 1) for choice in path.choices), 0
            case SequencePath():
                text, own = "/".join(self._path(step, 2) for step in path.steps), 1
            case InversePath():
                text, own = "^" + self._path(path.path, 3), 2
            case RepeatedPath():
                text, own = self._path(path.path, 4) + path.sign, 3
            case NegatedPath():
                return self._negated(path)
        return f"({text})" if own < binding else text

    def _negated(self, path: NegatedPath) -> str:
        choices = [self._property(one) for one in path.forward] + [f"^{self._property(one)}" for one in path.inverse]
        return "!" + (choices[0] if len(choices) == 1 else f"({'|'.join(choices)})")

    def _property(self, iri: NamedNode) -> str:
        return "a" if iri == RDF.type else self.iri(iri)
