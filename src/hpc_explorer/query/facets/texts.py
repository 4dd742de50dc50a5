"""SPARQL texts about the bindings of a query's variables.

Only the patterns count; groups, HAVING, order and LIMIT are ignored. The query becomes a subquery, so that its variable
names do not clash with those around it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from hpc_explorer.query.building.connections import certain_variables
from hpc_explorer.query.model.query import Duplicates, Form, QueryModel, column_name
from hpc_explorer.query.sparql.quantity_pattern import unused
from hpc_explorer.query.sparql.writing import sparql_text
from hpc_explorer.rdf.namespaces import RDF, RDFS
from hpc_explorer.rdf.terms import NamedNode, Variable

TYPES = f"{RDF.type}/{RDFS.subClassOf}*"
"""The path from a thing to its classes and all superclasses."""

Above = Mapping[NamedNode, Collection[NamedNode]]
"""Classes, each with all classes above it."""


@dataclass(frozen=True)
class Bindings:
    """The different bindings of some variables (one or more) of a query."""

    query: QueryModel
    variables: tuple[Variable, ...]

    @property
    def is_anything(self) -> bool:
        """Whether the query does not mention the variables, so that they can be anything."""
        return not set(self.variables) & set(self.query.variables)

    def select(self, most: int | None = None, *, duplicates: Duplicates = Duplicates.DISTINCT) -> str:
        """The SELECT of the bindings without a prologue, for use as a subquery."""
        return sparql_text(
            replace(
                self.query,
                form=Form.SELECT,
                head="",
                columns=self.variables,
                duplicates=duplicates,
                group_by=(),
                having=(),
                order_by=(),
                limit=most,
                offset=None,
                prefixes=(),
                base="",
                graphs=(),
                named_graphs=(),
                parameters=(),
            )
        )

    def whole(self) -> str:
        """A complete query for the bindings, with repetitions."""
        if self.query.graphs or self.query.named_graphs:
            return self.around("", "")
        return f"{prologue(self.query)}{self.select(duplicates=Duplicates.KEPT)}"

    def around(self, head: str, pattern: str, tail: str = "", *, most: int | None = None) -> str:
        """A query about the bindings.

        Args:
            head: its columns; empty: all.
            pattern: an additional pattern.
            most: the maximum number of bindings.
        """
        own = "" if self.is_anything else f"{{ {self.select(most)} }} "
        last = self.variables[-1]
        if own and last not in certain_variables(self.query.where):
            # A row without a value would be joined with everything.
            own = f"{{ {own}FILTER(BOUND({last})) }} "
        return around(self.query, head, f"{own}{pattern}", tail)

    def names(self, *wanted: str) -> tuple[str, ...]:
        """Variables with `?` that the query does not use."""
        taken = {variable.value for variable in (*self.query.variables, *self.variables)}
        return tuple(f"?{unused(name, taken)}" for name in wanted)


def around(query: QueryModel, head: str, pattern: str, tail: str = "") -> str:
    """A SELECT with the prefixes and graphs of a query."""
    dataset = "".join(
        [*(f"FROM {graph} " for graph in query.graphs), *(f"FROM NAMED {graph} " for graph in query.named_graphs)]
    )
    return f"{prologue(query)}SELECT {head or '*'} {dataset}WHERE {{ {pattern} }} {tail}".rstrip()


def prologue(query: QueryModel) -> str:
    """The BASE and PREFIX lines that the locked pieces of a query need."""
    base = [f"BASE <{query.base}>"] if query.base else []
    return "".join(f"{line}\n" for line in [*base, *(f"PREFIX {name}: <{iri}>" for name, iri in query.prefixes)])


def bindings(query: QueryModel, variables: Sequence[Variable]) -> Bindings:
    """The bindings of some variables, without duplicates."""
    return Bindings(query, tuple(dict.fromkeys(variables)))


def counting_text(query: QueryModel, most: int | None = None) -> str:
    """The query that counts the rows of a query, up to `most` + 1."""
    limit = query.limit
    if most is not None:
        limit = most + 1 if limit is None else min(limit, most + 1)
    inner = replace(query, form=Form.SELECT, head="", order_by=(), limit=limit, prefixes=(), base="", parameters=())
    own = sparql_text(replace(inner, graphs=(), named_graphs=()))
    number = unused("rows", {one.value for one in (*query.variables, *map(column_name, query.columns))})
    return around(query, f"(COUNT(*) AS ?{number})", f"{{ {own} }}")
