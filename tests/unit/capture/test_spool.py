"""A spool file gives back what was written, whatever happened to its end or middle."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.capture.spool import NotASpool, frames, header, parse_frames, read_spool

plain = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | st.text()
values = st.recursive(plain, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3))
some_records = st.lists(
    st.one_of(
        st.tuples(st.just("parameter"), st.just("w.1"), st.text(), values, st.integers(0, 9), st.just("value")),
        st.tuples(
            st.just("metric"),
            st.just("w.1/epoch:0"),
            st.text(),
            plain,
            st.integers(0, 99),
            st.integers(0, 2**62),
            st.none() | st.integers(0, 9),
        ),
        st.tuples(st.just("batch"), st.just("w.1/batch:0"), st.integers(0, 2**62), st.integers(0, 2**62), st.none()),
    ),
    min_size=1,
    max_size=20,
)


def parsed(data: bytes) -> tuple[list[list[object]], int, int]:
    part = parse_frames("p", 0, data.splitlines(keepends=True))
    return part.records, part.end, len(part.damages)


@given(some_records)
def test_records_come_back(records: list[tuple[object, ...]]) -> None:
    found, end, damages = parsed(data := b"".join(frames(records)))
    assert found == [list(record) for record in records]
    assert (end, damages) == (len(data), 0)


@given(some_records, st.data())
def test_a_torn_end_costs_one_record_at_most(records: list[tuple[object, ...]], data: st.DataObject) -> None:
    made = frames(records)
    whole = b"".join(made)
    cut = data.draw(st.integers(0, len(whole)))
    found, end, damages = parsed(whole[:cut])
    lengths = [sum(map(len, made[: number + 1])) for number in range(len(made))]
    complete = sum(length <= cut for length in lengths)
    assert found == [list(record) for record in records[:complete]]
    assert damages == (cut not in (0, *lengths))
    assert end == ([0, *lengths][complete])


@given(some_records, st.data())
def test_a_changed_byte_costs_its_record_alone(records: list[tuple[object, ...]], data: st.DataObject) -> None:
    made = frames(records)
    number = data.draw(st.integers(0, len(made) - 1))
    at = data.draw(st.integers(0, len(made[number]) - 2))
    sign = bytes([made[number][at] ^ data.draw(st.integers(1, 127))])
    broken = made[number][:at] + sign + made[number][at + 1 :]
    found, _, damages = parsed(b"".join([*made[:number], broken, *made[number + 1 :]]))
    kept = [list(record) for place, record in enumerate(records) if place != number]
    # Hexadecimal digits may change their case without a change of the number.
    assert (found == kept and damages) or found == [list(record) for record in records]


def test_a_record_that_json_cannot_express_is_counted_as_lost() -> None:
    cycle: list[object] = []
    cycle.append(cycle)
    found, _, damages = parsed(
        b"".join(frames([("parameter", "w.1", "x", cycle, 0, "value"), ("end", "w.1", 1, None)]))
    )
    assert [record[0] for record in found] == ["lost", "end"]
    assert damages == 0


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"hpc-explorer-spool 2 p\n", "version 2"), (b"@prefix a: <b> .\n", "not a spool"), (b"", "not a spool")],
)
def test_another_kind_of_file_says_so(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "p.spool"
    path.write_bytes(content)
    with pytest.raises(NotASpool, match=said):
        read_spool(path)


def test_a_file_is_read_on_from_where_the_reading_ended(tmp_path: Path) -> None:
    path = tmp_path / "p.spool"
    made = frames([("end", "w.1", number, None) for number in range(3)])
    path.write_bytes(header("p") + made[0] + made[1][:9])
    first = read_spool(path)
    assert [record[2] for record in first.records] == [0]
    assert [damage.is_last for damage in first.damages] == [True]
    path.write_bytes(header("p") + b"".join(made))
    assert [record[2] for record in read_spool(path, first.end).records] == [1, 2]
