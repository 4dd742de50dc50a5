"""An open graph, with everything that can be asked of it from Python."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from hpc_explorer.api.answers import (
    Assessment,
    Comparison,
    Description,
    Findings,
    Impact,
    Recipe,
)
from hpc_explorer.api.asked import Asked
from hpc_explorer.api.editing import Edit
from hpc_explorer.api.lineage import Lineage
from hpc_explorer.api.opened import OpenGraph
from hpc_explorer.api.statements import Statements, of_triples
from hpc_explorer.api.tables import Resources, Rows, rows_of
from hpc_explorer.api.values import file_path, several, text, texts_of, whole_number
from hpc_explorer.app.explore.finding import search as search_names
from hpc_explorer.errors import ServerNotAllowed, Unsupported, UsageError
from hpc_explorer.query.table import CellKind, Table
from hpc_explorer.stores.base import CountKind
from hpc_explorer.wording import counted

if TYPE_CHECKING:
    import rdflib

    from hpc_explorer.app.views import ClassNode, ExportReport

_QUESTION = re.compile(r"[\w.-]+")


class Graph(OpenGraph):
    """An open graph. Make one with `hx.open`.

    Where a method takes a resource, give its name, its prefixed name, its IRI, or a `Resource`.

    >>> import hpc_explorer as hx
    >>> with hx.open("sample:xplacer") as g:
    ...     [hit.label for hit in g.find("decisionTree")], "hotspot.nvprof.log" in g
    (['decisionTree.onnx', 'decisionTree-p100.onnx', 'models/decisionTree.onnx'], True)
    """

    def infer(self, rules: Literal["common", "owl-rl"] = "common", *, own_schema: bool = False) -> int:
        """Add what follows by rules. Returns the number of new statements.

        Args:
            rules: the common rules of RDFS and OWL 2 RL, or all of OWL 2 RL.
            own_schema: use only the schema in the graph, not the shipped ontology.
        """
        from hpc_explorer.app.explore.inference import infer
        from hpc_explorer.ontology.rules import RuleSet

        known = [one.value for one in RuleSet]
        if rules not in known:
            raise UsageError("there are no such rules", f"rules={rules!r}"[:60], f"give one of {', '.join(known)}")
        return infer(self._session, RuleSet(rules), own_schema=own_schema, limits=self._limits()).triples

    def contradictions(self) -> list[str]:
        """What `infer("owl-rl")` found to contradict itself, each as a sentence; at most 100."""
        from hpc_explorer.app.explore.inference import contradictions

        return [one.sentence for one in contradictions(self._session, limits=self._limits())]

    def find(self, name: str, *, limit: int = 20) -> Resources:
        """The resources with a name, best first: by words of it, by prefixed name or by IRI.

        Args:
            limit: the most to give; `total` counts all.
        """
        found = search_names(
            self._session, text(name), limit=whole_number(limit, "limit", least=1), limits=self._limits()
        )
        return Resources._of((hit.ref for hit in found.hits), self, found.total)

    def classes(self) -> Rows:
        """The classes with their numbers of instances, those of subclasses included.

        The column `counted` says whether the numbers are exact, at least or unknown.
        """
        from hpc_explorer.app.explore.class_filter import listed_classes
        from hpc_explorer.app.explore.classes import class_tree

        def number(node: ClassNode) -> int | None:
            return None if node.instances.kind is CountKind.UNKNOWN else node.instances.value

        columns = [("class", CellKind.RESOURCE), ("term", CellKind.TEXT), ("instances", CellKind.NUMBER),
                   ("counted", CellKind.TEXT)]  # fmt: skip
        nodes = listed_classes(class_tree(self._session, limits=self._limits()))
        cells = [(node.ref, node.ref.curie, number(node), node.instances.kind.value) for node in nodes]
        return rows_of(columns, cells, self)

    def instances(self, cls: str, *, limit: int = 200) -> Resources:
        """The instances of a class and its subclasses.

        Raises:
            UsageError: it is not the IRI of a class.
        """
        from hpc_explorer.app.explore.classes import instances_of

        limit = whole_number(limit, "limit", least=1)
        page = instances_of(self._session, self._class(cls), limit=limit, limits=self._limits())
        return Resources._of(page.items, self, page.total)

    def describe(self, resource: str) -> Description:
        """What the graph says about a resource.

        Raises:
            UnknownResource: it says nothing, or several resources have the name.
        """
        from hpc_explorer.app.explore.describing import describe_resource

        return Description(describe_resource(self._session, self._node(resource), limits=self._limits()), self)

    def questions(self) -> Rows:
        """The ready questions that apply to this graph, with their blanks; ask one with `query`."""
        from hpc_explorer.app.query.questions import fitting_questions

        found = fitting_questions(self._session, limits=self._limits())
        columns = [(one, CellKind.TEXT) for one in ("name", "title", "blanks", "text")]
        cells = [
            (one.name, one.title, ", ".join(blank.name for blank in one.parameters), one.text)
            for one in found.questions
        ]
        return rows_of(columns, cells, self)

    def query(self, question: str, **blanks: object) -> Rows | Statements | Any:
        """Run a SPARQL query, or ask a ready question by its name.

        Prefixes need not be declared. Ctrl+C stops a query.

        Args:
            question: SPARQL text, or the name of a question, see `questions`.
            blanks: the values for the blanks of the question: names or IRIs of resources, numbers, texts.

        Returns: `Rows` for SELECT and a question, a bool for ASK, `Statements` for CONSTRUCT and DESCRIBE.

        Raises:
            QuerySyntaxError: the text is no query.
            UnknownQuestion, WrongParameter: no question has this name or fits the graph; a blank is wrong or missing.
            DeadlineExceeded, MemoryExceeded: it took too long, or too much memory.

        >>> import hpc_explorer as hx
        >>> with hx.open("sample:seismic") as g:
        ...     rows = g.query("prov-ml-q5")
        ...     rows.to_pandas().shape[0] == len(rows)
        True
        """
        from hpc_explorer.app.query.interruptible import answer
        from hpc_explorer.app.query.run_query import run_query

        session, limits, question = self._session, self._limits(), text(question)
        if _QUESTION.fullmatch(question.strip()):
            return self._ready(question.strip(), blanks)
        if blanks:
            raise UsageError("a SPARQL text has no blanks", ", ".join(blanks), "write the values into the text")
        try:
            found = answer(
                session, lambda within: run_query(session, question, limits=within), limits=limits, text=question
            )
        except ServerNotAllowed as error:
            remedy = f"allow it: hx.open(…, servers={error.where!r})"
            raise ServerNotAllowed(error.what, error.where, remedy) from None
        if isinstance(found, bool):
            return found
        return Rows(found, self) if isinstance(found, Table) else of_triples(found, self)

    def _ready(self, name: str, blanks: dict[str, object]) -> Rows:
        from hpc_explorer.app.query.interruptible import answer
        from hpc_explorer.app.query.question_files import known_questions
        from hpc_explorer.app.query.questions import ask_question, filled_in, variant_for
        from hpc_explorer.query.questions.library import named_question

        session, limits = self._session, self._limits()
        ready = named_question(known_questions(), name)
        variant = variant_for(session, ready, limits=limits)
        values = filled_in(session, ready, texts_of(blanks), limits=limits)
        found = answer(
            session,
            lambda within: ask_question(session, ready, values, variant=variant, limits=within),
            limits=limits,
            text=variant.select.whole,
        )
        return Rows(found.table, self)

    def ask(self, question: str, *, choose: int | None = None) -> Asked:
        """Ask a question in English. Words that mean nothing here are named, see `Asked.problem`.

        Args:
            choose: the number of a reading, from 1, where there are several.

        Raises:
            UsageError: no reading has this number.
        """
        from hpc_explorer.app.ask.asking import interpret
        from hpc_explorer.language.interpretation import Status

        found = interpret(self._session, text(question), limits=self._limits())
        if choose is not None and not 1 <= whole_number(choose, "choose", least=1) <= len(found.readings):
            there = counted(len(found.readings), "reading")
            raise UsageError("no reading has this number", f"choose={choose}", f"the question has {there}")
        is_clear = found.status is Status.UNDERSTOOD or choose is not None
        return Asked(found, found.readings[(choose or 1) - 1] if is_clear else None, self)

    def lineage(
        self,
        resource: str,
        *,
        downstream: bool = False,
        depth: int | None = None,
        main_line: bool = False,
        as_of: str | datetime | None = None,
        recorded_by: str | datetime | None = None,
        match_content: bool = False,
    ) -> Lineage:
        """Everything that a resource was derived from.

        Args:
            downstream: everything that was derived from it instead.
            depth: the most steps; None for no limit.
            main_line: leave out people, programs, machines, plans and redundant links.
            as_of: the lineage at a time: `2024-03-01` (the whole day), or a datetime.
            recorded_by: use what was recorded by this time.
            match_content: also connect things with the same checksum.

        Raises:
            UnknownResource: the graph says nothing about it.
        """
        from hpc_explorer.app.lineage.tracing import trace_lineage

        if depth is not None:
            depth = whole_number(depth, "depth", least=1)
        traced = trace_lineage(
            self._session,
            self._node(resource),
            downstream=downstream,
            depth=depth,
            only_main_line=main_line,
            as_of=_moment(as_of),
            recorded_by=_moment(recorded_by),
            match_content=match_content,
            limits=self._limits(),
        )
        return Lineage(traced, self)

    def path(
        self, effect: str, cause: str, *, as_of: str | datetime | None = None, match_content: bool = False
    ) -> Lineage | None:
        """The shortest chain of steps from a resource back to what it came from; None if there is none."""
        from hpc_explorer.app.lineage.tracing import find_path
        from hpc_explorer.lineage.trace.trace import along

        start, session = self._node(effect), self._session
        steps = find_path(
            session, start, self._node(cause), as_of=_moment(as_of), match_content=match_content, limits=self._limits()
        )
        return None if steps is None else Lineage(along(start, steps), self)

    def impact(
        self,
        resource: str,
        *,
        kinds: str | Sequence[str] = (),
        as_of: str | datetime | None = None,
        match_content: bool = False,
    ) -> Impact:
        """Every model that a resource reached, to be checked if the resource is retracted.

        Args:
            kinds: find the instances of this class, or of these, instead of models.
            as_of: use the graph as it was at this time.
            match_content: also follow things with the same checksum.
        """
        from hpc_explorer.app.lineage.answering import answer_of_impact
        from hpc_explorer.app.lineage.impact import find_impact

        classes, limits = [self._class(kind) for kind in several(kinds)], self._limits()
        found = find_impact(
            self._session,
            self._node(resource),
            kinds=classes,
            as_of=_moment(as_of),
            match_content=match_content,
            limits=limits,
        )
        return Impact(answer_of_impact(self._session, found, classes, limits=limits), found, self)

    def compare(self, first: str, second: str) -> Comparison:
        """How two runs or models, with their lineages, differ."""
        from hpc_explorer.app.lineage.answering import answer_of_comparison
        from hpc_explorer.app.lineage.comparing import compare_resources

        limits = self._limits()
        found = compare_resources(self._session, self._node(first), self._node(second), limits=limits)
        return Comparison(answer_of_comparison(self._session, found, limits=limits), found, self)

    def reproduce(self, resource: str, *, check_files: bool = False) -> Recipe:
        """How to make a model, artefact or run again, and what is missing.

        Args:
            check_files: compare the files on this machine with their recorded checksums.
        """
        from hpc_explorer.app.lineage.recipe_answer import answer_of_recipe
        from hpc_explorer.app.lineage.reproducing import reproduce

        limits = self._limits()
        found = reproduce(self._session, self._node(resource), check_files=check_files, limits=limits)
        return Recipe(answer_of_recipe(self._session, found, limits=limits), found, self)

    def fair(self, resource: str, *, online: bool = False) -> Assessment:
        """How FAIR a dataset or model is, by 47 indicators.

        Args:
            online: request the addresses in the description.
        """
        from hpc_explorer.app.fair.assessing import assess_resource

        view = assess_resource(self._session, self._node(resource), online=online, limits=self._limits())
        return Assessment(view, self)

    def validate(self, shapes: str | Path | Sequence[str | Path] = (), *, only_these: bool = False) -> Findings:
        """What is wrong with the graph by SHACL shapes: the shipped ones, and your own.

        Args:
            shapes: a file of your own shapes, or several.
            only_these: use only these, not the shipped ones.

        Raises:
            DamagedShapes: a file holds no shapes, or some that cannot be used.
        """
        from hpc_explorer.app.checks.shapes import shapes_of
        from hpc_explorer.app.checks.validating import check_graph, places

        if only_these and not shapes:
            raise UsageError("no shapes are named", "only_these=True", "name the files of shapes")
        its = shapes_of(self._session, [file_path(one) for one in several(shapes)], shipped=not only_these)
        found = tuple(check_graph(self._session, shapes=its, limits=self._limits()))
        return Findings(found, places(self._session, found, limits=self._limits()), self)

    def statements(self, *resources: str, depth: int | None = None) -> Statements:
        """The statements of the graph, or of some resources, in memory.

        Args:
            depth: also those of resources up to this many links away.
        """
        from hpc_explorer.app.export.exporting import Extent, chosen_quads

        extent = Extent(tuple(map(self._node, resources)), depth=_links(depth))
        chosen = chosen_quads(self._session, extent, limits=self._limits())
        notes = (chosen.sentence,) if chosen.sentence else ()
        return Statements(dict.fromkeys(chosen.quads), self._session.prefixes, notes, graph=self)

    def to_rdflib(self) -> rdflib.Dataset:
        """The graph as a dataset of rdflib, whose queries see all graphs. Literals keep their spelling."""
        return self.statements().to_rdflib()

    def to_jsonld(self, *resources: str, depth: int | None = None) -> dict[str, Any]:
        """The graph, or some resources, as JSON-LD; see `statements`."""
        return self.statements(*resources, depth=depth).to_jsonld()

    def export(
        self, path: str | Path, *resources: str, classes: str | Sequence[str] = (), depth: int | None = None
    ) -> ExportReport:
        """Write the graph, or some of it, to a file, and verify the file by reading it back.

        Args:
            path: ends in .jsonld, .ttl, .nt, .nq, .trig, .rdf or .n3, optionally with .gz.
            resources: only these.
            classes: only the instances of this class, or of these.
            depth: also what is up to this many links away from them.

        Returns: the number of triples, and how they read back.

        Raises:
            UnknownFormat: the file name ends otherwise.
            OutputNotWritable: the file cannot be written; an existing file is kept.
        """
        from hpc_explorer.app.export.exporting import Extent, export_graph

        extent = Extent(tuple(map(self._node, resources)), tuple(map(self._class, several(classes))), _links(depth))
        return export_graph(self._session, file_path(path), extent=extent, limits=self._limits())

    def edit(self, words: str = "Edit from Python", *, why: str = "") -> Edit:
        """Change the graph, in a `with` block that makes one edit of the journal.

        Args:
            words: what the edit is, for people.
            why: the reason.

        Raises:
            Unsupported: what is open cannot be edited, such as an endpoint.
        """
        from hpc_explorer.app.journal.editing import why_not_to_start

        reason = why_not_to_start(self._session)
        if reason is not None:
            to_read = self._session.workspace is not None and not self._write
            remedy = "open it with hx.open(…, write=True)" if to_read else ""
            raise Unsupported(reason, ", ".join(self.sources), remedy)
        return Edit(self, words, why)

    def undo(self) -> str | None:
        """Take back the last edit. Returns what it was; None if there is none."""
        from hpc_explorer.app.journal.editing_by_file import undo_last

        return next((step.words for step in undo_last(self._session)), None)

    def redo(self) -> str | None:
        """Make the edit again that was taken back last. Returns what it was; None if there is none."""
        from hpc_explorer.app.journal.editing_by_file import redo_last

        return next((step.words for step in redo_last(self._session)), None)

    def changes(self, *, limit: int = 20) -> Rows:
        """The last edits, newest first."""
        from hpc_explorer.app.journal.journal import changes

        columns = [("edit", CellKind.NUMBER), ("when", CellKind.TIME), ("who", CellKind.TEXT),
                   ("words", CellKind.TEXT), ("why", CellKind.TEXT), ("removed", CellKind.NUMBER),
                   ("added", CellKind.NUMBER), ("undone_by", CellKind.NUMBER)]  # fmt: skip
        found = changes(self._session, limit=whole_number(limit, "limit", least=1), limits=self._limits())
        cells = [
            (one.revision, one.when, one.who, one.words, one.why, len(one.removed), len(one.added), one.undone_by)
            for one in found
        ]
        return rows_of(columns, cells, self)

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p><b>{escape(repr(self))}</b></p>" + ("" if self.closed else self.classes()._repr_html_())


def _links(depth: int | None) -> int | None:
    return None if depth is None else whole_number(depth, "depth", least=0)


def _moment(when: Any) -> datetime | None:
    from datetime import UTC

    from hpc_explorer.lineage.time.as_of import read_moment

    if isinstance(when, str):
        return read_moment(when)
    if when is not None and not isinstance(when, datetime):
        what = f"{type(when).__name__} {str(when)[:40]!r}"
        raise UsageError("a moment is needed here", what, "give a datetime, or a text such as 2024-03-01")
    return when.replace(tzinfo=UTC) if when is not None and when.tzinfo is None else when
