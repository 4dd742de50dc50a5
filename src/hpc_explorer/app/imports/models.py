"""Describe a model by its file: what the file says of it becomes statements about an AI model."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hpc_explorer.annotate.file_facts import file_facts
from hpc_explorer.annotate.models.description import statements_of
from hpc_explorer.annotate.models.facts import ModelFacts, Tensor
from hpc_explorer.annotate.models.reading import read_model
from hpc_explorer.app.forms.annotating import file_described, form_for
from hpc_explorer.app.forms.linking import minted
from hpc_explorer.app.journal.edit_steps import EditStep, journal_steps
from hpc_explorer.app.journal.editing import start_editing
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.namespaces import HPC, WELL_KNOWN
from hpc_explorer.rdf.syntax.files import input_error
from hpc_explorer.rdf.syntax.writing import format_of_output, write_quads
from hpc_explorer.rdf.terms import NamedNode, Quad, Triple
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.changes.changes import ChangeSet

MOST_NODES = 2_000
"""Trees with more nodes than this, all together, are described only if that is asked for."""


@dataclass(frozen=True)
class ModelReport:
    """What became of a model's file.

    Args:
        facts: what the file says.
        model: how the model is called in the statements.
        statements: what is stated of it.
        remarks: what is not stated, and why.
    """

    facts: ModelFacts
    model: NamedNode
    statements: tuple[Triple, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class ModelLook:
    """A model's file, looked at before anything is stated.

    Args:
        path: the file.
        facts: what it says.
        iri: a free IRI for the model.
    """

    path: Path
    facts: ModelFacts
    iri: NamedNode


def look_at_model(session: Session, path: Path, *, limits: Limits = NO_LIMITS) -> ModelLook:
    """What a model's file says, of which nothing is run, and how the model may be called.

    Raises:
        InputError: the file cannot be read as a model.
    """
    facts = read_model(path)
    return ModelLook(path, facts, minted(session, HPC.AIModel, path.stem, limits=limits))


def described_model(
    path: Path, *, model: NamedNode | None = None, trees: bool | None = None, limits: Limits = NO_LIMITS
) -> ModelReport:
    """The statements about the model in a file, of which nothing is run.

    Args:
        model: how it is to be called; None: by what is in the file, as `urn:sha256:…`.
        trees: whether the nodes of its decision trees are described; None: if they are at most `MOST_NODES`.

    Raises:
        InputError: the file cannot be read as a model.
        Cancelled, DeadlineExceeded: by the limits.
    """
    facts = read_model(path)
    limits.check("reading the model")
    called = model or NamedNode(f"urn:sha256:{_digest(path, limits)}")
    nodes = sum(map(len, facts.trees))
    with_trees = nodes <= MOST_NODES if trees is None else trees
    remarks = list(facts.remarks)
    if nodes and not with_trees:
        remarks.append(f"the {nodes:,} nodes of its trees are not described")
    statements = tuple(statements_of(facts, called, path.name, with_trees=with_trees))
    return ModelReport(facts, called, statements, tuple(remarks))


def write_model(report: ModelReport, output: Path) -> int:
    """Write the statements about a model; the file is written whole or not at all.

    Returns:
        How many there are.

    Raises:
        UnknownFormat: the ending of the name says no syntax.
        OutputNotWritable: it cannot be written.
    """
    format = format_of_output(output)
    quads = (Quad(triple.subject, triple.predicate, triple.object) for triple in report.statements)
    return write_quads(quads, output, format, WELL_KNOWN)


@dataclass(frozen=True)
class ModelAdded:
    """A model that was described in what is open.

    Args:
        model: its IRI.
        step: takes the description back; None where nothing was new.
        resumed: the steps that can be taken back and done again, where a draft was begun for it; None otherwise.
    """

    model: NamedNode
    step: EditStep | None
    resumed: tuple[tuple[EditStep, ...], tuple[EditStep, ...]] | None


def add_model(
    session: Session,
    path: Path,
    model: NamedNode,
    *,
    trees: bool,
    progress: Callable[[str], None] = lambda _: None,
    limits: Limits = NO_LIMITS,
) -> ModelAdded:
    """Describe the model of a file in what is open, with its file, as one edit; a draft is begun where none is open.

    Args:
        model: how the model is called; what is said of it already stays.
        trees: whether the nodes of its decision trees are described.
        progress: told how far it has come.

    Raises:
        InputError: the file cannot be read as a model.
        Unsupported, OutputNotWritable, StoreError: what is open cannot be edited.
        Cancelled, DeadlineExceeded: by the limits; nothing was changed.
    """
    progress("reading the model")
    report = described_model(path, model=model, trees=trees, limits=limits)
    facts = file_facts(path, limits=limits)
    begun = session.workspace is None
    if begun:
        progress("beginning a draft")
        start_editing(session, limits=limits)
    graph = form_for(session, None, (HPC.AIModel,), limits=limits).graph
    file, described = file_described(session, facts, graph=graph, limits=limits)
    added = [Quad(one.subject, one.predicate, one.object, graph) for one in report.statements]
    added.append(Quad(model, HPC.file, file, graph))
    progress("writing the edit")
    step = EditStep.made(session, ChangeSet((), (*added, *described.added), f"Description of {path.name}"))
    return ModelAdded(model, step, journal_steps(session) if begun else None)


def facts_in_words(facts: ModelFacts) -> tuple[tuple[str, str], ...]:
    """The facts of a model as pairs of a name and a value, for people."""
    nodes = sum(map(len, facts.trees))
    version = f" {facts.framework_version}" if facts.framework_version else ""
    rows = (
        ("Format", facts.format),
        ("Framework", f"{facts.framework}{version}" if facts.framework else ""),
        ("Algorithm", facts.algorithm),
        ("Solves", facts.model_type),
        ("Takes", ", ".join(_tensor_text(tensor) for tensor in facts.inputs)),
        ("Gives", ", ".join(_tensor_text(tensor) for tensor in facts.outputs)),
        ("Labels", ", ".join(facts.labels)),
        (
            "Operators",
            f"{sum(facts.operators.values()):,} of {len(facts.operators):,} kinds" if facts.operators else "",
        ),
        ("Parameters", "" if facts.parameters is None else f"{facts.parameters:,}"),
        ("Hyperparameters", ", ".join(f"{name} {value}" for name, value in facts.hyperparameters.items())),
        ("Trees", f"{len(facts.trees):,} with {nodes:,} nodes" if nodes else ""),
        ("Left out", "; ".join(facts.remarks)),
    )
    return tuple((name, value) for name, value in rows if value)


def _tensor_text(tensor: Tensor) -> str:
    return " ".join(part for part in (tensor.name, tensor.datatype, tensor.shape_text) if part)


def _digest(path: Path, limits: Limits) -> str:
    digest = hashlib.sha256()
    try:
        with open(path, "rb") as stream:
            while part := stream.read(1 << 20):
                limits.check("reading the model")
                digest.update(part)
    except OSError as error:
        raise input_error(error, path, "model") from None
    return digest.hexdigest()
