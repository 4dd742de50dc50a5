"""The journal: records come back as they were, and a record that cannot be written leaves no trace."""

from __future__ import annotations

import hashlib
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyoxigraph import RdfFormat, parse

from hpc_explorer.errors import OutputNotWritable, StoreError
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, Quad
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.stores.changes.journal import Journal, Record, read_record, records, records_backwards, write_record
from hpc_explorer.stores.changes.profile_changes import ProfileChange
from tests.helpers.examples import examples
from tests.helpers.full_disk import files_no_larger_than
from tests.helpers.graphs import ex

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
OBJECTS = st.one_of(
    st.builds(Literal, TEXTS),
    st.builds(lambda text: Literal(text, language="en"), TEXTS),
    st.builds(lambda text: Literal(text, datatype=XSD.decimal), st.from_regex(r"\A\d{1,3}\.\d{1,3}\Z")),
    st.sampled_from([ex("a"), BlankNode("b")]),
)
ODD = next(
    parse("<http://example.org/a b> <http://example.org/p> 'x'@no-such-language .", RdfFormat.TURTLE, lenient=True)
)
QUADS = st.builds(
    Quad, st.sampled_from([ex("a"), ex("é"), BlankNode("b"), ODD.subject]), st.just(ex("p")), OBJECTS, st.just(ex("g"))
)
QUADS_OF_A_CHANGE = st.lists(QUADS, max_size=4).map(tuple)
TAKEN_BACK = st.lists(st.integers(1, 99), max_size=3).map(tuple)
CHANGES = st.builds(ChangeSet, QUADS_OF_A_CHANGE, QUADS_OF_A_CHANGE, TEXTS, TEXTS, TAKEN_BACK)
COUNTS = ProfileChange(
    {frozenset({ex("C"), ex("D")}): -1},
    {RDF.type: 2},
    {(ex("C"), RDF.type): -3},
    {(ex("p"), XSD.decimal): 4},
    {ex("g"): 5, BlankNode("h"): -6},
)


def record(revision: int, change: ChangeSet) -> Record:
    return Record(revision, datetime(2026, 11, 21, 12, 30, 0, 5, UTC), "ünal", change, COUNTS)


def written_to(folder: Path, changes: list[ChangeSet], together: int = 1) -> list[Record]:
    """The changes as records in the journal, `together` of them in each file."""
    written = [record(number, change) for number, change in enumerate(changes, 1)]
    for first in range(0, len(written), together):
        journal = Journal(folder, first)
        for one in written[first : first + together]:
            journal.append(one)
        journal.close()
    return written


@examples(30)
@given(st.lists(CHANGES, min_size=1, max_size=6), st.integers(1, 3), st.integers(0, 7))
def test_records_come_back_as_they_were(changes: list[ChangeSet], together: int, at: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "journal"
        assert list(records(folder)) == list(records_backwards(folder)) == []
        written = written_to(folder, changes, together)
        assert len(list(folder.iterdir())) == -(-len(changes) // together)
        assert list(records(folder, at)) == written[at:]
        assert [line.record() for line in records_backwards(folder)] == written[::-1]
        upto = min(at, len(written))
        assert list(records(folder, upto=upto)) == written[:upto]
        assert list(records(folder, upto // 2, upto)) == written[upto // 2 : upto]
        lines = list(records_backwards(folder, upto))
        assert [(line.revision, line.record()) for line in lines] == [(one.revision, one) for one in written[:upto]][
            ::-1
        ]
        for line in lines:
            assert not line.mentions([b"<http://example.org/nobody>"])
            for quad in (*line.record().change.removed, *line.record().change.added):
                assert line.mentions([b"<nobody>", str(quad.subject).encode()])
        assert [line.takes_back for line in lines] == [one.change.takes_back for one in written[:upto]][::-1]
        write_record(Path(name) / "one", written[-1])
        assert read_record(Path(name) / "one") == written[-1]


@examples(30)
@given(st.lists(CHANGES, min_size=2, max_size=5), st.integers(1, 3), st.data())
def test_a_record_that_was_not_finished_is_none(changes: list[ChangeSet], together: int, data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "journal"
        written = written_to(folder, changes, together)
        file = max(folder.iterdir())
        lines = file.read_bytes().splitlines(keepends=True)
        torn = lines[-1][: data.draw(st.integers(0, len(lines[-1]) - 1))]
        file.write_bytes(b"".join(lines[:-1]) + torn)
        assert list(records(folder)) == written[:-1]
        assert [line.record() for line in records_backwards(folder)] == written[-2::-1]
        # The next program goes on from there, in a file of its own or over what was begun.
        journal = Journal(folder, len(written) - 1)
        journal.append(written[-1])
        journal.close()
        if len(lines) == 1 or not torn:
            assert list(records(folder)) == written


@examples(60)
@given(st.lists(CHANGES, min_size=1, max_size=4), st.integers(1, 4), st.data())
def test_any_changed_byte_is_damage(changes: list[ChangeSet], together: int, data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "journal"
        written_to(folder, changes, together)
        file = data.draw(st.sampled_from(sorted(folder.iterdir())))
        content = bytearray(file.read_bytes())
        ends = [at for at, byte in enumerate(content) if byte == 10]
        at = data.draw(st.sampled_from(ends) | st.integers(0, len(content) - 1))
        content[at] ^= data.draw(st.integers(1, 255))
        file.write_bytes(content)
        revision = int(file.stem) + sum(end < at for end in ends)
        for reading in (records, records_backwards):
            with pytest.raises(StoreError, match=f"revision {revision} ") as caught:
                list(reading(folder))
            assert str(file) in str(caught.value)


@examples(60)
@given(
    st.integers(1, 6), st.integers(1, 3), st.integers(0, 6), st.none() | st.integers(0, 6),
    st.tuples(st.integers(0, 5), st.integers(0, 2), st.booleans()),
)  # fmt: skip
@example(2, 1, 0, 1, (0, 0, False)).via("an emptied file before the newest: revision 1 is missing, and 2 was read")
def test_a_missing_record_is_damage_where_it_is_wanted(
    count: int, together: int, after: int, upto: int | None, loss: tuple[int, int, bool]
) -> None:
    """Of a journal a file was lost, or the last records of one."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "journal"
        written = written_to(folder, [ChangeSet()] * count, together)
        files = sorted(folder.iterdir())
        file = files[loss[0] % len(files)]
        lines = file.read_bytes().splitlines(keepends=True)
        kept = loss[1] % len(lines)
        file.write_bytes(b"".join(lines[:kept]))
        if not kept and loss[2]:
            file.unlink()
        first = int(file.stem) + kept
        is_last = first - kept + together > count
        upto = None if upto is None else min(upto, count)
        lost = range(first, first - kept + len(lines))
        wanted = range(after + 1, (upto if upto is not None else first - 1 if is_last else count) + 1)
        if any(revision in lost for revision in wanted):
            with pytest.raises(StoreError, match=f"revision {max(first, after + 1)} is missing"):
                list(records(folder, after, upto))
        else:
            assert list(records(folder, after, upto)) == written[after : wanted.stop - 1]
        backwards = range(1, (upto if upto is not None else first - 1 if is_last else count) + 1)
        if any(revision in lost for revision in backwards):
            with pytest.raises(StoreError, match=f"revision {min(lost.stop, backwards.stop) - 1} is missing"):
                list(records_backwards(folder, upto))
        else:
            assert [line.record() for line in records_backwards(folder, upto)] == written[: backwards.stop - 1][::-1]


@pytest.mark.parametrize("byte", [b"\xff", b"x", b" ", b"}", b'"', b"\r"])
def test_another_byte_in_place_of_the_end_of_a_record_is_damage(tmp_path: Path, byte: bytes) -> None:
    written_to(tmp_path / "journal", [ChangeSet(words="é")] * 3, together=3)
    (file,) = (tmp_path / "journal").iterdir()
    lines = file.read_bytes().split(b"\n")[:3]
    for number, revision in ((0, 1), (1, 2), (2, 3)):
        ends = [byte if one == number else b"\n" for one in range(3)]
        for torn in (b"", b"0", lines[0][:100]):
            file.write_bytes(b"".join(line + end for line, end in zip(lines, ends, strict=True)) + torn)
            with pytest.raises(StoreError, match=f"revision {revision} "):
                list(records(file.parent))


@pytest.mark.parametrize("content", [b"{}", b"[]", b"x", b'{"revision": 1, "when": "now"}', None])
def test_a_record_of_another_kind_is_damage(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "000000000001.journal"
    line = b"no record\n" if content is None else hashlib.sha256(content).hexdigest().encode() + b" " + content + b"\n"
    file.write_bytes(line)
    readings = (
        lambda: list(records(tmp_path)),
        lambda: [one.record() for one in records_backwards(tmp_path)],
        lambda: read_record(file),
    )
    for reading in readings:
        with pytest.raises(StoreError, match="damaged") as caught:
            reading()
        assert str(file) in str(caught.value)


def test_a_file_without_its_record_is_damage(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    for name in ("empty", "none"):
        with pytest.raises(StoreError, match="damaged") as caught:
            read_record(tmp_path / name)
        assert str(tmp_path / name) in str(caught.value)


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
    journal.append(record(3, change))
    journal.withdraw()
    assert journal.revision == 2
    journal.append(record(3, change))
    journal.close()
    assert [one.change.words for one in records(folder)] == ["words", "after all", "words"]


def test_a_journal_is_not_written_over(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal", 0)
    journal.append(record(1, ChangeSet()))
    journal.close()
    with pytest.raises(StoreError, match="goes beyond revision 0"):
        Journal(tmp_path / "journal", 0).append(record(1, ChangeSet()))
    assert len(list(records(tmp_path / "journal"))) == 1
