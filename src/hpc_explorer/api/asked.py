"""A question in English as a result."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING

from hpc_explorer.api.tables import Rows
from hpc_explorer.errors import UsageError

if TYPE_CHECKING:
    import pandas

    from hpc_explorer.api.graph import Graph
    from hpc_explorer.api.statements import Statements
    from hpc_explorer.language.interpretation import Interpretation, Reading


class Asked:
    """A question in English: how it was understood, and its rows.

    Attributes:
        question: the question.
        understood: whether there is one reading; otherwise see `readings` and `problem`.
        readings: what it may mean, best first. `g.ask(question, choose=2)` takes the second.
        problem: why there is no reading; empty if there is one.

    >>> import hpc_explorer as hx
    >>> with hx.open("sample:xplacer") as g:
    ...     asked = g.ask("Which AI models are there?")
    ...     asked.understood, len(asked.rows)
    (True, 3)
    """

    def __init__(self, found: Interpretation, chosen: Reading | None, graph: Graph) -> None:
        self.question = found.text
        self.understood = chosen is not None
        self.readings = tuple(one.sentence for one in found.readings)
        near = (
            f"Did you mean {' or '.join(word.near)} instead of “{word.text}”?" for word in found.unknown if word.near
        )
        self.problem = " ".join([found.problem, *near]) if found.problem else ""
        self._notes = found.notes if chosen is None else found.notes_on(chosen)
        self._chosen = chosen
        self._graph = graph

    @property
    def sentence(self) -> str:
        """What the question was taken to mean; empty if it was not understood."""
        return "" if self._chosen is None else self._chosen.sentence

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps of a workflow; none for a question. Run them with `hpc-explorer ask … --run`."""
        from hpc_explorer.app.ask.asking import steps_of

        return () if self._chosen is None else steps_of(self._graph._session, self._chosen)

    @property
    def sparql(self) -> str:
        """The query.

        Raises:
            UsageError: the question was not understood, can be read in several ways, or is a workflow.
        """
        from hpc_explorer.query.sparql.writing import sparql_text

        if self._chosen is None:
            remedy = "choose one with choose=N" if self.readings else "ask with words of the graph"
            raise UsageError(self.problem or "this can be read in several ways", self.question, remedy)
        if self._chosen.query is None:
            raise UsageError("this is a workflow, not a question", self.question, "see steps; hpc-explorer ask --run")
        return sparql_text(self._chosen.query)

    @cached_property
    def answer(self) -> Rows | Statements | bool:
        """The answer: rows, or whether it is so."""
        return self._graph.query(self.sparql)

    @property
    def rows(self) -> Rows:
        """The rows of the answer.

        Raises:
            UsageError: as `sparql`; or the answer is yes or no.
        """
        if isinstance(self.answer, Rows):
            return self.answer
        raise UsageError("the answer has no rows", self.question, "see answer")

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a DataFrame. Needs pandas."""
        return self.rows.to_pandas()

    def __repr__(self) -> str:
        return "\n".join([*self._told(), *(() if self._shown is None else (repr(self._shown),))])

    def _repr_html_(self) -> str:
        told = "".join(f"<p>{escape(line)}</p>" for line in self._told())
        shown = self._shown
        return told + (shown._repr_html_() if isinstance(shown, Rows) else "" if shown is None else repr(shown))

    @property
    def _shown(self) -> Rows | Statements | bool | None:
        return None if self._chosen is None or self._chosen.query is None or self._graph.closed else self.answer

    def _told(self) -> Iterator[str]:
        yield from self._notes
        if self._chosen is not None:
            yield self.sentence
            yield from (f"  {number}. {step}" for number, step in enumerate(self.steps, 1))
        elif self.readings:
            yield "This can be read in several ways. Choose one with choose=N:"
            yield from (f"  {number}  {one}" for number, one in enumerate(self.readings, 1))
        else:
            yield self.problem
