"""What is handed over is what the printed listings say, and what other programs find valid."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from hpc_explorer.app.export.exporting import Extent, export_graph
from hpc_explorer.app.export.packages import Target, prepare, write
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.interchange.croissant import CONTEXT
from hpc_explorer.rdf.syntax.jsonld_forms import Arrangement, Form
from hpc_explorer.rdf.syntax.known_contexts import known_context
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.datasets import canonical
from tests.helpers.handing_over import COMPLETE, DATASET
from tests.helpers.sessions import session_of

HELPERS = Path(__file__).parents[1] / "helpers"
PRINTED = Path(__file__).parent / "printed_statements.ttl"
TODAY = date(2026, 11, 22)


@pytest.mark.parametrize("name", ["dataset/DA000005", "AIModel/MO000001"], ids=["Listing 3", "Listing 4"])
@pytest.mark.parametrize("form", list(Form))
def test_the_json_ld_of_a_listing_says_what_is_printed(tmp_path: Path, name: str, form: Form) -> None:
    resource = NamedNode(f"http://example.org/{name}")
    printed = [quad for quad in read_source(PRINTED).quads() if quad.subject == resource]
    source = tmp_path / "listing.nt"
    source.write_text("".join(f"{quad.triple} .\n" for quad in printed), encoding="utf-8")
    session = session_of(source)
    out = tmp_path / "out.jsonld"
    report = export_graph(session, out, extent=Extent((resource,), depth=0), arrangement=Arrangement(form))
    session.close()
    assert report.read_back == f"read back: the same {len(printed)} statements"
    assert canonical(read_source(out).quads()) == canonical(printed)
    if form in (Form.COMPACTED, Form.FRAMED):
        document = json.loads(out.read_text(encoding="utf-8"))
        # The keys stand there as the paper prints them.
        assert {"@id", "@type", "hpc:name", "hpc:description", "hpc:hasIDType", "hpc:subject"} <= document.keys()


@pytest.fixture
def complete(tmp_path: Path) -> Session:
    path = tmp_path / "complete.ttl"
    path.write_text(COMPLETE, encoding="utf-8")
    return session_of(path)


def validated(*documents: Path) -> list[str]:
    """What MLCommons' library, which takes seconds to load, finds wrong, each line with the name of its document."""
    told = subprocess.run(
        [sys.executable, str(HELPERS / "croissant_validator.py"), *map(str, documents)],
        capture_output=True, text=True, check=False, timeout=240,
    )  # fmt: skip
    assert told.returncode in (0, 1), told.stderr
    return told.stdout.splitlines()


def test_of_croissant_its_own_library_misses_what_is_told_to_be_missing(complete: Session, tmp_path: Path) -> None:
    """Nothing where nothing is told; each property that the library knows to want and that is not there."""
    whole = prepare(complete, Target.CROISSANT, Extent((NamedNode(DATASET),)))
    complete.close()
    assert not whole.lacks
    assert dict(whole.document)["@context"] == CONTEXT
    write(whole, tmp_path / "whole.json")
    session = session_of("sample:xplacer")
    bare = prepare(session, Target.CROISSANT, Extent((NamedNode("http://example.org/dataset/DA000001"),)))
    session.close()
    write(bare, tmp_path / "bare.json")
    told = validated(tmp_path / "whole.json", tmp_path / "bare.json")
    assert all(line.startswith("bare.json: ") for line in told)
    missed = {
        word for word in ("contentUrl", "license", "datePublished", "citeAs") if f'/{word}" is' in "\n".join(told)
    }
    assert missed == {"contentUrl", "license", "datePublished", "citeAs"}
    assert missed <= {lack.what for lack in bare.lacks}


VALIDATOR = "HPC_EXPLORER_CRATE_VALIDATOR"
"""Names the Python of an environment with `roc-validator`, whose dependencies do not go with those of this project."""


@pytest.mark.skipif(VALIDATOR not in os.environ, reason=f"{VALIDATOR} names no Python that has roc-validator")
@pytest.mark.parametrize("version", ["1.1", "1.2"])
@pytest.mark.parametrize("what", ["complete", "copied", "dataset", "model", "selection"])
def test_the_validator_of_the_community_finds_crates_valid(
    complete: Session, tmp_path: Path, version: str, what: str
) -> None:
    crate, contexts, session = tmp_path / "crate", tmp_path / "contexts.json", complete
    extents = {
        "complete": (DATASET,),
        "copied": (DATASET,),
        "dataset": ("http://example.org/dataset/DA000005",),
        "model": ("http://example.org/AIModel/MO000001",),
        "selection": tuple(f"http://example.org/dataset/DA00000{number}" for number in range(1, 5)),
    }
    if what == "copied":
        (tmp_path / "a note.txt").write_text("put in", encoding="utf-8")
        more = f"<{DATASET}> hpc:file <http://example.org/n> . <http://example.org/n> hpc:url '{tmp_path}/a note.txt' ."
        (tmp_path / "more.ttl").write_text(f"{COMPLETE}{more}", encoding="utf-8")
        session = session_of(tmp_path / "more.ttl")
    elif what != "complete":
        session = session_of("sample:xplacer")
    extent = Extent(tuple(map(NamedNode, extents[what])))
    write(prepare(session, Target.RO_CRATE, extent, crate_version=version, copy_files=True, now=TODAY), crate)
    session.close()
    address = f"https://w3id.org/ro/crate/{version}/context"
    contexts.write_text(json.dumps({address: known_context(address)}), encoding="utf-8")
    told = subprocess.run(
        [os.environ[VALIDATOR], str(HELPERS / "crate_validator.py"), str(contexts), str(crate), f"ro-crate-{version}"],
        capture_output=True, text=True, check=False, timeout=240,
    )  # fmt: skip
    assert (told.returncode, told.stdout) == (0, ""), told.stderr
