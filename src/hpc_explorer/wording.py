"""English that many messages need: plurals, numbers of things, and times."""

from __future__ import annotations

from datetime import UTC, datetime

_IRREGULAR = {"person": "people", "input to begin with": "inputs to begin with"}


def plural(noun: str) -> str:
    """The plural of a noun: epochs, batches, activities; a part in parentheses after it stays."""
    noun, space, behind = noun.partition(" (")
    return _plural(noun) + space + behind


def noun_for(number: int, noun: str) -> str:
    """The form of a noun that goes with a number: "row" for 1, "rows" otherwise."""
    return noun if number == 1 else plural(noun)


def counted(number: int, noun: str) -> str:
    """A number of things: "1 epoch", "1,200 epochs"."""
    return f"{number:,} {noun_for(number, noun)}"


def time_text(moment: datetime) -> str:
    """A time as it is shown: in UTC where it has a zone, with milliseconds where it has parts of a second."""
    at = moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment
    return at.isoformat(sep=" ", timespec="milliseconds" if at.microsecond else "seconds")


def _plural(noun: str) -> str:
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    if noun.endswith(("s", "x", "ch", "sh")) and not noun.endswith("och"):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else f"{noun}s"
