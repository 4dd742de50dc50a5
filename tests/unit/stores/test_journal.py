"""The journal: records come back as they were, and a record that cannot be written leaves no trace."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import OutputNotWritable, StoreError
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, Quad
from hpc_explorer.stores.changes import ChangeSet
from hpc_explorer.stores.journal import Journal, Record, records
from hpc_explorer.stores.profile_changes import ProfileChange
from tests.helpers.full_disk import files_no_larger_than
from tests.helpers.graphs import ex

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
OBJECTS = st.one_of(
    st.builds(Literal, TEXTS),
    st.builds(lambda text: Literal(text, language="en"), TEXTS),
    st.builds(lambda text: Literal(text, datatype=XSD.decimal), st.from_regex(r"\A\d{1,3}\.\d{1,3}\Z")),
    st.sampled_from([ex("a"), BlankNode("b")]),
)
QUADS = st.builds(Quad, st.sampled_from([ex("a"), BlankNode("b")]), st.just(ex("p")), OBJECTS, st.just(ex("g")))
CHANGES = st.builds(ChangeSet, st.lists(QUADS).map(tuple), st.lists(QUADS).map(tuple), TEXTS)
COUNTS = ProfileChange(
    {frozenset({ex("C"), ex("D")}): -1},
    {RDF.type: 2},
    {(ex("C"), RDF.type): -3},
    {(ex("p"), XSD.decimal): 4},
    {ex("g"): 5, BlankNode("h"): -6},
)


def record(revision: int, change: ChangeSet) -> Record:
    return Record(revision, datetime(2026, 11, 21, 12, 30, 0, 5, UTC), "ünal", change, COUNTS)


@given(st.lists(CHANGES, min_size=1, max_size=5), st.integers(0, 6))
def test_records_come_back_as_they_were(changes: list[ChangeSet], after: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "journal"
        assert list(records(folder)) == []
        written = [record(number, change) for number, change in enumerate(changes, 1)]
        # A file for each opening.
        for one in written:
            journal = Journal(folder, one.revision - 1)
            journal.append(one)
            journal.close()
        assert list(records(folder, after)) == written[after:]


def test_what_cannot_be_written_whole_is_not_there(tmp_path: Path) -> None:
    folder = tmp_path / "journal"
    change = ChangeSet((), (Quad(ex("a"), ex("p"), Literal("x" * 300), ex("g")),), "words")
    journal = Journal(folder, 0)
    journal.append(record(1, change))
    (file,) = folder.iterdir()
    size = file.stat().st_size
    with files_no_larger_than(size + 100), pytest.raises(OutputNotWritable):
        journal.append(record(2, change))
    assert file.stat().st_size == size
    journal.append(record(2, change.inverse("after all")))
    journal.close()
    assert [one.change.words for one in records(folder)] == ["words", "after all"]


def test_a_journal_is_not_written_over(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal", 0)
    journal.append(record(1, ChangeSet()))
    journal.close()
    with pytest.raises(StoreError, match="goes beyond revision 0"):
        Journal(tmp_path / "journal", 0).append(record(1, ChangeSet()))
    assert len(list(records(tmp_path / "journal"))) == 1
