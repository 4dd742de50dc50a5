"""The SPARQL texts that ask about the bindings of a query's variables, whatever else the query does with its rows.

What is done with the rows (groups, HAVING, order, LIMIT) plays no part: what can be chosen next follows from the
patterns. The query stands in the text as a query in the query, so that its own names cannot meet those around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hpc_explorer.query.building.connections import certain_variables
from hpc_explorer.query.model.query import Duplicates, Form, QueryModel, column_name
from hpc_explorer.query.sparql.quantity_pattern import unused
from hpc_explorer.query.sparql.writing import sparql_text
from hpc_explorer.rdf.namespaces import RDF, RDFS
from hpc_explorer.rdf.terms import Variable

TYPES = f"{RDF.type}/{RDFS.subClassOf}*"
"""The path from a thing to its classes and all above them."""


@dataclass(frozen=True)
class Bindings:
    """The different bindings of some variables of a query.

    Args:
        query: without what the answer is to be asked for without.
        variables: one or more.
    """

    query: QueryModel
    variables: tuple[Variable, ...]

    @property
    def is_anything(self) -> bool:
        """Whether the query says nothing of the variables, so that they can be anything."""
        return not set(self.variables) & set(self.query.variables)

    def select(self, most: int | None = None, *, duplicates: Duplicates = Duplicates.DISTINCT) -> str:
        """The text that asks for them, to stand in another one or behind a prologue."""
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
        """The text that asks for them by itself; one may come several times."""
        if self.query.graphs or self.query.named_graphs:
            return self.around("", "")
        return f"{prologue(self.query)}{self.select(duplicates=Duplicates.KEPT)}"

    def around(self, head: str, pattern: str, tail: str = "", *, most: int | None = None) -> str:
        """A text that asks something of them.

        Args:
            head: its columns; empty: all.
            pattern: what has to be so besides.
            most: look at no more of them than this.
        """
        own = "" if self.is_anything else f"{{ {self.select(most)} }} "
        last = self.variables[-1]
        if own and last not in certain_variables(self.query.where):
            # A row without a value for it would be joined with everything.
            own = f"{{ {own}FILTER(BOUND({last})) }} "
        return around(self.query, head, f"{own}{pattern}", tail)

    def names(self, *wanted: str) -> tuple[str, ...]:
        """Variables, each with its `?`, that the query uses for nothing."""
        taken = {variable.value for variable in (*self.query.variables, *self.variables)}
        return tuple(f"?{unused(name, taken)}" for name in wanted)


def around(query: QueryModel, head: str, pattern: str, tail: str = "") -> str:
    """A text of one's own, with the prefixes and the graphs of a query."""
    dataset = "".join(
        [*(f"FROM {graph} " for graph in query.graphs), *(f"FROM NAMED {graph} " for graph in query.named_graphs)]
    )
    return f"{prologue(query)}SELECT {head or '*'} {dataset}WHERE {{ {pattern} }} {tail}".rstrip()


def prologue(query: QueryModel) -> str:
    """What its locked pieces are written with."""
    base = [f"BASE <{query.base}>"] if query.base else []
    return "".join(f"{line}\n" for line in [*base, *(f"PREFIX {name}: <{iri}>" for name, iri in query.prefixes)])


def bindings(query: QueryModel, variables: Sequence[Variable]) -> Bindings:
    """The bindings of some variables, each named once."""
    return Bindings(query, tuple(dict.fromkeys(variables)))


def counting_text(query: QueryModel, most: int | None = None) -> str:
    """The text that asks how many rows a query has, up to one more than `most`."""
    limit = query.limit
    if most is not None:
        limit = most + 1 if limit is None else min(limit, most + 1)
    inner = replace(query, form=Form.SELECT, head="", order_by=(), limit=limit, prefixes=(), base="", parameters=())
    own = sparql_text(replace(inner, graphs=(), named_graphs=()))
    number = unused("rows", {one.value for one in (*query.variables, *map(column_name, query.columns))})
    return around(query, f"(COUNT(*) AS ?{number})", f"{{ {own} }}")
