"""The SPARQL texts that ask about the bindings of a query's variables, whatever else the query does with its rows.

What is done with the rows (groups, HAVING, order, LIMIT) plays no part: what can be chosen next follows from the
patterns. The query stands in the text as a query in the query, so that its own names cannot meet those around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hpc_explorer.query.model.query import Duplicates, Form, QueryModel
from hpc_explorer.query.quantity_pattern import unused
from hpc_explorer.query.sparql_writing import sparql_text
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
        if self._dataset():
            return self.around("", "")
        return f"{self._prologue()}{self.select(duplicates=Duplicates.KEPT)}"

    def around(self, head: str, pattern: str, tail: str = "", *, most: int | None = None) -> str:
        """A text that asks something of them.

        Args:
            head: its columns; empty: all.
            pattern: what has to be so besides.
            most: look at no more of them than this.
        """
        own = "" if self.is_anything else f"{{ {self.select(most)} }} "
        dataset = self._dataset()
        return f"{self._prologue()}SELECT {head or '*'} {dataset}WHERE {{ {own}{pattern} }} {tail}".rstrip()

    def names(self, *wanted: str) -> tuple[str, ...]:
        """Variables, each with its `?`, that the query uses for nothing."""
        taken = {variable.value for variable in (*self.query.variables, *self.variables)}
        return tuple(f"?{unused(name, taken)}" for name in wanted)

    def _prologue(self) -> str:
        base = [f"BASE <{self.query.base}>"] if self.query.base else []
        lines = [*base, *(f"PREFIX {prefix}: <{iri}>" for prefix, iri in self.query.prefixes)]
        return "".join(f"{line}\n" for line in lines)

    def _dataset(self) -> str:
        named = [f"FROM NAMED {graph} " for graph in self.query.named_graphs]
        return "".join([*(f"FROM {graph} " for graph in self.query.graphs), *named])


def bindings(query: QueryModel, variables: Sequence[Variable]) -> Bindings:
    """The bindings of some variables, each named once."""
    return Bindings(query, tuple(dict.fromkeys(variables)))
