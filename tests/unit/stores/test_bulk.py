"""A large plain file goes through the engine's bulk loader, and comes out as if it had been read quad by quad."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.app.operations import loading
from hpc_explorer.app.operations.loading import load_into
from hpc_explorer.app.operations.opening import open_sources
from hpc_explorer.app.session import Session
from hpc_explorer.errors import SourceSyntaxError
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.profile import count_profile
from hpc_explorer.stores.spelling_styles import StyleCount, conformity, fits
from hpc_explorer.stores.spellings import padded, stored_form
from tests.helpers.datasets import same

numbers = st.from_regex(r"-?[0-9]{1,9}(\.[0-9]{1,9})?", fullmatch=True)
times = st.from_regex(
    r"20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?(Z|\+01:00)?", fullmatch=True
)
odd = st.sampled_from(["INF", "NaN", "1E6", "-0", "-0.00", "+1.5", "01", "no number", "1.", ".5", "true", "1"])
literals = st.one_of(
    st.builds(
        lambda value, datatype: Literal(value, datatype=datatype),
        st.one_of(numbers, odd),
        st.sampled_from([XSD.double, XSD.float, XSD.decimal, XSD.integer, XSD.boolean]),
    ),
    times.map(lambda value: Literal(value, datatype=XSD.dateTime)),
)


@given(literals, st.integers(0, 9))
def test_what_fits_a_style_comes_back_from_it(literal: Literal, style: int) -> None:
    if literal.datatype in (XSD.integer, XSD.boolean):
        style = 0
    if fits(conformity(literal), style):
        assert padded(stored_form(literal).value, style) == literal.value


def test_the_style_is_the_one_that_most_have() -> None:
    count = StyleCount()
    key = (XSD.term("p"), XSD.double)
    for value in ["0.500000", "0.250000", "1.234567", "0.5", "INF"]:
        count.see(key, conformity(Literal(value, datatype=XSD.double)))
    assert count.chosen() == {key: 6}
    assert count.departing({key: 6}) == 1


P = NamedNode("http://example.org/p")

LINES = [
    *(
        f'<http://example.org/r{n}> <http://example.org/p> "{n / 8:.6f}"^^<{XSD.double.value}> .\n'
        f"<http://example.org/r{n}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://example.org/C{n % 3}> .\n"
        f'<http://example.org/r{n}> <http://example.org/at> "2021-03-01T08:00:{n % 60:02}.000Z"^^<{XSD.dateTime.value}> .\n'
        for n in range(300)
    ),
    f'<http://example.org/r1> <http://example.org/p> "0.5"^^<{XSD.double.value}> .\n',
    f'<http://example.org/r1> <http://example.org/n> "007"^^<{XSD.integer.value}> .\n',
    '<http://example.org/r1> <http://www.w3.org/2000/01/rdf-schema#label> "The first" .\n',
    "<http://example.org/r0> <http://example.org/late> _:b .\n",
    f'_:b <http://example.org/p> "2.000000"^^<{XSD.double.value}> .\n',
]


@pytest.mark.parametrize(
    ("more", "bulk"),
    [
        ([], True),
        ([LINES[0]], True),
        ([f'<http://example.org/r4> <http://example.org/p> "0.5"^^<{XSD.double.value}> .\n'], True),
        ([f'_:b <http://example.org/p> "7.5"^^<{XSD.double.value}> .\n'], False),
        ([f"<{'https://example.org/HPC-Ontology#'}a> <urn:p> <urn:o> .\n"], False),
    ],
    ids=["plain", "a line twice", "a value in two spellings", "a blank node's own spelling", "an alias"],
)
def test_bulk_loading_gives_what_reading_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: list[str], bulk: bool
) -> None:
    path = tmp_path / "large.nt"
    path.write_text("".join(LINES + more), encoding="utf-8")
    monkeypatch.setattr(loading, "BULK_FROM", 1)
    load_into(tmp_path / "w", [str(path)])
    in_memory, on_disk = Session.new(), Session.new()
    open_sources(in_memory, [str(path)])
    open_sources(on_disk, [str(tmp_path / "w")])
    assert on_disk.workspace is not None
    assert (on_disk.workspace.folder / "states/1/store/styles.json").exists() == bulk
    assert same(on_disk.store.match(), in_memory.store.match())
    assert on_disk.store.size() == in_memory.store.size()
    assert on_disk.workspace.profile == count_profile(on_disk.store) == count_profile(in_memory.store)
    for text in ("first", "r29", "r4"):
        found = [set(session.label_index().search(text, 50)[0]) for session in (in_memory, on_disk)]
        assert found[0] == found[1]
    on_disk.close()
    in_memory.close()
    # A graph that is spelled by rule stays right when another source adds to it.
    (tmp_path / "more.nq").write_text(
        f'<urn:x> <http://example.org/p> "0.5"^^<{XSD.double.value}> <{path.as_uri()}> .\n', encoding="utf-8"
    )
    load_into(tmp_path / "w", [str(tmp_path / "more.nq")])
    again = Session.new()
    open_sources(again, [str(tmp_path / "w")])
    spelled = {q.object.value for q in again.store.match(None, P, None)}  # type: ignore[union-attr]
    assert {"0.5", "0.000000", "0.125000"} <= spelled
    again.close()


def test_a_broken_large_file_is_named_with_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "large.nt"
    path.write_text("".join([*LINES, "oops\n"]), encoding="utf-8")
    monkeypatch.setattr(loading, "BULK_FROM", 1)
    with pytest.raises(SourceSyntaxError) as wrong:
        load_into(tmp_path / "w", [str(path)])
    assert f"large.nt:{len(''.join(LINES).splitlines()) + 1}" in wrong.value.where
    assert not (tmp_path / "w").exists()
