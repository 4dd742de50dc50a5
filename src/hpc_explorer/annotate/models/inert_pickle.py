"""Read pickles without executing them.

A pickle is a program that imports functions and calls them. This reader never imports anything: each call is recorded
as a `Made`. NumPy arrays, the main content of scikit-learn models, are rebuilt from their bytes by this module,
including those that joblib stores next to the pickle's opcodes.
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
    """A recorded call: the callable, its arguments, and the state set on the result.

    Attributes:
        module, name: the callable.
        arguments: the arguments of the call.
        state: the state of the result, if any.
        items: the items added to the result.
    """

    module = ""
    name = ""

    def __new__(cls, *arguments: Any, **named: Any) -> Made:
        """Record a call."""
        made = super().__new__(cls)
        made.arguments = arguments
        made.state = named or None
        made.items = []
        return made

    arguments: tuple[Any, ...]
    state: Any
    items: list[Any]

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Do nothing: `__new__` has recorded the call."""

    def __setstate__(self, state: Any) -> None:
        """Record the state."""
        self.state = state

    def append(self, item: Any) -> None:
        """Record an item of a list."""
        self.items.append(item)

    def extend(self, items: Iterable[Any]) -> None:
        """Record items of a list."""
        self.items.extend(items)

    def add(self, item: Any) -> None:
        """Record an item of a set."""
        self.items.append(item)

    def __setitem__(self, key: Any, value: Any) -> None:
        """Record an item of a mapping."""
        self.items.append((key, value))

    def __hash__(self) -> int:
        """By identity, because the real value is unknown."""
        return id(self)

    def __eq__(self, other: object) -> bool:
        """By identity."""
        return self is other

    @property
    def attributes(self) -> dict[str, Any]:
        """The state as attributes; empty for other kinds of state."""
        return self.state if isinstance(self.state, dict) else {}


class DamagedPickle(ValueError):
    """The pickle is damaged, truncated, or cannot be read without executing it."""


# The standard library's reader raises any of these for damaged or malicious files.
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
    """Read a pickle; arrays become NumPy arrays, other calls `Made`.

    Raises:
        DamagedPickle: it cannot be read.
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
    """An unpickler that records calls instead of importing names."""

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__(stream)
        self._stream = stream
        self._stand_ins: dict[tuple[str, str], type[Made]] = {}

    dispatch: ClassVar[dict[int, Any]] = dict(pickle._Unpickler.dispatch)
    stack: list[Any]
    memo: dict[int, Any]

    def find_class(self, module: str, name: str) -> type[Made]:
        """A class that records calls of the named object."""
        key = (str(module), str(name))
        if key not in self._stand_ins:
            self._stand_ins[key] = type("Made", (Made,), {"module": key[0], "name": key[1]})
        return self._stand_ins[key]

    def persistent_load(self, pid: Any) -> NoReturn:
        """Always refused: external objects are unknown."""
        raise DamagedPickle("it refers to an object outside of the file")

    def get_extension(self, code: int) -> NoReturn:
        """Always refused: extensions are registered by running programs."""
        raise DamagedPickle("it names an extension of the program that wrote it")

    def load_reduce(self) -> None:
        """Record a call; only recording classes are called."""
        arguments = self.stack.pop()
        called = self.stack[-1]
        if not (isinstance(called, type) and issubclass(called, Made)):
            raise DamagedPickle("it calls something that is not a name")
        # Protocols 0 and 1 create objects by this function with the class as its argument.
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
        """Record the creation of an object."""
        arguments = self.stack.pop()
        self.stack.append(arguments)
        self.load_reduce()

    dispatch[pickle.NEWOBJ[0]] = load_newobj

    def load_newobj_ex(self) -> None:
        """Record the creation of an object with keyword arguments."""
        named = self.stack.pop()
        self.load_newobj()
        if named:
            self.stack[-1].state = dict(named)

    dispatch[pickle.NEWOBJ_EX[0]] = load_newobj_ex

    def load_build(self) -> None:
        """Record the state of an object; read an array that joblib stored here."""
        state = self.stack.pop()
        made = self.stack[-1]
        if not isinstance(made, Made):
            raise DamagedPickle("it changes something that is not an object")
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
    """Replace a recorded object by its array, also in the memo that later references use."""
    place = next((place for place in reversed(reader.memo) if reader.memo[place] is made), None)
    if place is not None:
        reader.memo[place] = array
    return array


def _bytes(made: Made) -> bytes | None:
    """The bytes that protocols before 3 write as encoded text."""
    match (made.module, made.name, made.arguments):
        case ("_codecs", "encode", (str() as text, "latin1")):
            return text.encode("latin-1")
        case ("__builtin__" | "builtins", "bytes", ()):
            return b""
    return None


# NumPy arrays


def _array(made: Made) -> Any:
    """Rebuild an array from `numpy.ndarray.__reduce__` and `__setstate__`; None for other calls.

    Source: numpy/_core/src/multiarray/methods.c, array_reduce and array_setstate.
    """
    if made.name != "_reconstruct" or not made.module.startswith("numpy"):
        return None
    _, shape, dtype, in_columns, content = made.state
    return _filled(_dtype(dtype), shape, content, order="F" if in_columns else "C")


def _array_of_buffer(made: Made) -> Any:
    """Rebuild an array from a buffer of protocol 5.

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
    """The datatype from `numpy.dtype.__reduce__`; None for objects.

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
    """Read an array whose bytes follow in the file, as joblib writes them.

    Source: joblib/numpy_pickle.py, NumpyArrayWrapper.write_array: an object array is a separate pickle; other bytes
    follow one byte with the length of the padding.
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
    """The Python value of a pickled `numpy.generic`.

    Raises:
        DamagedPickle: it is not a number or text.
    """
    dtype = _dtype(made.arguments[0])
    content = made.arguments[1]
    return _filled(dtype, (), content, order="C").item() if isinstance(content, bytes) else None
