"""Inputs made to do harm: each is refused clearly or taken for what it is; nothing is run, nothing is lost."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tests.helpers.program import Finished, installed_command, run, run_installed

MAPPING = "subject: https://example.org/{ID}\ncolumns:\n  Name: hpc:name\n"

BEFORE = "<https://example.org/a> <https://example.org/p> <https://example.org/b> .\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a mapping, and with a result of before that must not be lost."""
    (tmp_path / "m.yaml").write_text(MAPPING)
    (tmp_path / "out.nt").write_text(BEFORE)
    return tmp_path


def converted(folder: Path, table: str, mapping: str = "m.yaml") -> Finished:
    return run_installed(
        "table", "convert", table, "--mapping", mapping, "-o", "out.nt", "--rejects", "no.csv", cwd=folder
    )


def refused(done: Finished, folder: Path, *words: str) -> None:
    """Refused in one line with these words, and with the result of before as it was."""
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert "Traceback" not in done.err
    for word in words:
        assert word in done.err
    assert (folder / "out.nt").read_text() == BEFORE


def test_a_table_of_ten_thousand_columns(folder: Path) -> None:
    names = ",".join(f"c{number}" for number in range(10_000))
    (folder / "wide.csv").write_text(f"{names}\n{','.join('1' for _ in range(10_000))}\n")
    (folder / "wide.yaml").write_text("subject: https://example.org/{c0}\ncolumns:\n  c1: hpc:name\n")
    done = converted(folder, "wide.csv", "wide.yaml")
    assert (done.code, done.out) == (0, "wrote 1 triples to out.nt: 1 of 1 rows\n")
    assert "and 9,988 more" in done.err
    assert len(done.err) < 300


def test_formulas_stay_texts_and_are_no_formulas_in_the_list_of_rejects(folder: Path) -> None:
    (folder / "f.yaml").write_text(
        "subject: https://example.org/{ID}\ncolumns:\n  Name: hpc:name\n  Size: {property: hpc:version, datatype: xsd:integer}\n"
    )
    (folder / "f.csv").write_text("ID,Name,Size\n1,\"=cmd|'/c calc'!A1\",=1+1\n")
    done = converted(folder, "f.csv", "f.yaml")
    assert done.code == 1
    assert "\"=cmd|'/c calc'!A1\"" in (folder / "out.nt").read_text()
    assert ",=1+1," not in (folder / "no.csv").read_text()


def test_two_encodings_in_one_file_are_told(folder: Path) -> None:
    (folder / "mixed.csv").write_bytes("ID,Name\n1,Zürich\n".encode() + "2,Zürich\n".encode("latin-1"))
    done = converted(folder, "mixed.csv")
    assert done.code == 0
    assert "give the file one encoding" in done.err


def test_a_cell_of_ten_megabytes(folder: Path) -> None:
    (folder / "cell.csv").write_text(f"ID,Name\n1,{'x' * 10_000_000}\n")
    refused(converted(folder, "cell.csv"), folder, "characters", "cell.csv:2")


def test_an_iri_that_would_end_itself(folder: Path) -> None:
    (folder / "i.csv").write_text('ID,Name\n"> <p> <o> . <http://evil.example/",a\n"../../x y{}",b\n')
    done = converted(folder, "i.csv")
    assert done.code == 0
    written = (folder / "out.nt").read_text().splitlines()
    assert len(written) == 2
    assert all(line.startswith("<https://example.org/") and line.count("<") == 2 for line in written)
    assert "<http://evil" not in "".join(written)


def test_a_bomb_in_an_excel_file(folder: Path) -> None:
    with zipfile.ZipFile(folder / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        with archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet:
            for _ in range(300):
                sheet.write(bytes(1 << 20))
    assert (folder / "bomb.xlsx").stat().st_size < 1_000_000
    refused(converted(folder, "bomb.xlsx"), folder, "bomb.xlsx")


class Payload:
    """Leaves a mark where it is run."""

    def __reduce__(self) -> tuple[Any, tuple[str, str]]:
        return open, ("ran", "w")


def test_a_pickle_with_a_payload(folder: Path) -> None:
    (folder / "model.pkl").write_bytes(pickle.dumps(Payload()))
    done = run_installed("describe", "model.pkl", "-o", "out.nt", cwd=folder)
    refused(done, folder, "a pickle of io.open", "nothing was executed")
    assert not (folder / "ran").exists()


def test_xml_that_laughs_a_billion_times(folder: Path) -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    (folder / "laughs.rdf").write_text(
        f'<?xml version="1.0"?><!DOCTYPE rdf [<!ENTITY e0 "ha">{entities}]>'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="https://example.org/">'
        '<rdf:Description rdf:about="https://example.org/a"><e:p>&e9;</e:p></rdf:Description></rdf:RDF>'
    )
    refused(run_installed("export", "laughs.rdf", "-o", "out.nt", cwd=folder), folder, "laughs.rdf")


@pytest.mark.parametrize("context", ["file:///etc/passwd", "../../../etc/passwd", "http://127.0.0.1:1/context"])
def test_a_context_that_leads_elsewhere(folder: Path, context: str) -> None:
    (folder / "c.jsonld").write_text(f'{{"@context": "{context}", "@id": "https://example.org/a", "name": "x"}}')
    refused(run("export", "c.jsonld", "-o", "out.nt", cwd=folder), folder, "context")


def test_turtle_in_a_cell_of_an_excel_file(folder: Path) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    text = '" . <https://evil.example/a> <https://evil.example/b> "c'
    book.active.append(["ID", "Name"])
    book.active.append([1, text])
    book.save(folder / "t.xlsx")
    done = converted(folder, "t.xlsx")
    assert (done.code, done.out) == (0, "wrote 1 triples to out.nt: 1 of 1 rows\n")
    (line,) = (folder / "out.nt").read_text().splitlines()
    assert line.startswith('<https://example.org/1> <https://hpc-fair.github.io/ontology#name> "\\" . <')


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_a_name_is_no_command_to_the_terminal(folder: Path) -> None:
    (folder / "e.ttl").write_text(
        '<https://example.org/a> <http://www.w3.org/2000/01/rdf-schema#label> "a\\u001b]0;owned\\u0007\\u009b2J\\u202eexe" .'
    )
    told, terminal = os.openpty()
    words = [installed_command(), "show", "e.ttl", "https://example.org/a"]
    done = subprocess.run(words, cwd=folder, stdout=terminal, stderr=terminal, check=False, timeout=240)
    os.close(terminal)
    shown = os.read(told, 65_536)
    os.close(told)
    assert done.returncode == 0
    assert b"a\\x1b]0;owned\\x07\\x9b2J\\u202eexe" in shown
    assert b"\x1b" not in shown
    piped = run_installed("show", "e.ttl", "https://example.org/a", cwd=folder)
    assert "a\x1b]0;owned\x07\x9b2J\u202eexe" in piped.out


def test_a_crate_with_links_that_lead_out_of_it(folder: Path) -> None:
    """Its parts are named, and none of them is read."""
    crate = folder / "crate"
    crate.mkdir()
    (folder / "secret").write_text("secret text")
    (crate / "link").symlink_to(folder / "secret")
    (crate / "ro-crate-metadata.json").write_text(
        '{"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": ['
        '{"@id": "./", "@type": "Dataset", "hasPart": [{"@id": "../secret"}, {"@id": "link"}]}]}'
    )
    done = run_installed("export", "crate", "-o", "out.nt", cwd=folder)
    assert (done.code, done.err) == (0, "")
    assert "secret text" not in (folder / "out.nt").read_text()


def test_a_zip_archive_is_not_unpacked(folder: Path) -> None:
    with zipfile.ZipFile(folder / "slip.zip", "w") as archive:
        archive.writestr("../slipped.txt", "x")
    refused(run_installed("export", "slip.zip", "-o", "out.nt", cwd=folder), folder, "a ZIP archive, not RDF")
    assert not (folder.parent / "slipped.txt").exists()


def test_a_mapping_that_would_run_something(folder: Path) -> None:
    (folder / "py.yaml").write_text(
        "subject: !!python/object/apply:os.system ['touch ran']\ncolumns:\n  Name: hpc:name\n"
    )
    (folder / "t.csv").write_text("ID,Name\n1,a\n")
    refused(converted(folder, "t.csv", "py.yaml"), folder, "py.yaml:1")
    assert not (folder / "ran").exists()


def test_records_a_hundred_thousand_deep(folder: Path) -> None:
    (folder / "deep.json").write_text("[" * 100_000 + "]" * 100_000)
    refused(converted(folder, "deep.json"), folder, "too deep")


@pytest.mark.parametrize(
    "words",
    [
        ("export", "deep.jsonld", "-o", "out.nt"),
        pytest.param(("info", "deep.jsonld"), marks=pytest.mark.slow),
        pytest.param(("query", "deep.jsonld", "--text", "ASK {}"), marks=pytest.mark.slow),
        ("export", "good.ttl", "--context", "deep.jsonld", "-o", "new.jsonld"),
        ("export", "good.ttl", "--frame", "deep.jsonld", "-o", "new.jsonld"),
    ],
    ids=" ".join,
)
def test_json_ld_thousands_of_levels_deep(folder: Path, words: tuple[str, ...]) -> None:
    """The engine would end the process by a signal at 5,000, and take 5 GB at 20,000."""
    (folder / "good.ttl").write_text(BEFORE)
    (folder / "deep.jsonld").write_text('{"https://example.org/p":' * 5_000 + "1" + "}" * 5_000)
    refused(run_installed(*words, cwd=folder), folder, "nested 5,000 levels deep", "at most 500", "deep.jsonld")
    assert not (folder / "new.jsonld").exists()


def test_links_in_cells_that_are_no_names(folder: Path) -> None:
    (folder / "l.yaml").write_text(
        "subject: https://example.org/{ID}\ncolumns:\n  Link: {property: hpc:url, iri: true}\n"
    )
    (folder / "l.csv").write_text('ID,Link\n1,javascript:alert(1)\n2,"http://e/\n> <x> <y"\n3,https://ok.example/\n')
    done = converted(folder, "l.csv", "l.yaml")
    assert done.code == 1
    assert done.err.count("not an IRI that names a thing") == 2
    assert (folder / "out.nt").read_text().endswith("<https://ok.example/> .\n")
