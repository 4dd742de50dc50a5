"""Convert the engine's syntax and damage errors to named errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from hpc_explorer.errors import QuerySyntaxError, StoreDamaged

_POSITION = re.compile(r"error at (\d+):(\d+): (.*)", re.DOTALL)


def query_syntax_error(error: SyntaxError) -> QuerySyntaxError:
    """Convert the engine's syntax error to a named error with line and column."""
    message = str(error.args[0] if error.args else error)
    position = _POSITION.match(message)
    where = f"line {position[1]}, column {position[2]}" if position else ""
    reason = " ".join((position[3] if position else message).split())
    if "Prefix not found" in reason:
        return QuerySyntaxError("the query uses an undeclared prefix", where, "declare it with PREFIX")
    return QuerySyntaxError(f"the query has a syntax error ({shortened(reason)})", where, "correct it there")


@contextmanager
def named_damage() -> Iterator[None]:
    """Convert the engine's errors about damaged files within the block.

    Raises:
        StoreDamaged: files are damaged.
    """
    try:
        yield
    except RuntimeError as error:
        if "Corruption" not in str(error):
            raise
        raise StoreDamaged("the store is damaged", str(error), "load its sources into another folder") from None


def shortened(text: str, length: int = 160) -> str:
    """Shorten a text to `length` characters, at a word boundary if one is near."""
    if len(text) <= length:
        return text
    return text[:length].rsplit(" ", 1)[0] + " …"
