"""Answers of people to the indicators, and the TOML file next to the graph that stores them.

One file stores the answers about many resources and can be edited by hand:

[[answer]]
resource = "https://lab.example/xplacer"
indicator = "RDA-A1-02M"
level = 4                       # 0 not applicable, 1 not considered, 2 planned, 3 in implementation, 4 implemented
note = "opened the landing page"
who = "Ada"
when = 2026-11-22               # a day, or a moment with its time zone

Writing changes only the lines of changed answers; comments and layout are preserved.
"""

from __future__ import annotations

import io
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from hpc_explorer.errors import InputError, SourceNotFound, WrongAnswers
from hpc_explorer.fair.indicators import indicator
from hpc_explorer.fair.values import Answer, Level
from hpc_explorer.rdf.namespaces import PrefixMap
from hpc_explorer.rdf.syntax.files import atomic_output, input_error
from hpc_explorer.rdf.terms import NamedNode, Resource, iri_text

_HEAD = "# Answers about how FAIR things are, by the RDA's levels: 0 not applicable, 1 not considered, 2 planned,\n"
_HEAD += "# 3 in implementation, 4 implemented. Comments stay when the program changes an answer.\n"
_KEYS = ("resource", "indicator", "level", "note", "who", "when")
_NEEDED = ("resource", "indicator", "level", "when")


@dataclass(frozen=True)
class Answers:
    """The answers about one resource, at most one per indicator.

    Args:
        resource: only answers about resources with an IRI can be saved.
    """

    resource: Resource
    answers: tuple[Answer, ...] = ()

    def of(self, indicator_id: str) -> Answer | None:
        """The answer to one indicator, if any."""
        return next((answer for answer in self.answers if answer.indicator == indicator_id), None)

    def with_answer(self, answer: Answer) -> Answers:
        """Return a copy with this answer, which replaces an earlier one to the same indicator."""
        if self.of(answer.indicator) is None:
            return replace(self, answers=(*self.answers, answer))
        return replace(self, answers=tuple(answer if a.indicator == answer.indicator else a for a in self.answers))

    def without(self, indicator_id: str) -> Answers:
        """Return a copy without the answer to one indicator."""
        return replace(self, answers=tuple(a for a in self.answers if a.indicator != indicator_id))


# Reading


def read_answers(path: Path) -> Mapping[NamedNode, Answers]:
    """Read all answers of a file by resource; a missing file has none.

    Raises:
        WrongAnswers: invalid TOML or an invalid answer; names the line.
        SourceUnreadable: the file cannot be read.
    """
    try:
        text = _file_text(path)
    except SourceNotFound:
        return {}
    return answers_of_text(text, str(path))


def answers_of_text(text: str, name: str) -> Mapping[NamedNode, Answers]:
    """Parse all answers of a TOML text, by resource.

    Args:
        name: the file name for error messages.

    Raises:
        WrongAnswers: invalid TOML or an invalid answer; names the line.
    """
    found: dict[NamedNode, Answers] = {}
    rows = _rows(text, name)
    blocks = blocks_of(text)
    for number, row in enumerate(rows):
        # Rows of an inline array have no line of their own.
        where = f"{name}:{blocks[number].first + 1}" if len(blocks) == len(rows) else f"{name}, answer {number + 1}"
        resource, answer = _answer(row, where)
        known = found.setdefault(resource, Answers(resource))
        if known.of(answer.indicator) is not None:
            raise _fault(f"{answer.indicator} of {resource.value} is answered twice", where, "remove one of the two")
        found[resource] = known.with_answer(answer)
    return found


def _file_text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise _fault("the text is not UTF-8", f"{path}, byte {error.start}", "save it as UTF-8") from None
    except OSError as error:
        raise input_error(error, path, "file of answers") from None


def _rows(text: str, name: str) -> list[Any]:
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+), column (\d+)", str(error))
        where = f"{name}:{line[1]}:{line[2]}" if line else name
        reason = str(error).partition(" (at ")[0]
        raise _fault(f"invalid TOML ({reason[:1].lower()}{reason[1:]})", where, "fix that line") from None
    unknown = sorted(set(content) - {"answer"})
    if unknown:
        line_number = next(
            (
                n
                for n, line in enumerate(text.splitlines(), 1)
                if re.match(rf"\s*\[*\s*[\"']?{re.escape(unknown[0])}", line)
            ),
            1,
        )
        raise _fault(f"unknown part {unknown[0]!r}", f"{name}:{line_number}", "a file has [[answer]] only")
    rows = content.get("answer", [])
    if not isinstance(rows, list):
        raise _fault("answer is not a list", name, "begin each answer with [[answer]], in two brackets")
    return rows


def _answer(row: Any, where: str) -> tuple[NamedNode, Answer]:
    if not isinstance(row, dict):
        raise _fault("an answer is not a table", where, "begin each answer with [[answer]]")
    unknown = sorted(set(row) - set(_KEYS))
    if unknown:
        raise _fault(f"unknown key {unknown[0]!r}", where, f"an answer has {', '.join(_KEYS)}")
    for key in _NEEDED:
        if key not in row:
            raise _fault(f"{key} is missing", where, f"an answer needs {', '.join(_NEEDED)}")
    for key in ("resource", "indicator", "note", "who"):
        if not isinstance(row.get(key, ""), str):
            raise _fault(f"{key} is not a text", where, "write it in quotes")
    try:
        known = indicator(row["indicator"])
    except KeyError:
        raise _fault(
            f"no indicator is called {row['indicator']!r}", where, "write an id of the list, such as RDA-A1-02M"
        ) from None
    level = row["level"]
    if type(level) is not int or level not in Level.__members__.values():
        raise _fault(f"level is {level!r}", where, "write a number from 0 (not applicable) to 4 (implemented)")
    return _resource(row["resource"], where), Answer(
        known.id, Level(level), row.get("note", ""), row.get("who", ""), _moment(row["when"], where)
    )


def _resource(text: str, where: str) -> NamedNode:
    try:
        return PrefixMap().resolve(f"<{text}>")
    except InputError as error:
        raise _fault(f"resource is {text!r}: {error.what}", where, "write the whole IRI") from None


def _moment(value: Any, where: str) -> datetime:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise _fault(f"when is {value.isoformat()}, of no time zone", where, "add Z, or +01:00")
        return value
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    raise _fault(f"when is {value!r}", where, "write a day without quotes, such as 2026-11-22")


def _fault(what: str, where: str, remedy: str) -> WrongAnswers:
    return WrongAnswers(f"the answers cannot be used: {what}", where, remedy)


# Writing


def write_answers(path: Path, answers: Answers) -> None:
    """Write the answers about one resource to a file and keep everything else in it.

    Comments are preserved. The file is replaced atomically.

    Raises:
        WrongAnswers: the existing file is invalid, or its layout cannot be changed without loss.
        SourceUnreadable, OutputNotWritable: the file cannot be read or written.
    """
    try:
        text = _file_text(path)
    except SourceNotFound:
        text = _HEAD
    changed = text_with_answers(text, answers, str(path))
    if changed != text or not path.exists():
        with atomic_output(path) as stream:
            stream.write(changed.encode())


def text_with_answers(text: str, answers: Answers, name: str) -> str:
    """Return a file's text with the answers about one resource replaced.

    Raises:
        WrongAnswers: as `write_answers`.
    """
    before = answers_of_text(text, name)
    wanted: dict[Resource, Answers] = {about: known for about, known in before.items() if about != answers.resource}
    if answers.answers:
        wanted[answers.resource] = answers
    if wanted == dict(before):
        return text
    rows, blocks = _rows(text, name), blocks_of(text)
    if len(rows) != len(blocks):
        raise _not_rewritten(name)
    told = {answer.indicator: answer for answer in answers.answers}
    lines = lines_of(text)
    for row, block in reversed(list(zip(rows, blocks, strict=True))):
        resource, answer = _answer(row, name)
        if resource != answers.resource:
            continue
        now = told.pop(answer.indicator, None)
        if now != answer:
            lines[block.first : block.end] = _block_lines(block, resource, now)
    changed = "".join(lines)
    for answer in (answer for answer in answers.answers if answer.indicator in told):
        changed += ("\n" if changed and not changed.endswith("\n") else "") + ("\n" if changed else "")
        changed += "".join(_answer_lines(answers.resource, answer))
    if _as_sets(answers_of_text(changed, name)) != _as_sets(wanted):
        raise _not_rewritten(name)
    return changed


def _as_sets(answers: Mapping[Any, Answers]) -> dict[Resource, frozenset[Answer]]:
    return {resource: frozenset(known.answers) for resource, known in answers.items()}


def _not_rewritten(name: str) -> WrongAnswers:
    return _fault(
        "the file cannot be changed without losing its layout",
        name,
        "write each answer as [[answer]], one key a line",
    )


def _block_lines(block: Block, resource: Resource, answer: Answer | None) -> list[str]:
    """The new lines of an answer: its comments, then its values."""
    return [*(f"{comment}\n" for comment in block.comments), *(_answer_lines(resource, answer) if answer else ())]


def _answer_lines(resource: Resource, answer: Answer) -> list[str]:
    lines = [
        "[[answer]]\n",
        f"resource = {toml_text(iri_text(resource))}\n",
        f"indicator = {toml_text(answer.indicator)}\n",
    ]
    lines.append(f"level = {int(answer.level)}\n")
    if answer.note:
        lines.append(f"note = {toml_text(answer.note)}\n")
    if answer.who:
        lines.append(f"who = {toml_text(answer.who)}\n")
    lines.append(f"when = {answer.when.isoformat()}\n")
    return lines


@dataclass(frozen=True)
class Block:
    """The lines of one table with a header in brackets.

    Args:
        first: the header's line, from 0.
        end: the line after its last; blank lines and comments before the next header are excluded.
        comments: its comments, including the #.
    """

    first: int
    end: int
    comments: tuple[str, ...]


def lines_of(text: str) -> list[str]:
    """Split a text into lines with their ends, as TOML does; other line separators may occur in strings."""
    return list(io.StringIO(text, newline="\n"))


def blocks_of(text: str) -> tuple[Block, ...]:
    """The tables of a valid TOML text, in order, so that one can be changed without touching the rest.

    Source: TOML 1.0, "String", "Comment", "Array of Tables".
    """
    lines = list(_looked_at(text))
    heads = [number for number, (is_head, _, _) in enumerate(lines) if is_head]
    found = []
    for first, after in pairwise([*heads, len(lines)]):
        end = after
        while not lines[end - 1][2]:
            end -= 1
        found.append(Block(first, end, tuple(comment for _, comment, _ in lines[first:end] if comment)))
    return tuple(found)


def _looked_at(text: str) -> Iterator[tuple[bool, str, bool]]:
    """For each line: whether it is a header, its comment, and whether it has other content."""
    quotes = ""
    for line in lines_of(text):
        says = bool(quotes)
        is_head = not quotes and line.lstrip().startswith("[")
        comment, at = "", 0
        while at < len(line):
            if quotes:
                if quotes[0] == '"' and line[at] == "\\":
                    at += 2
                elif line.startswith(quotes, at):
                    at += len(quotes)
                    # Up to two quotation marks may directly precede the closing ones of a multi-line string.
                    while len(quotes) == 3 and line.startswith(quotes[0], at):
                        at += 1
                    quotes = ""
                else:
                    at += 1
            elif line[at] == "#":
                comment = line[at:].rstrip()
                break
            elif line[at] in "\"'":
                says = True
                quotes = line[at] * 3 if line.startswith(line[at] * 3, at) else line[at]
                at += len(quotes)
            else:
                says = says or not line[at].isspace()
                at += 1
        if len(quotes) == 1:
            quotes = ""
        yield is_head, comment, says


_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


def toml_text(text: str) -> str:
    """Quote a text as a basic string of TOML."""
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(sign: str) -> str:
    if sign in _ESCAPES:
        return _ESCAPES[sign]
    # Editors break lines at these.
    if ord(sign) < 0x20 or sign in "\x7f\x85\u2028\u2029":
        return f"\\u{ord(sign):04X}"
    return sign
