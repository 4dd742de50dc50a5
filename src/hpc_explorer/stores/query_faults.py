"""What the engine says of a SPARQL text that it cannot read, as a named error."""

from __future__ import annotations

import re

from hpc_explorer.errors import QuerySyntaxError

_POSITION = re.compile(r"error at (\d+):(\d+): (.*)", re.DOTALL)


def query_syntax_error(error: SyntaxError) -> QuerySyntaxError:
    """The engine's complaint about a SPARQL text as a named error with line and column."""
    message = str(error.args[0] if error.args else error)
    position = _POSITION.match(message)
    where = f"line {position[1]}, column {position[2]}" if position else ""
    reason = " ".join((position[3] if position else message).split())
    if "Prefix not found" in reason:
        return QuerySyntaxError("the query uses an undeclared prefix", where, "declare it with PREFIX")
    return QuerySyntaxError(f"the query has a syntax error ({shortened(reason)})", where, "correct it there")


def shortened(text: str, length: int = 160) -> str:
    """A text cut to `length` characters, at a word where one is near."""
    if len(text) <= length:
        return text
    return text[:length].rsplit(" ", 1)[0] + " …"
