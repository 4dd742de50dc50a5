"""What is known of a file: told by its content, and put where a form has a place for it."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import sqlite3
import tarfile
import zipfile
from pathlib import Path

import pytest

from hpc_explorer.annotate.file_facts import facts_as_values, file_facts
from hpc_explorer.annotate.forms.entries import entry_text
from hpc_explorer.annotate.forms.form import Form, form_of, schema_for_forms
from hpc_explorer.errors import Cancelled, SourceNotFound, SourceUnreadable
from hpc_explorer.ontology.instances import count_usage
from hpc_explorer.ontology.shipped import shipped_ontology
from hpc_explorer.rdf.namespaces import DCAT, DCTERMS, HPC, SCHEMA
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import CancelToken, Limits
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.graphs import store_of


def archive(*names: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name in names:
            file.writestr(name, b"x")
    return packed.getvalue()


def tar() -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as file:
        file.addfile(tarfile.TarInfo("a"), io.BytesIO())
    return packed.getvalue()


HDF5 = b"\x89HDF\r\n\x1a\n" + bytes(64)

CONTENTS = [
    ("data.h5", HDF5, "HDF5"),
    ("model.weights.h5", HDF5, "Keras"),
    ("ocean.nc", HDF5, "NetCDF-4"),
    ("user.h5", bytes(512) + HDF5, "HDF5"),
    ("ocean.nc", b"CDF\x01" + bytes(9), "NetCDF"),
    ("a.npy", b"\x93NUMPY\x01\x00", "NPY"),
    ("a.npz", archive("x.npy", "y.npy"), "NPZ"),
    ("model.pt", archive("model/data.pkl", "model/version"), "PyTorch"),
    ("model.keras", archive("config.json", "metadata.json", "model.weights.h5"), "Keras"),
    ("list.xlsx", archive("[Content_Types].xml", "xl/workbook.xml"), "Excel"),
    ("crate.zip", archive("crate/ro-crate-metadata.json"), "RO-Crate"),
    ("any.zip", archive("a.txt"), "ZIP"),
    ("cut.zip", archive("a.txt")[:40], "ZIP"),
    ("empty.zip", archive(), "ZIP"),
    ("t.parquet", b"PAR1" + bytes(8) + b"PAR1", "Parquet"),
    ("t.csv", b"a,b\n1,2\n", "CSV"),
    ("t.tsv", b"a\tb\n", "TSV"),
    ("t.CSV.GZ", gzip.compress(b"a,b\n"), "CSV, gzip"),
    ("graph.ttl.gz", gzip.compress(b"<a> <b> <c> ."), "Turtle, gzip"),
    ("all.tar.gz", gzip.compress(tar()), "tar, gzip"),
    ("all.tar", tar(), "tar"),
    ("named.csv", gzip.compress(b"a,b\n"), "gzip"),
    ("graph.ttl", b"<a> <b> <c> .", "Turtle"),
    ("x.json", b'{"a": 1}', "JSON"),
    ("x.jsonld", b'{"a": 1}', "JSON-LD"),
    ("noname", b'{"a": 1}', "JSON"),
    ("noname", b"[1, 2]", "JSON"),
    ("noname", b"just words", "text"),
    ("latin.txt", "Z\u00fcrich".encode("latin-1"), "binary"),
    ("long.txt", b"a" * 4095 + "\u00fc".encode() * 9, "text"),
    ("decisionTree.onnx", b"\x08\x07\x12\x08skl2onnx", "ONNX"),
    ("words.onnx", b"no model", "text"),
    ("model.pkl", b"\x80\x04\x95payload.", "Python pickle"),
    ("m.safetensors", (7).to_bytes(8, "little") + b'{"a":1}', "safetensors"),
    ("nothing", b"", "empty"),
    ("noise.bin", bytes(range(256)), "binary"),
]


@pytest.mark.parametrize(
    ("name", "content", "format"), CONTENTS, ids=[f"{name} {at}" for at, (name, *_) in enumerate(CONTENTS)]
)
def test_a_format_is_told_by_the_content(tmp_path: Path, name: str, content: bytes, format: str) -> None:
    (tmp_path / name).write_bytes(content)
    facts = file_facts(tmp_path / name)
    assert facts.format.name == format
    assert facts.size == len(content)
    assert facts.sha256 == hashlib.sha256(content).hexdigest()
    assert facts.md5 == hashlib.md5(content).hexdigest()


def test_a_database_that_a_library_wrote(tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / "x.db")
    database.execute("CREATE TABLE a (b)")
    database.close()
    assert file_facts(tmp_path / "x.db").format.name == "SQLite"


def test_an_archive_with_an_endless_list_is_only_an_archive(tmp_path: Path) -> None:
    content = bytearray(archive("a.npy"))
    end = content.rfind(b"PK\x05\x06")
    content[end + 12 : end + 16] = (2**31).to_bytes(4, "little")
    (tmp_path / "bomb.npz").write_bytes(content)
    assert file_facts(tmp_path / "bomb.npz").format.name == "ZIP"


def test_reading_is_told_and_stopped(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(bytes(3 * 2**20))
    told: list[tuple[int, int]] = []
    file_facts(tmp_path / "large", progress=lambda done, of: told.append((done, of)))
    assert told == [(size * 2**20, 3 * 2**20) for size in (1, 2, 3)]
    cancel = CancelToken()
    with pytest.raises(Cancelled):
        file_facts(tmp_path / "large", progress=lambda *_: cancel.cancel(), limits=Limits(cancel=cancel))


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound):
        file_facts(tmp_path / "none")
    with pytest.raises(SourceUnreadable, match="not a file"):
        file_facts(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SourceUnreadable, match="not a file"):
        file_facts(tmp_path / "pipe")


def test_a_file_that_grows_meanwhile_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "growing"
    file.write_bytes(bytes(2 * 2**20))
    with pytest.raises(SourceUnreadable, match="changed while"):
        file_facts(file, progress=lambda *_: grow(file))


def grow(file: Path) -> None:
    with file.open("ab") as open_:
        open_.write(b"more")


def form(*classes: NamedNode, ontology: str = "") -> Form:
    store = store_of(ontology) if ontology else LocalStore.in_memory()
    schema = schema_for_forms(store, shipped_ontology(), count_usage(store))
    return form_of(store, schema, (), classes=classes)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "kernel_times.csv"
    path.write_bytes(b"a,b\n1,2\n")
    os.utime(path, (1_625_000_000, 1_625_000_000))
    return path


def shown(made: Form, path: Path) -> dict[NamedNode, str]:
    return {term: entry_text(value) for term, (value,) in facts_as_values(made, file_facts(path)).items()}


def test_the_facts_of_a_file_in_the_terms_of_the_ontology(table: Path) -> None:
    values = shown(form(HPC.File), table)
    assert values.pop(HPC.md5) == hashlib.md5(table.read_bytes()).hexdigest()
    assert values.pop(SCHEMA.sha256) == hashlib.sha256(table.read_bytes()).hexdigest()
    assert values == {
        HPC.name: "kernel_times.csv",
        HPC.size: "8 B",
        HPC.term("format"): "CSV",
        SCHEMA.encodingFormat: "text/csv",
        DCTERMS.modified: "2021-06-29T20:53:20Z",
    }


def test_a_model_has_its_own_field_for_the_format(tmp_path: Path) -> None:
    (tmp_path / "tree.onnx").write_bytes(b"\x08\x07\x12\x08skl2onnx")
    values = shown(form(HPC.AIModel), tmp_path / "tree.onnx")
    assert values[HPC.modelFormat] == "ONNX"
    assert values[SCHEMA.contentSize] == "12 B"
    assert SCHEMA.encodingFormat not in values, "that it is bytes says nothing"
    assert DCAT.byteSize not in values, "a model is no distribution"


def test_a_dataset_is_called_by_the_words_of_its_file(table: Path) -> None:
    assert shown(form(HPC.Dataset), table)[HPC.name] == "kernel times"


def test_a_distribution_has_the_terms_of_dcat(table: Path) -> None:
    made = form(
        DCAT.Distribution,
        ontology="""
        dcat:byteSize a owl:DatatypeProperty ; rdfs:domain dcat:Distribution ; rdfs:range xsd:nonNegativeInteger .
        dcat:mediaType a owl:ObjectProperty ; rdfs:domain dcat:Distribution ; rdfs:range dcterms:MediaType .
        """,
    )
    values = shown(made, table)
    assert values[DCAT.byteSize] == "8"
    assert values[DCAT.mediaType] == "https://www.iana.org/assignments/media-types/text/csv"
