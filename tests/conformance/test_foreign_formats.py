"""Every published file of provenance opens in its format: how many activities, entities and edges, and what is not read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from hpc_explorer.interchange.foreign import ForeignContent, recognise
from hpc_explorer.rdf.namespaces import PROV, RDF
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.syntax.formats import TURTLE
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import BlankNode, Literal, Quad


def read(path: Path) -> tuple[str, list[Quad], ForeignContent]:
    document = Document(str(path), path=path)
    format = recognise(document)
    assert format is not None, path
    content = ForeignContent(format, document, path.as_uri())
    return format.name, list(content.quads()), content


def files_in(folder: Path, *endings: str) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in endings)


def test_every_prov_document_opens(shared_data: Callable[[str], Path]) -> None:
    folder = shared_data("provenance/prov-json")
    found: Counter[str] = Counter()
    for path in files_in(folder, ".json", ".xml", ".provx"):
        name, quads, content = read(path)
        found[name] += 1
        assert quads, path
        assert not content.missing, path
    assert found == {"PROV-JSON": 147, "PROV-XML": 54}


def test_prov_json_says_what_its_published_turtle_says(shared_data: Callable[[str], Path]) -> None:
    """The W3C mapping to PROV-O: each published statement is read, blank nodes aside. Literal types stay prov:type."""
    folder = shared_data("provenance/prov-json")
    compared = 0
    for path in files_in(folder / "json", ".json"):
        turtle = folder / "rdf" / f"{path.stem}.ttl"
        if not turtle.exists():
            continue
        compared += 1
        own = {_shape(quad) for quad in read(path)[1]}
        published = read_source(turtle)
        assert published.format == TURTLE
        assert {_shape(quad) for quad in published.quads()} <= own, path
    assert compared == 50


def _shape(quad: Quad) -> tuple[str, str, str]:
    predicate = PROV.type if quad.predicate == RDF.type and isinstance(quad.object, Literal) else quad.predicate
    subject = "" if isinstance(quad.subject, BlankNode) else str(quad.subject)
    return subject, str(predicate), "" if isinstance(quad.object, BlankNode) else str(quad.object)


def test_cwlprov_says_the_same_in_three_syntaxes(shared_data: Callable[[str], Path]) -> None:
    folder = shared_data("provenance/ro-crate/cwlprov/ml-predict-pipeline-cwltool/metadata/provenance")
    shapes = []
    for ending in ("json", "provn", "xml"):
        # PROV-N has no prefix of its own for xsd:int, and the package for PROV-XML no integer but that.
        shapes.append(Counter(map(_shape, read(folder / f"primary.cwlprov.{ending}")[1])))
    assert shapes[0] == shapes[1] == shapes[2]


@pytest.mark.parametrize(
    ("place", "name", "activities", "missing"),
    [
        ("flowcept/sample_data.json", "Flowcept", 207, 0),
        ("provlake-library/synthetic_dataflow.json", "ProvLake", 0, 0),
        ("marquez/docker/metadata.template.json", "OpenLineage", 13, 26),
        ("openlineage/client/python/tests/serde_example_run_event.json", "OpenLineage", 1, 0),
        ("openlineage/client/python/tests/example_full_event.json", "OpenLineage", 2, 0),
        ("ro-crate/cwlprov/ml-predict-pipeline-cwltool", "CWLProv", 4, 1),
    ],
)
def test_published_records_open(
    shared_data: Callable[[str], Path], place: str, name: str, activities: int, missing: int
) -> None:
    found, quads, content = read(shared_data("provenance") / place)
    assert found == name
    assert (
        len({quad.subject for quad in quads if quad.predicate == RDF.type and quad.object == PROV.Activity})
        == activities
    )
    assert len(content.missing) == missing


def test_every_facet_of_openlineage_is_understood(shared_data: Callable[[str], Path]) -> None:
    for path in files_in(shared_data("provenance/openlineage/spec/tests"), ".json"):
        name, quads, content = read(path)
        assert name == "OpenLineage"
        assert quads, path
        assert (content.notes, content.missing) == ([], ()), path


def test_every_workflow_instance_opens_with_all_its_tasks(shared_data: Callable[[str], Path]) -> None:
    import json

    for path in files_in(shared_data("monitoring/wfinstances"), ".json"):
        if path.name == "wfcommons-schema.json":
            continue
        name, quads, content = read(path)
        tasks = json.loads(path.read_bytes())["workflow"]["specification"]["tasks"]
        activities = {quad.subject for quad in quads if quad.predicate == RDF.type and quad.object == PROV.Activity}
        assert name == "WfFormat"
        assert len(activities) == len(tasks) + 1
        used = sum(quad.predicate == PROV.used for quad in quads)
        assert used == sum(len(set(task.get("inputFiles", ()))) for task in tasks)
        assert content.missing == ()
