"""Survey a large file: its counts, and how it spells literals, from its facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from pyoxigraph import RdfFormat, parse, serialize

from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad
from hpc_explorer.stores.base import Limits
from hpc_explorer.stores.columns.facts import Facts, parsed_literals
from hpc_explorer.stores.columns.layout import QUOTED
from hpc_explorer.stores.local.spellings import KEPT_AS_THEY_ARE, stored_form
from hpc_explorer.stores.local.styles import Key, StyleCount, fits, style_range


@dataclass
class Survey:
    """The result of a survey.

    Args:
        triples: how many statements, repeated ones included.
        prefixes: the declared prefixes.
        type_sets: how many subjects name just these classes (as IRIs).
        with_predicate: how many statements have a subject of these classes and this predicate.
        with_datatype: how many statements have this predicate and a literal that is kept with this datatype.
        graphs: how many statements each graph has.
        styles: the spelling styles by graph, predicate and datatype, if not canonical.
        departing: N-Quads of the exceptions.
        fit: whether the survey is complete: false if a blank node has an exceptional spelling or names a graph.
    """

    triples: int = 0
    prefixes: dict[str, str] = field(default_factory=dict)
    type_sets: Counter[frozenset[str]] = field(default_factory=Counter)
    with_predicate: Counter[tuple[frozenset[str], str]] = field(default_factory=Counter)
    with_datatype: Counter[tuple[str, str]] = field(default_factory=Counter)
    graphs: Counter[str] = field(default_factory=Counter)
    styles: dict[tuple[str, str, str], int] = field(default_factory=dict)
    departing: bytes = b""
    fit: bool = True


def survey(facts: Facts, graph: str, prefixes: dict[str, str], *, limits: Limits) -> Survey:
    """Survey the facts of a file.

    Args:
        graph: the graph of statements without one.
        prefixes: those that the file declares.
    """
    return _Surveying(facts, graph, limits).found(prefixes)


# The set of classes of each subject as one number: a class, or a list of them.
_TYPES = (
    """CREATE OR REPLACE TEMP TABLE type_range AS SELECT s, min(o) AS least, max(o) AS most FROM links
        WHERE p = {type} AND o IN (SELECT id FROM numbered WHERE starts_with(iri, '<')) GROUP BY s""",
    """CREATE OR REPLACE TEMP TABLE type_list AS SELECT s, list_sort(list(DISTINCT o)) AS classes FROM links
        WHERE p = {type} AND s IN (SELECT s FROM type_range WHERE least < most)
        AND o IN (SELECT id FROM numbered WHERE starts_with(iri, '<')) GROUP BY s""",
    """CREATE OR REPLACE TEMP TABLE type_set AS SELECT row_number() OVER () AS number, classes FROM (
        SELECT DISTINCT classes FROM type_list)""",
    """CREATE OR REPLACE TEMP TABLE typed AS SELECT s, CAST(least AS BIGINT) AS types FROM type_range WHERE least = most
        UNION ALL SELECT s, -number FROM type_list JOIN type_set USING (classes)""",
)


class _Surveying:
    def __init__(self, facts: Facts, graph: str, limits: Limits) -> None:
        self._facts, self._graph, self._limits = facts, graph, limits
        self._names: dict[int, str] = {}
        self._graphs = dict(self._rows("SELECT DISTINCT h, iri FROM graph"))

    def _rows(self, statement: str, parameters: list[Any] | None = None) -> list[tuple[Any, ...]]:
        self._limits.check("counting classes and predicates")
        return self._facts.database.execute(statement, parameters).fetchall()

    def found(self, prefixes: dict[str, str]) -> Survey:
        counted = self._rows("SELECT g, count(*) FROM raw GROUP BY g")
        survey = Survey(triples=sum(number for _, number in counted), prefixes=prefixes)
        if any(name.startswith("_") for name in self._graphs.values()):
            survey.fit = False
            return survey
        for key, number in counted:
            survey.graphs[self._graph_name(key)] += number
        self._count_classes(survey)
        self._count_datatypes(survey)
        self._look_at_spellings(survey)
        return survey

    def _graph_name(self, key: int | None) -> str:
        return self._graph if key is None else self._graphs[key][1:-1]

    def _iri(self, number: int) -> str:
        """The IRI of a predicate or a class."""
        if number not in self._names:
            ((name,),) = self._rows("SELECT iri[2:-2] FROM numbered WHERE id = ?", [number])
            self._names[number] = name
        return self._names[number]

    def _count_classes(self, survey: Survey) -> None:
        found = self._rows("SELECT id FROM numbered WHERE iri = ?", [f"<{RDF.type.value}>"])
        for step in _TYPES:
            self._rows(step.format(type=found[0][0] if found else "NULL"))
        sets: dict[int | None, frozenset[str]] = {
            -number: frozenset(map(self._iri, classes))
            for number, classes in self._rows("SELECT number, classes FROM type_set")
        }

        def classes(number: int | None) -> frozenset[str]:
            if number not in sets:
                sets[number] = frozenset() if number is None else frozenset({self._iri(number)})
            return sets[number]

        for types, number in self._rows("SELECT types, count(*) FROM typed GROUP BY types"):
            survey.type_sets[classes(types)] += number
        for types, predicate, number in self._rows(
            """SELECT types, p, sum(number)::BIGINT FROM (SELECT s, p, count(*) AS number FROM (
                SELECT s, p FROM links UNION ALL SELECT s, p FROM literals) GROUP BY s, p)
            LEFT JOIN typed USING (s) GROUP BY types, p"""
        ):
            survey.with_predicate[classes(types), self._iri(predicate)] += number

    def _count_datatypes(self, survey: Survey) -> None:
        for predicate, kind, number in self._rows(
            f"""SELECT p, kind, count(*) FROM literals WHERE kind <> '{QUOTED}' AND (derived IS NULL OR again IS NULL)
            GROUP BY p, kind"""
        ):
            datatype = RDF.langString.value if kind.startswith("@") else kind
            survey.with_datatype[self._iri(predicate), datatype] += number
        # What is kept with another datatype, if it is a number or a moment at all; and texts with a direction.
        for predicate, spelled, number in self._rows(
            f"""SELECT p, again, count(*) FROM literals WHERE derived IS NOT NULL AND again IS NOT NULL
            GROUP BY p, again
            UNION ALL SELECT id, v, count(*) FROM raw JOIN numbered ON p = h WHERE starts_with(v, '"')
                AND '{QUOTED}' IN (SELECT kind FROM literals) AND contains(split_part(v, '"', -1), '--')
            GROUP BY id, v"""
        ):
            (literal,) = parsed_literals([spelled])
            survey.with_datatype[self._iri(predicate), stored_form(literal).datatype.value] += number

    def _look_at_spellings(self, survey: Survey) -> None:
        styles = StyleCount()
        graphs: dict[Key, set[str]] = {}
        odd: dict[Key, list[tuple[str, tuple[int, bool]]]] = {}
        for predicate, datatype, shape, graph, number in self._rows(
            """SELECT p, coalesce(derived, kind), shape, g, count(*) FROM literals WHERE shape IS NOT NULL
            GROUP BY ALL"""
        ):
            key = NamedNode(self._iri(predicate)), NamedNode(datatype)
            graphs.setdefault(key, set()).add(self._graph_name(graph))
            if shape >= 0:
                styles.see(key, (shape >> 1, bool(shape & 1)), number)
        for predicate, datatype, spelled, number in self._rows(
            "SELECT p, coalesce(derived, kind), spelt, count(*) FROM literals WHERE shape = -1 GROUP BY ALL"
        ):
            key = NamedNode(self._iri(predicate)), NamedNode(datatype)
            (literal,) = parsed_literals([spelled])
            conforms = style_range(literal)
            styles.see(key, conforms, number)
            odd.setdefault(key, []).append((spelled, conforms))
        chosen = styles.chosen()
        survey.styles = {
            (graph, predicate.value, datatype.value): style
            for (predicate, datatype), style in chosen.items()
            if style
            for graph in graphs[predicate, datatype]
        }
        departing = styles.departing(chosen)
        if departing:
            self._note_departing(survey, chosen, departing, odd)

    def _note_departing(
        self,
        survey: Survey,
        styles: dict[Key, int],
        departing: dict[Key, dict[tuple[int, bool], int]],
        odd: dict[Key, list[tuple[str, tuple[int, bool]]]],
    ) -> None:
        """Collect the exceptions to a style, and statements with the same value that follow it."""
        self._rows("CREATE OR REPLACE TEMP TABLE departing (p UINTEGER, s UINTEGER)")
        for key, ranges in departing.items():
            predicate, datatype = key
            shapes = [2 * decimals + only for decimals, only in ranges if decimals >= 0]
            spelled = [text for text, conforms in odd.get(key, ()) if not fits(conforms, styles[key])]
            self._rows(
                """INSERT INTO departing SELECT DISTINCT p, s FROM literals
                WHERE p = (SELECT id FROM numbered WHERE iri = ?) AND coalesce(derived, kind) = ?
                AND (shape IN (SELECT unnest(CAST(? AS INTEGER[])))
                    OR spelt IN (SELECT unnest(CAST(? AS VARCHAR[]))))""",
                [str(predicate), datatype.value, shapes, spelled],
            )
        found: dict[Quad, None] = {}
        values: set[Quad] = set()
        for whole in (False, True):
            for quad in self._departing_lines():
                literal = quad.object
                if not isinstance(literal, Literal) or literal.datatype in KEPT_AS_THEY_ARE:
                    continue
                style = styles.get((quad.predicate, literal.datatype))
                if not whole and (style is None or fits(style_range(literal), style)):
                    continue
                if isinstance(quad.subject, BlankNode):
                    survey.fit = survey.fit and whole
                    continue
                stored = Quad(quad.subject, quad.predicate, stored_form(literal), quad.graph_name)
                if not whole:
                    values.add(stored)
                elif stored in values:
                    found[quad] = None
        survey.departing = cast("bytes", serialize(found, format=RdfFormat.N_QUADS))

    def _departing_lines(self) -> Iterator[Quad]:
        """All statements with the subject and predicate of an exception, in a graph each."""
        rows = self._facts.database.execute(
            """SELECT ss.iri, ps.iri, v, g FROM raw JOIN numbered ss ON raw.s = ss.h JOIN numbered ps ON raw.p = ps.h
            WHERE v IS NOT NULL AND (ps.id, ss.id) IN (SELECT (p, s) FROM departing)"""
        )
        while some := rows.fetchmany(_MANY):
            lines = "".join(f"{s} {p} {v} <{self._graph_name(g)}> .\n" for s, p, v, g in some)
            yield from parse(lines, format=RdfFormat.N_QUADS)


_MANY = 10_000
