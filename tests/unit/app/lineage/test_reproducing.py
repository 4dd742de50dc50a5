"""Recipes as pages, statements and crates, and the files of theirs that lie on this machine."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest

from hpc_explorer.app.explore.finding import resolve
from hpc_explorer.app.lineage.recipe_crate import METADATA_NAME, PAGE_NAME, crate_metadata, write_crate
from hpc_explorer.app.lineage.recipe_text import recipe_page, recipe_text, span_text
from hpc_explorer.app.lineage.reproducing import (
    Reproduction,
    export_reproduction,
    reproduce,
    reproduction_document,
    reproduction_quads,
)
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import OutputNotWritable
from hpc_explorer.lineage.recipe.gaps import GapKind
from hpc_explorer.rdf.syntax.reading import read_bytes, read_source
from hpc_explorer.rdf.terms import CanonicalizationAlgorithm, Dataset, Quad
from tests.helpers.sessions import session_of

TODAY = date(2026, 11, 21)
MODEL = "http://example.org/seismic/run1-validation-epoch2-model"


@pytest.fixture
def session() -> Iterator[Session]:
    session = session_of("sample:xplacer", "sample:seismic")
    yield session
    session.close()


@pytest.fixture
def found(session: Session) -> Reproduction:
    return reproduce(session, resolve(session, "decisionTree.onnx"))


def test_the_page_tells_all_there_is(found: Reproduction) -> None:
    page = recipe_text(found)
    assert page.startswith("# How to make decisionTree.onnx again\n")
    for told in (
        "17 steps, 2 inputs to begin with, 11 programs, 1 machine, 3 people",
        "No location is recorded of Rodinia and Rodinia inputs.",
        "NVIDIA Nsight Compute 2019.5",
        "variant-timings.log  md5 116140d98f99ba07aa6f0fc6b4f1053a",
        "max_depth = 12",
        "accuracy: 0.934",
        "models/decisionTree.onnx: md5 9007f5c492a86c703ade1ebb8e07aded, 41.7 kB",
        "Rmax: 18,200.0 Tflop/s",
        "(159 asserted)",
    ):
        assert told in page
    headings = [line for line in page.split("\n") if line.startswith("## ")]
    assert headings[:3] == ["## Missing", "## Would help", "## Data to begin with"]
    steps = [line for line in page.split("\n") if line[:1].isdigit() and ". " in line[:4]]
    assert [int(line.partition(".")[0]) for line in steps[-17:]] == list(range(1, 18))


def test_lines_are_wrapped_where_words_allow(found: Reproduction) -> None:
    assert all(len(line) <= 100 or len(line.split()) <= 6 for line in recipe_text(found).split("\n"))


def test_a_page_of_nothing_says_so(session: Session) -> None:
    found = reproduce(session, resolve(session, "decisionTree-p100.onnx"))
    assert not found.is_complete
    assert "- Nothing is recorded of how decisionTree-p100.onnx was made." in recipe_text(found)


def test_epochs_are_one_line_of_the_page(session: Session) -> None:
    page = recipe_text(reproduce(session, resolve(session, MODEL)))
    assert "2 times within Training, run 1, from Training epoch 1, run 1 to Training epoch 2, run" in page
    assert "learning_rate: 0.001 at first, 0.0009 at last" in page
    assert "Training epoch 1, run 1 (" not in page


@pytest.mark.slow
def test_a_thousand_steps_that_differ_in_their_data_only_are_a_few_lines(tmp_path: Path) -> None:
    record = tmp_path / "record.ttl"
    lines = [
        f"ex:f{at} prov:wasGeneratedBy ex:s{at} . ex:s{at} prov:used ex:r{at} . ex:all prov:used ex:f{at} ."
        for at in range(1000)
    ]
    prefixes = "@prefix ex: <http://example.org/> . @prefix prov: <http://www.w3.org/ns/prov#> ."
    record.write_text("\n".join([prefixes, "ex:model prov:wasGeneratedBy ex:all .", *lines]), encoding="utf-8")
    session = session_of(record)
    found = reproduce(session, resolve(session, "ex:model"))
    session.close()
    page = recipe_text(found)
    assert len(found.recipe.steps) == 1001
    assert "… 987 more like it" in page
    assert "\n1000. s999  " in page
    assert "\n1001. all  " in page
    assert "- and 800 more" in page
    assert len(page.split("\n")) < 600


def test_times_are_in_utc_and_the_day_is_told_once() -> None:
    early = datetime(2024, 3, 1, 8, tzinfo=UTC)
    east = timezone(timedelta(hours=2))
    assert span_text(early, datetime(2024, 3, 1, 12, tzinfo=east)) == "2024-03-01 08:00:00 to 10:00:00 UTC"
    assert span_text(early, datetime(2024, 3, 2, 1, tzinfo=UTC)) == "2024-03-01 08:00:00 to 2024-03-02 01:00:00 UTC"
    assert span_text(early, None) == "from 2024-03-01 08:00:00 UTC"
    assert span_text(None, early) == "until 2024-03-01 08:00:00 UTC"
    assert span_text(None, None) == ""


def canonical(quads: Iterator[Quad]) -> Dataset:
    dataset = Dataset(Quad(quad.subject, quad.predicate, quad.object) for quad in quads)
    dataset.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    return dataset


@pytest.mark.parametrize("name", ["recipe.jsonld", "recipe.ttl", "recipe.nq.gz"])
def test_statements_read_back_the_same(session: Session, found: Reproduction, tmp_path: Path, name: str) -> None:
    report = export_reproduction(session, found, tmp_path / name)
    wanted = canonical(reproduction_quads(session, found))
    assert report.triples == len(wanted) > 700
    assert canonical(read_source(tmp_path / name).quads()) == wanted
    document = reproduction_document(session, found).encode()
    assert canonical(read_bytes(document, name="recipe.jsonld", base="http://example.org/").quads()) == wanted


def test_statements_are_of_the_recipe_only(session: Session, found: Reproduction) -> None:
    subjects = {str(quad.subject) for quad in reproduction_quads(session, found)}
    assert "<http://example.org/script/SC000006>" in subjects
    assert "<http://example.org/AIModel/MO000002>" not in subjects
    assert not any("seismic" in subject for subject in subjects)


# Crates


def entities(metadata: dict[str, object]) -> dict[str, dict[str, object]]:
    graph = metadata["@graph"]
    assert isinstance(graph, list)
    assert len({entity["@id"] for entity in graph}) == len(graph)
    return {entity["@id"]: entity for entity in graph}


def test_a_crate_says_what_the_recipe_says(found: Reproduction) -> None:
    told = entities(crate_metadata(found, now=TODAY))
    action = told["http://example.org/experiment/EX000002"]
    assert action["@type"] == ["CreateAction", "https://hpc-fair.github.io/ontology#Experiment"]
    assert action["result"] == {"@id": "http://example.org/AIModel/MO000001"}
    assert action["agent"] == {"@id": "http://example.org/person/PI000013"}
    assert (action["startTime"], action["endTime"]) == ("2020-09-01T17:05:00+00:00", "2020-09-01T17:09:00+00:00")
    assert len(action["object"]) == 4  # type: ignore[arg-type]
    log = told["http://example.org/log/LO000001"]
    assert (log["md5"], log["contentSize"]) == ("5df239f0e8d61592c744dda734d5ee55", "1.9 MB")
    assert told["http://example.org/software/skl2onnx"]["softwareVersion"] == "1.6.1"
    steps = told["#how-to"]["step"]
    assert isinstance(steps, list)
    assert [told[step["@id"]]["position"] for step in steps] == list(range(1, 18))
    assert told["./"]["datePublished"] == "2026-11-21"


def test_what_a_crate_refers_to_it_describes(session: Session) -> None:
    told = entities(crate_metadata(reproduce(session, resolve(session, MODEL)), now=TODAY))
    referred = {
        value["@id"]
        for entity in told.values()
        for values in entity.values()
        for value in (values if isinstance(values, list) else [values])
        if isinstance(value, dict)
    }
    assert referred - told.keys() == {"https://w3id.org/ro/crate/1.1"}


def test_a_folder_and_a_zip_hold_the_same(found: Reproduction, tmp_path: Path) -> None:
    folder, packed = tmp_path / "crate", tmp_path / "crate.zip"
    assert write_crate(found, folder, now=TODAY) == write_crate(found, packed, now=TODAY)
    with zipfile.ZipFile(packed) as opened:
        assert sorted(opened.namelist()) == sorted(path.name for path in folder.iterdir())
        for name in (METADATA_NAME, PAGE_NAME):
            assert opened.read(name) == (folder / name).read_bytes()
    first = packed.read_bytes()
    write_crate(found, packed, now=TODAY)
    assert packed.read_bytes() == first


def test_a_folder_that_holds_something_is_left_alone(found: Reproduction, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(OutputNotWritable, match="the target exists"):
        write_crate(found, tmp_path, now=TODAY)
    with pytest.raises(OutputNotWritable, match="no such folder"):
        write_crate(found, tmp_path / "nowhere" / "crate", now=TODAY)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


# Files


RECORD = """
@prefix ex: <http://example.org/> . @prefix hpc: <https://hpc-fair.github.io/ontology#> .
ex:model a hpc:AIModel ; hpc:wasGeneratedBy ex:run . ex:run a hpc:Experiment ; hpc:used ex:raw , ex:other .
ex:raw a hpc:File ; hpc:url "{url}" ; hpc:md5 "{md5}" .
ex:other a hpc:File ; hpc:url "https://data.example/other.csv" .
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    file = tmp_path / "raw data.csv"
    file.write_text("one,two\n", encoding="utf-8")
    return file


def record_of(folder: Path, url: str, md5: str) -> Session:
    source = folder / "record.ttl"
    source.write_text(RECORD.format(url=url, md5=md5), encoding="utf-8")
    return session_of(source)


def test_files_here_are_described_and_read_only_if_told(data: Path, tmp_path: Path) -> None:
    session = record_of(tmp_path, data.as_uri(), hashlib.md5(data.read_bytes(), usedforsecurity=False).hexdigest())
    model = resolve(session, "ex:model")
    (described,) = reproduce(session, model).files.values()
    assert (described.path, described.size, described.sha256, described.agrees) == (data, 8, None, None)
    found = reproduce(session, model, check_files=True)
    (checked,) = found.files.values()
    assert (checked.sha256, checked.agrees) == (hashlib.sha256(data.read_bytes()).hexdigest(), True)
    assert "its checksum agrees" in " ".join(recipe_text(found).split())
    told = entities(crate_metadata(found, now=TODAY))["http://example.org/raw"]
    assert (told["sha256"], told["contentSize"]) == (checked.sha256, "8")
    session.close()


def test_a_file_that_is_another_is_missing(data: Path, tmp_path: Path) -> None:
    session = record_of(tmp_path, str(data), "0" * 32)
    model = resolve(session, "ex:model")
    assert GapKind.CONTENT not in {gap.lack for gap in reproduce(session, model).gaps}
    found = reproduce(session, model, check_files=True)
    (gap,) = (gap for gap in found.gaps if gap.lack is GapKind.CONTENT)
    assert gap.is_needed
    assert str(data) in gap.sentence
    session.close()


@pytest.mark.parametrize("name", ["crate", "crate.zip"])
def test_files_are_copied_only_if_told(data: Path, tmp_path: Path, name: str) -> None:
    session = record_of(tmp_path, data.as_uri(), "0" * 32)
    found = reproduce(session, resolve(session, "ex:model"))
    target = tmp_path / name
    write_crate(found, target, now=TODAY, copy_files=True)
    if target.suffix == ".zip":
        with zipfile.ZipFile(target) as opened:
            content, metadata = opened.read("data/raw data.csv"), json.loads(opened.read(METADATA_NAME))
    else:
        content = (target / "data" / "raw data.csv").read_bytes()
        metadata = json.loads((target / METADATA_NAME).read_text(encoding="utf-8"))
    assert content == data.read_bytes()
    copied = entities(metadata)["data/raw%20data.csv"]
    assert copied["sameAs"] == {"@id": "http://example.org/raw"}
    assert entities(metadata)["http://example.org/run"]["object"] == [
        {"@id": "http://example.org/other"},
        {"@id": "data/raw%20data.csv"},
    ]
    session.close()


def test_the_page_as_markdown_has_no_markup_of_the_graph(tmp_path: Path) -> None:
    record = tmp_path / "record.ttl"
    record.write_text(
        """
@prefix ex: <http://example.org/> . @prefix hpc: <https://hpc-fair.github.io/ontology#> .
ex:model a hpc:AIModel ; hpc:name "<img src=x> ![M](file:///etc/hostname)" ; hpc:wasGeneratedBy ex:run .
ex:run a hpc:Experiment ; hpc:name "[click](javascript:alert(1)) \\\\<b>" .
""",
        encoding="utf-8",
    )
    session = session_of(record)
    page = recipe_page(reproduce(session, resolve(session, "ex:model")))
    assert page.startswith("# How to make \\<img src=x> !\\[M](file:///etc/hostname) again\n")
    assert not re.search(r"(?<!\\)(\\\\)*[<\[]", page)
    session.close()
