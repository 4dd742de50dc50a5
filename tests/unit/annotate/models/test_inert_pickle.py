"""Pickles are read without anything of them being run."""

from __future__ import annotations

import datetime
import io
import os
import pickle
import subprocess
import sys
from operator import attrgetter
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.annotate.models.inert_pickle import DamagedPickle, Made, read_inert, value_of_scalar

_plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(_plain, st.integers(2, 5))
def test_plain_values_are_read_as_pickle_reads_them(value: Any, protocol: int) -> None:
    assert read_inert(pickle.dumps(value, protocol)) == value


class Payload:
    """Pickles as a call of something that leaves a mark."""

    def __init__(self, called: Any, *arguments: Any) -> None:
        self.called, self.arguments = called, arguments

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return self.called, self.arguments


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize(
    "called", [os.system, os.mkdir, subprocess.check_call, exec, eval, open], ids=attrgetter("__name__")
)
def test_a_payload_is_noted_and_not_run(tmp_path: Path, protocol: int, called: Any) -> None:
    mark = tmp_path / "mark"
    argument = {
        os.system: f"touch {mark}",
        os.mkdir: str(mark),
        subprocess.check_call: ["touch", str(mark)],
        exec: f"open({str(mark)!r}, 'w')",
        eval: f"open({str(mark)!r}, 'w')",
        open: str(mark),
    }[called]
    arguments = (argument, "w") if called is open else (argument,)
    content = pickle.dumps([Payload(called, *arguments)], protocol)
    (made,) = read_inert(content)
    assert isinstance(made, Made)
    assert made.name == getattr(called, "__name__", "")
    assert made.arguments[0] == argument
    assert not mark.exists()


def test_what_the_first_protocol_makes_by_name_is_noted_too(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    made = read_inert(b"(S'" + os.fsencode(mark) + b"'\nios\nmkdir\n.")
    assert (made.module, made.name, made.arguments) == ("os", "mkdir", (str(mark),))
    assert not mark.exists()


def test_names_that_would_be_imported_are_not() -> None:
    read_inert(b"cthis_module_runs_when_it_is_imported\nsomething\n.")
    assert "this_module_runs_when_it_is_imported" not in sys.modules


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x80\x04",
        pickle.dumps(list(range(1000)))[:-40],
        b"Pelsewhere\n.",  # a persistent id
        b"\x82\x01.",  # an extension
        b"K\x01)R.",  # a call of a number
        b"K\x01)\x81.",  # the making of a number
        b"K\x01}b.",  # a change of a number
        b"\x8e\xff\xff\xff\xff\xff\xff\xff\x7f.",  # bytes without end
        b"\x95\xff\xff\xff\xff\xff\xff\xff\x7f.",  # a frame without end
        b"(" * 100_000 + b"l" * 100_000,
    ],
    ids=range(11),
)
def test_what_cannot_be_read_is_refused(content: bytes) -> None:
    with pytest.raises(DamagedPickle):
        read_inert(content)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    try:
        read_inert(content)
    except DamagedPickle as error:
        assert str(error)


@given(st.data())
def test_a_pickle_with_wrong_bytes_is_read_or_refused(data: st.DataObject) -> None:
    content = bytearray(pickle.dumps([np.arange(3.0), {"a": np.array(["b", None], dtype=object)}]))
    for place in data.draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=4)):
        content[place] = data.draw(st.integers(0, 255))
    try:
        read_inert(bytes(content))
    except DamagedPickle as error:
        assert str(error)


RECORDS = np.array([(1, 2.5), (3, 4.5)], dtype=[("left", "<i8"), ("threshold", "<f8")])

ARRAYS = [
    np.arange(12.0).reshape(3, 4),
    np.asfortranarray(np.arange(12).reshape(3, 4)),
    np.arange(6, dtype=">i4").reshape(2, 3),
    np.array(["host", "pin"]),
    np.array(["host", "pin"], dtype=object),
    np.array([True, False]),
    np.array([], dtype=np.float32),
    np.array(5),
    RECORDS,
]


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: str(array.dtype))
@pytest.mark.parametrize("protocol", range(2, 6))
def test_arrays_are_made_again_from_their_bytes(array: Any, protocol: int) -> None:
    first, second = read_inert(pickle.dumps([array, array], protocol))
    for one in (first, second):
        np.testing.assert_array_equal(one, array)
        assert one.shape == array.shape


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: str(array.dtype))
def test_arrays_that_joblib_puts_beside_are_read(array: Any) -> None:
    stream = io.BytesIO()
    joblib.dump({"a": array, "b": [array.copy(), "behind"]}, stream)
    read = read_inert(stream.getvalue())
    np.testing.assert_array_equal(read["a"], array)
    np.testing.assert_array_equal(read["b"][0], array)
    assert read["b"][1] == "behind"


@pytest.mark.parametrize("value", [np.float64(0.5), np.int32(-7), np.bool_(True), np.str_("gini")], ids=str)
def test_numbers_of_numpy_have_their_values(value: Any) -> None:
    made = read_inert(pickle.dumps(value))
    assert value_of_scalar(made) == value.item()


def test_other_objects_are_told_by_name_with_what_they_hold() -> None:
    made = read_inert(pickle.dumps(datetime.timedelta(days=2)))
    assert (made.module, made.name, made.arguments) == ("datetime", "timedelta", (2, 0, 0))
    counted = read_inert(pickle.dumps(subprocess.CompletedProcess(["a"], 3)))
    assert counted.attributes["returncode"] == 3
