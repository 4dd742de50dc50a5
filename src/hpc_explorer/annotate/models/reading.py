"""Read a model file of any supported format."""

from __future__ import annotations

import zipfile
from pathlib import Path

from hpc_explorer.annotate.models.facts import ModelFacts
from hpc_explorer.errors import SourceSyntaxError, UnsupportedSyntax
from hpc_explorer.rdf.syntax.files import input_error

MODEL_ENDINGS = (".onnx", ".pkl", ".pickle", ".joblib", ".sav")
"""Extensions of model files, also with a compression suffix: `.gz`, `.bz2`, `.xz`, `.lzma` or `.z`."""

_PACKED = (".gz", ".bz2", ".xz", ".lzma", ".z")

_PICKLED = (b"\x80", b"\x1f\x8b", b"x", b"BZ", b"\xfd7zXZ", b"]\x00", b"(", b"c")


def is_model_name(path: Path) -> bool:
    """Whether a file has the extension of a model."""
    name = path.name.casefold()
    packed = next((ending for ending in _PACKED if name.endswith(ending)), "")
    return name.removesuffix(packed).endswith(MODEL_ENDINGS)


def read_model(path: Path) -> ModelFacts:
    """Read the facts of a model file without executing it.

    Args:
        path: an ONNX file, or a pickle or joblib file of a scikit-learn model.

    Raises:
        SourceNotFound, SourceUnreadable: the file is missing or cannot be read.
        UnsupportedSyntax: another format.
        SourceSyntaxError: the file is damaged.
    """
    if path.is_dir():
        raise UnsupportedSyntax("a folder, not a model's file", str(path), "name the file in it")
    try:
        with open(path, "rb") as stream:
            begin = stream.read(8)
    except OSError as error:
        raise input_error(error, path, "model") from None
    if not begin:
        raise SourceSyntaxError("the file is empty", str(path), "fetch it again")
    if zipfile.is_zipfile(path):
        raise UnsupportedSyntax(
            "an archive, as PyTorch, Keras and skops write it, which is not read", str(path), "save the model as ONNX"
        )
    if begin.startswith(b"\x89HDF"):
        raise UnsupportedSyntax("HDF5, as Keras writes it, which is not read", str(path), "save the model as ONNX")
    if path.suffix.casefold() != ".onnx" and begin.startswith(_PICKLED):
        from hpc_explorer.annotate.models.sklearn_file import read_pickled_model

        return read_pickled_model(path)
    from hpc_explorer.annotate.models.onnx_file import read_onnx_model

    return read_onnx_model(path)
