"""`table convert`: a table as triples, and what it says of the rest."""

from __future__ import annotations

from pathlib import Path

from tests.helpers.program import run

MAPPING = """
subject: https://example.org/{ID}
columns:
  Name: hpc:name
  Rank: {property: hpc:top500Rank, datatype: xsd:integer}
"""


def test_a_table_becomes_triples_that_can_be_asked(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('ID,Name,Rank\n1,Fugaku,"1,000"\n')
    (tmp_path / "m.yaml").write_text(MAPPING)
    done = run("table", "convert", "t.csv", "--mapping", "m.yaml", "-o", "t.ttl", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert done.out == "wrote 2 triples to t.ttl: 1 of 1 rows\n"
    asked = run("query", "t.ttl", "--text", "SELECT ?r { ?m hpc:top500Rank ?r }", "--format", "csv", cwd=tmp_path)
    assert "1000" in asked.out


def test_rejects_are_told_and_listed(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("ID,Name,Rank,More\n1,a,first,x\n,b,2,x\n")
    (tmp_path / "m.yaml").write_text(MAPPING)
    words = ("table", "convert", "t.csv", "--mapping", "m.yaml", "-o", "t.nq", "--rejects", "r.csv")
    done = run(*words, cwd=tmp_path)
    assert done.code == 1
    assert done.err.splitlines() == [
        "hpc-explorer: columns that the mapping does not mention: More",
        "hpc-explorer: row 1, column 'Rank': not a number: 'first'",
        "hpc-explorer: row 2, column 'ID': no value in the column 'ID', which the IRI needs (the whole row is left out)",
    ]
    assert (tmp_path / "r.csv").read_text().splitlines()[1] == "1,Rank,first,not a number,cell"


def test_a_suggestion_is_a_mapping(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("ID,Rmax [TFlop/s]\n1,2.5\n")
    done = run("table", "convert", "t.csv", "--suggest", cwd=tmp_path)
    assert done.code == 0
    (tmp_path / "m.yaml").write_text(done.out)
    again = run("table", "convert", "t.csv", "--mapping", "m.yaml", "-o", "t.nq", cwd=tmp_path)
    assert (again.code, again.err) == (0, "")
    assert "unit/TeraFLOPS" in (tmp_path / "t.nq").read_text()


def test_wrong_words_and_files_end_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("ID\n1\n")
    (tmp_path / "m.yaml").write_text("subject: nonsense\ncolumns: {}\n")
    for words in (
        ("t.csv",),
        ("t.csv", "--suggest", "-o", "t.nq"),
        ("t.csv", "--mapping", "m.yaml", "-o", "t.nq"),
        ("t.csv", "--mapping", "mapping:top500", "-o", "t.nq"),
        ("t.csv", "--mapping", "mapping:none", "-o", "t.nq"),
        ("none.csv", "--mapping", "mapping:top500", "-o", "t.nq"),
        ("t.csv", "--mapping", "mapping:top500", "-o", "t.xyz"),
    ):
        done = run("table", "convert", *words, cwd=tmp_path)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1), words
        assert "defect" not in done.err
    assert not (tmp_path / "t.nq").exists()


def test_a_tarql_file_is_printed_as_a_mapping_and_taken_as_one(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Machine ID,Name\n1,Fugaku\n")
    (tmp_path / "q.sparql").write_text("""CONSTRUCT { ?m hpc:name ?Name ; hpc:vendor ?v }
WHERE { BIND (IRI(CONCAT("https://example.org/", ?Machine_ID)) AS ?m) BIND (UCASE(?Name) AS ?v) }
""")
    done = run("table", "import", "t.csv", "--mapping", "q.sparql", cwd=tmp_path)
    assert done.code == 0
    assert done.out.startswith("# line 2: UCASE(…) is left out\nsubject: https://example.org/{Machine ID}\n")
    done = run("table", "convert", "t.csv", "--mapping", "q.sparql", "-o", "t.nt", cwd=tmp_path)
    assert (done.code, done.err) == (1, "hpc-explorer: q.sparql: line 2: UCASE(…) is left out\n")
    assert "<https://example.org/1>" in (tmp_path / "t.nt").read_text()


def test_a_sheet_is_chosen_and_rows_with_one_iri_are_told(tmp_path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.create_sheet("Runs")
    for row in (("ID", "Name", "Rank"), (1, "a", 1), (1, "b", 2)):
        book["Runs"].append(row)
    book.save(tmp_path / "t.xlsx")
    (tmp_path / "m.yaml").write_text(MAPPING)
    words = ("table", "convert", "t.xlsx", "--mapping", "m.yaml", "-o", "t.ttl")
    assert run(*words, cwd=tmp_path).code == 2
    done = run(*words, "--sheet", "Runs", cwd=tmp_path)
    assert done.code == 1
    assert done.out == "wrote at most 4 triples to t.ttl: 2 of 2 rows, merged into 1\n"
    assert "1 row has the IRI of an earlier row, and other values" in done.err
    assert "row 2 has the IRI of row 1, and other values: https://example.org/1" in done.err
