"""The operations that a graph's scripts provide (`hpc:Script`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hpc_explorer.language.chart import Edge, Lexeme
from hpc_explorer.language.expressions import CSV, JSON, LOG, ScriptOperation
from hpc_explorer.language.words import stem_key
from hpc_explorer.rdf.namespaces import HPC
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store


@dataclass(frozen=True)
class GraphScript:
    """A script that the graph describes.

    Args:
        path: as the graph gives it (`hpc:scriptPath`).
        command: with `{input}` and `{output}` (`hpc:runCommand`).
    """

    operation: ScriptOperation
    label: str
    project: str
    path: str
    command: str
    description: str


def graph_scripts(store: Store, *, limits: Limits = NO_LIMITS) -> tuple[GraphScript, ...]:
    """The scripts with a path, a command, an input and an output; others cannot be run."""
    found = []
    for quad in store.match(None, HPC.scriptPath, limits=limits):
        script = quad.subject
        if not isinstance(script, NamedNode) or not isinstance(quad.object, Literal):
            continue
        facts: dict[NamedNode, str] = {}
        project = ""
        for one in store.match(script, limits=limits):
            if isinstance(one.object, Literal):
                facts.setdefault(one.predicate, one.object.value)
            elif one.predicate == HPC.project and isinstance(one.object, NamedNode):
                names = [named.object.value for named in store.match(one.object, HPC.name, limits=limits)
                         if isinstance(named.object, Literal)]  # fmt: skip
                project = names[0] if names else ""
        name, command = facts.get(HPC.name, ""), facts.get(HPC.runCommand, "")
        if not name or not command or HPC.input not in facts or HPC.output not in facts:
            continue
        operation = ScriptOperation(
            _operation_name(name, project), script.value, _file_type(facts[HPC.input]), _file_type(facts[HPC.output])
        )
        found.append(GraphScript(operation, name, project, quad.object.value, command, facts.get(HPC.description, "")))
    return tuple(found)


def _operation_name(name: str, project: str) -> str:
    """`label_variants` of XPlacer is `labelVariants_XPlacer`."""
    first, *rest = [part for part in re.split(r"\W+|_+", name) if part] or ["script"]
    camel = first + "".join(part[:1].upper() + part[1:] for part in rest)
    owner = re.sub(r"\W", "", project)
    return f"{camel}_{owner}" if owner else camel


def _file_type(text: str) -> str:
    low = text.lower()
    return CSV if "csv" in low else JSON if "json" in low else LOG


def script_edges(scripts: Iterable[GraphScript], stems: Sequence[str], skipped: Sequence[bool]) -> Iterator[Edge]:
    """Where a sentence names a script: its words in order, with small words and its project between or after them."""
    for script in scripts:
        wanted = stem_key(script.label).split()
        project = stem_key(script.project).split()
        for start in range(len(stems)):
            end = _span(stems, skipped, start, wanted)
            if end is None:
                continue
            begin = start
            if project and start >= len(project) and list(stems[start - len(project) : start]) == project:
                begin = start - len(project)
            after = end
            while after < len(stems) and skipped[after] and stems[after] in ("of", "from", "the", "'s", "project"):
                after += 1
            if project and list(stems[after : after + len(project)]) == project:
                end = after + len(project)
            lexeme = Lexeme(begin, end, "operation", script.operation.name)
            yield Edge(begin, end, "script", script.operation, 0.1, (lexeme,))


def _span(stems: Sequence[str], skipped: Sequence[bool], start: int, wanted: Sequence[str]) -> int | None:
    at = start
    for number, word in enumerate(wanted):
        while number and at < len(stems) and skipped[at] and stems[at] != word:
            at += 1
        held = stems[at].split() if at < len(stems) else []
        if held and held == list(wanted[number:]):
            return at + 1
        if not held or held != [word]:
            return None
        at += 1
    return at
