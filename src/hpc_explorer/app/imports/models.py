"""Describe a model by its file, as statements about an AI model. The model is never run."""

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
"""The most tree nodes described by default."""


@dataclass(frozen=True)
class ModelReport:
    """The description of a model.

    Args:
        facts: the content of the file.
        model: the model's IRI.
        remarks: what was left out, and why.
    """

    facts: ModelFacts
    model: NamedNode
    statements: tuple[Triple, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class ModelLook:
    """The content of a model file.

    Args:
        iri: an unused IRI for the model.
    """

    path: Path
    facts: ModelFacts
    iri: NamedNode


def look_at_model(session: Session, path: Path, *, limits: Limits = NO_LIMITS) -> ModelLook:
    """Read a model file and propose an IRI for the model.

    Raises:
        InputError: the file cannot be read as a model.
    """
    facts = read_model(path)
    return ModelLook(path, facts, minted(session, HPC.AIModel, path.stem, limits=limits))


def described_model(
    path: Path, *, model: NamedNode | None = None, trees: bool | None = None, limits: Limits = NO_LIMITS
) -> ModelReport:
    """The statements about the model in a file.

    Args:
        model: the model's IRI; None for `urn:sha256:` with the file's digest.
        trees: whether to describe the nodes of decision trees; None describes at most `MOST_NODES`.

    Raises:
        InputError: the file cannot be read as a model.
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
    """Write a description; the file is written completely or not at all. Returns the number of statements.

    Raises:
        UnknownFormat: the extension is of no syntax.
        OutputNotWritable: the file cannot be written.
    """
    format = format_of_output(output)
    quads = (Quad(triple.subject, triple.predicate, triple.object) for triple in report.statements)
    return write_quads(quads, output, format, WELL_KNOWN)


@dataclass(frozen=True)
class ModelAdded:
    """The result of adding a model's description.

    Args:
        step: the undo step; None if no statement was new.
        resumed: the undo and redo steps of the draft, if one was started.
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
    """Add the description of a model and its file to the open graph, as one edit. Starts a draft if needed.

    Args:
        model: the model's IRI; its existing statements stay.
        trees: whether to describe the nodes of decision trees.
        progress: receives progress messages.

    Raises:
        InputError: the file cannot be read as a model.
        Unsupported, OutputNotWritable, StoreError: the open graph cannot be edited.
        Cancelled, DeadlineExceeded: nothing was changed.
    """
    progress("reading the model")
    report = described_model(path, model=model, trees=trees, limits=limits)
    facts = file_facts(path, limits=limits)
    begun = session.workspace is None
    if begun:
        progress("starting a draft")
        start_editing(session, limits=limits)
    graph = form_for(session, None, (HPC.AIModel,), limits=limits).graph
    file, described = file_described(session, facts, graph=graph, limits=limits)
    added = [Quad(one.subject, one.predicate, one.object, graph) for one in report.statements]
    added.append(Quad(model, HPC.file, file, graph))
    progress("writing the edit")
    step = EditStep.made(session, ChangeSet((), (*added, *described.added), f"Description of {path.name}"))
    return ModelAdded(model, step, journal_steps(session) if begun else None)


def facts_in_words(facts: ModelFacts) -> tuple[tuple[str, str], ...]:
    """The facts of a model as pairs of label and text."""
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
