"""What can be chosen for an export: how much, in which syntax and form, and a name for the file."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from hpc_explorer.app.export.packages import Target
from hpc_explorer.app.export.requests import ExportOrder
from hpc_explorer.rdf.syntax.formats import JSON_LD, N_QUADS, N_TRIPLES, RDF_XML, TRIG, TURTLE, Format
from hpc_explorer.rdf.syntax.jsonld_forms import Form


class Extent(Enum):
    """The kinds of extent in the dialog."""

    GRAPH = "graph"
    RESOURCE = "resource"
    SELECTION = "selection"
    CLASS = "class"
    LINEAGE = "lineage"


ALL = ExportOrder()


@dataclass(frozen=True)
class Offer:
    """A choice for "What", with its label, file name and request."""

    extent: Extent
    text: str
    file_stem: str
    order: ExportOrder = ALL


@dataclass(frozen=True)
class ExportChoice:
    """The user's choice."""

    extent: Extent
    path: Path
    order: ExportOrder


@dataclass(frozen=True)
class Syntax:
    """A form in the dialog.

    Args:
        use: a description.
        endings: file extensions, the usual one first.
        format: for RDF syntaxes.
        target: for other forms.
    """

    name: str
    use: str
    endings: tuple[str, ...]
    format: Format | None = None
    target: Target | None = None


def _rdf(format: Format, use: str) -> Syntax:
    return Syntax(format.name, use, tuple(f".{extension}" for extension in format.extensions), format)


SYNTAXES: tuple[Syntax, ...] = (
    _rdf(JSON_LD, "Names shortened by the HPC context, numbers as numbers: for programs and people."),
    _rdf(TURTLE, "The easiest to read and edit."),
    _rdf(TRIG, "Like Turtle, and keeps the names of graphs."),
    _rdf(N_TRIPLES, "One triple per line, for line tools and comparisons."),
    _rdf(N_QUADS, "One triple per line, and keeps the names of graphs."),
    _rdf(RDF_XML, "For older programs."),
    Syntax(
        "RO-Crate", "A package with its files, its statements and a page to read.", (".zip",), None, Target.RO_CRATE
    ),
    Syntax("Croissant", "A dataset for machine learning (MLCommons).", (".json",), None, Target.CROISSANT),
    Syntax(
        "schema.org", "For web pages, so that search engines find them.", (".jsonld", ".html"), None, Target.SCHEMA_ORG
    ),
    Syntax("PROV-JSON", "For tools of W3C PROV, as JSON.", (".json",), None, Target.PROV_JSON),
    Syntax("PROV-N", "For tools of W3C PROV, and to read.", (".provn",), None, Target.PROV_N),
    Syntax("Run Crate", "Runs with their inputs and outputs, as an RO-Crate.", (".zip",), None, Target.RUN_CRATE),
    Syntax(
        "OpenLineage", "Events of runs, one per line, for Marquez or DataHub.", (".ndjson",), None, Target.OPENLINEAGE
    ),
    Syntax("MLflow", "Runs in a tracking store: a new folder, or one that exists.", ("",), None, Target.MLFLOW),
)


def is_for_all(syntax: Syntax) -> bool:
    """Whether a form can hold the whole graph or a lineage."""
    return syntax.target is None or syntax.target.is_provenance


FORMS: tuple[tuple[Form, str], ...] = (
    (Form.COMPACTED, "Compacted: as people write it"),
    (Form.FRAMED, "Framed: the chosen resources at the top, the rest inside"),
    (Form.EXPANDED, "Expanded: whole IRIs, no context"),
    (Form.FLATTENED, "Flattened: one object for each node"),
)

DEPTHS: tuple[tuple[int | None, str], ...] = (
    (None, "Only its own statements"),
    (0, "With names and classes of linked resources"),
    (1, "With the statements of resources one link away"),
    (2, "With the statements of resources up to two links away"),
)


def file_stem(text: str) -> str:
    """A short file name made from a label."""
    kept = "".join(character if character.isalnum() or character in "-_." else "-" for character in text)
    return "-".join(part for part in kept.split("-") if part).strip(".-")[:60] or "graph"
