"""Pickles, read without running anything of them.

A pickle is a program: it names functions and calls them. Here no name is ever looked up. Each stands for itself, and a
call of it is only noted down (`Made`), so that what the file describes can be looked at and nothing happens. The
arrays of NumPy, which a scikit-learn model is mostly made of, are made again from their bytes by this module itself,
also where joblib put them beside the pickle's own operations.
"""

from __future__ import annotations

import io
import pickle
import struct
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, NoReturn, cast

if TYPE_CHECKING:
    import numpy as np


class Made:
    """What a pickle would have made by calling something: what it would have called, with what, and all it told it.

    Attributes:
        module, name: what the pickle calls.
        arguments: what it is called with.
        state: what the result is told to be; None: nothing.
        items: what is appended to it, or put under keys.
    """

    module = ""
    name = ""

    def __new__(cls, *arguments: Any, **named: Any) -> Made:
        """Note down a call."""
        made = super().__new__(cls)
        made.arguments = arguments
        made.state = named or None
        made.items = []
        return made

    arguments: tuple[Any, ...]
    state: Any
    items: list[Any]

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Done when it was made."""

    def __setstate__(self, state: Any) -> None:
        """Note down what it is told to be."""
        self.state = state

    def append(self, item: Any) -> None:
        """Note down an item of a list."""
        self.items.append(item)

    def extend(self, items: Iterable[Any]) -> None:
        """Note down items of a list."""
        self.items.extend(items)

    def add(self, item: Any) -> None:
        """Note down an item of a set."""
        self.items.append(item)

    def __setitem__(self, key: Any, value: Any) -> None:
        """Note down what is put under a key."""
        self.items.append((key, value))

    def __hash__(self) -> int:
        """By identity: what it would have been is not known."""
        return id(self)

    def __eq__(self, other: object) -> bool:
        """By identity."""
        return self is other

    @property
    def attributes(self) -> dict[str, Any]:
        """What it is told to be, as names with values; none where it was told otherwise."""
        return self.state if isinstance(self.state, dict) else {}


class DamagedPickle(ValueError):
    """The bytes are no pickle, break off, or are one that cannot be read without running it."""


# A file that is damaged, or made to do harm, fails in the reader of the standard library in any of these ways.
_FAULTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    LookupError,
    NotImplementedError,
    TypeError,
    ValueError,
    pickle.UnpicklingError,
    struct.error,
)


def read_inert(content: bytes) -> Any:
    """What a pickle describes; arrays as arrays, what would be called as `Made`.

    Raises:
        DamagedPickle: it cannot be read so.
    """
    try:
        return _Reader(io.BytesIO(content)).load()
    except DamagedPickle:
        raise
    except RecursionError:
        raise DamagedPickle("its parts lie too deep in each other") from None
    except MemoryError:
        raise DamagedPickle("it asks for more memory than there is") from None
    except _FAULTS as error:
        raise DamagedPickle(str(error) or type(error).__name__) from None


class _Reader(pickle._Unpickler):
    """Reads a pickle, with stand-ins for all that it names."""

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__(stream)
        self._stream = stream
        self._stand_ins: dict[tuple[str, str], type[Made]] = {}

    dispatch: ClassVar[dict[int, Any]] = dict(pickle._Unpickler.dispatch)
    stack: list[Any]
    memo: dict[int, Any]

    def find_class(self, module: str, name: str) -> type[Made]:
        """A class that stands for what is named."""
        key = (str(module), str(name))
        if key not in self._stand_ins:
            self._stand_ins[key] = type("Made", (Made,), {"module": key[0], "name": key[1]})
        return self._stand_ins[key]

    def persistent_load(self, pid: Any) -> NoReturn:
        """Refused: what lies outside of the file is not known."""
        raise DamagedPickle("it names something that lies outside of the file")

    def get_extension(self, code: int) -> NoReturn:
        """Refused: extensions are registered by programs that run."""
        raise DamagedPickle("it names an extension of the program that wrote it")

    def load_reduce(self) -> None:
        """Note down the call of a stand-in; nothing else is called."""
        arguments = self.stack.pop()
        called = self.stack[-1]
        if not (isinstance(called, type) and issubclass(called, Made)):
            raise DamagedPickle("it calls what is no name")
        # Protocols 0 and 1 make an object by this function, which takes the object's class.
        if (called.module, called.name) in _RECONSTRUCTORS and _begins_with_class(arguments):
            called, arguments = arguments[0], ()
        made = called(*arguments) if isinstance(arguments, tuple) else called(arguments)
        content = _bytes(made)
        if content is not None:
            self.stack[-1] = content
        elif made.name == "_frombuffer" and made.module.startswith("numpy"):
            self.stack[-1] = _array_of_buffer(made)
        else:
            self.stack[-1] = made

    dispatch[pickle.REDUCE[0]] = load_reduce

    def load_newobj(self) -> None:
        """Note down the making of an object."""
        arguments = self.stack.pop()
        self.stack.append(arguments)
        self.load_reduce()

    dispatch[pickle.NEWOBJ[0]] = load_newobj

    def load_newobj_ex(self) -> None:
        """Note down the making of an object with named arguments."""
        named = self.stack.pop()
        self.load_newobj()
        if named:
            self.stack[-1].state = dict(named)

    dispatch[pickle.NEWOBJ_EX[0]] = load_newobj_ex

    def load_build(self) -> None:
        """Note down what an object is told to be; an array that joblib put here is read."""
        state = self.stack.pop()
        made = self.stack[-1]
        if not isinstance(made, Made):
            raise DamagedPickle("it changes what is no object")
        made.state = state
        array = _array(made)
        if array is not None:
            self.stack[-1] = _kept(self, made, array)
        elif made.name == "NumpyArrayWrapper":
            self.stack[-1] = _kept(self, made, _array_beside(made, self._stream))

    dispatch[pickle.BUILD[0]] = load_build


_RECONSTRUCTORS = frozenset({("copy_reg", "_reconstructor"), ("copyreg", "_reconstructor")})


def _begins_with_class(arguments: Any) -> bool:
    first = arguments[0] if isinstance(arguments, tuple) and arguments else None
    return isinstance(first, type) and issubclass(first, Made)


def _kept(reader: _Reader, made: Made, array: Any) -> Any:
    """The array, also where the pickle will name again what it was made from; that was noted down a moment ago."""
    place = next((place for place in reversed(reader.memo) if reader.memo[place] is made), None)
    if place is not None:
        reader.memo[place] = array
    return array


def _bytes(made: Made) -> bytes | None:
    """The bytes that protocols before 3, which have none, write as the encoding of a text."""
    match (made.module, made.name, made.arguments):
        case ("_codecs", "encode", (str() as text, "latin1")):
            return text.encode("latin-1")
        case ("__builtin__" | "builtins", "bytes", ()):
            return b""
    return None


# Arrays of NumPy


def _array(made: Made) -> Any:
    """The array that `numpy.ndarray.__reduce__` and `__setstate__` describe; None if it is something else.

    Source: numpy/_core/src/multiarray/methods.c, array_reduce and array_setstate.
    """
    if made.name != "_reconstruct" or not made.module.startswith("numpy"):
        return None
    _, shape, dtype, in_columns, content = made.state
    return _filled(_dtype(dtype), shape, content, order="F" if in_columns else "C")


def _array_of_buffer(made: Made) -> Any:
    """The array that protocol 5 writes as a buffer.

    Source: numpy/_core/numeric.py, _frombuffer.
    """
    content, dtype, shape, order = made.arguments
    return _filled(_dtype(dtype), shape, bytes(content), order=order)


def _filled(dtype: np.dtype[Any] | None, shape: tuple[int, ...], content: Any, *, order: str) -> Any:
    import numpy

    if dtype is None:
        if not isinstance(content, list):
            raise DamagedPickle("an array of objects without its objects")
        return _shaped_objects(content, shape)
    if not isinstance(content, bytes):
        raise DamagedPickle("an array without its bytes")
    return numpy.frombuffer(content, dtype=dtype).reshape(shape, order=cast("Any", order))


def _shaped_objects(items: list[Any], shape: tuple[int, ...]) -> Any:
    import numpy

    array = numpy.empty(len(items), dtype=object)
    for place, item in enumerate(items):
        array[place] = item
    return array.reshape(shape)


def _dtype(made: Any) -> np.dtype[Any] | None:
    """The datatype that `numpy.dtype.__reduce__` describes; None for objects.

    Source: numpy/_core/src/multiarray/descriptor.c, arraydescr_reduce.
    """
    import numpy

    if not isinstance(made, Made) or made.name != "dtype" or not made.arguments:
        raise DamagedPickle("an array of what NumPy does not know")
    code = str(made.arguments[0])
    state: Any = made.state or (3, "|", None, None, None, -1, -1, 0)
    names, fields = state[3], state[4]
    if names:
        parts = [(fields[name][0], fields[name][1]) for name in names]
        inner = [_dtype(part) for part, _ in parts]
        if any(part is None for part in inner):
            raise DamagedPickle("an array of records with objects in them")
        return numpy.dtype(
            {
                "names": list(names),
                "formats": cast("Any", inner),
                "offsets": [offset for _, offset in parts],
                "itemsize": state[5],
            }
        )
    if code[:1] == "O":
        return None
    if code[:1] not in "biufcSUVMm?":
        raise DamagedPickle(f"an array of the datatype {code[:20]!r}")
    return numpy.dtype(code).newbyteorder(cast("Any", state[1] if state[1] in "<>" else "="))


def _array_beside(made: Made, stream: BinaryIO) -> Any:
    """The array whose bytes follow in the file, as joblib writes them.

    Source: joblib/numpy_pickle.py, NumpyArrayWrapper.write_array: an array of objects is a pickle of its own; before
    other bytes stands their alignment, as one byte with the number of bytes to leave out.
    """
    told = made.attributes
    dtype = _dtype(told.get("dtype"))
    shape = tuple(int(length) for length in told.get("shape", ()))
    if dtype is None:
        return _Reader(stream).load()
    if told.get("numpy_array_alignment_bytes") is not None:
        stream.read(stream.read(1)[0])
    size = dtype.itemsize
    for length in shape:
        if length < 0:
            raise DamagedPickle("an array with a negative length")
        size *= length
    content = stream.read(size)
    if len(content) != size:
        raise DamagedPickle("it ends within an array")
    return _filled(dtype, shape, content, order="F" if told.get("order") == "F" else "C")


def value_of_scalar(made: Made) -> Any:
    """The number or text of a `numpy.generic` that was pickled, as Python has it.

    Raises:
        DamagedPickle: it is something else.
    """
    dtype = _dtype(made.arguments[0])
    content = made.arguments[1]
    return _filled(dtype, (), content, order="C").item() if isinstance(content, bytes) else None
