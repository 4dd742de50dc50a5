"""Read Aspen models and machine files. Errors name the line, and a missing brace names its block."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from hpc_explorer.errors import SourceSyntaxError, SourceUnreadable
from hpc_explorer.monitor.aspen import model as m
from hpc_explorer.rdf.syntax.files import input_error

if TYPE_CHECKING:
    from lark import Lark

_Tree: TypeAlias = Any
"""A tree of the parser, which has no more precise type for its children."""

MOST_NODES = 10_000
"""The most nodes of the tree of a model."""

DEEPEST = 200
"""The most brackets inside each other."""

MOST_BYTES = 1_000_000
"""The most bytes of a file, with what it includes."""

SCALES = {
    "nano": 1e-9, "micro": 1e-6, "milli": 1e-3, "kilo": 1e3, "mega": 1e6, "giga": 1e9, "tera": 1e12, "peta": 1e15,
    "exa": 1e18,
}  # fmt: skip

_INCLUDE = re.compile(r"^[ \t]*include[ \t]+(\S+)[ \t]*(?://.*)?$", re.MULTILINE)
_PIECE = re.compile(r'//[^\n]*|/\*.*?\*/|"[^"\n]*"|[{}()\[\]]', re.DOTALL)


def read_model(path: Path) -> m.Model:
    """Read an application model.

    Raises:
        SourceNotFound, SourceUnreadable: the file or one that it includes cannot be read.
        SourceSyntaxError: it is not a model of this subset.
    """
    return parse_model(_text(path), str(path))


def read_machine(path: Path) -> m.Machine:
    """Read a machine file.

    Raises:
        SourceNotFound, SourceUnreadable: the file or one that it includes cannot be read.
        SourceSyntaxError: it is not a machine of this subset.
    """
    return parse_machine(_text(path), str(path))


def parse_model(text: str, where: str = "model") -> m.Model:
    """Parse an application model; `where` names it in errors.

    Raises:
        SourceSyntaxError: it is not a model of this subset.
    """
    found = _parse(text, where)
    if not isinstance(found, m.Model):
        raise SourceSyntaxError(
            "a machine file, not an application model", where, "it should begin with `model NAME {`"
        )
    return found


def parse_machine(text: str, where: str = "machine") -> m.Machine:
    """Parse a machine file; `where` names it in errors.

    Raises:
        SourceSyntaxError: it is not a machine of this subset.
    """
    found = _parse(text, where)
    if not isinstance(found, m.Machine):
        raise SourceSyntaxError("an application model, not a machine file", where, "give a file with components")
    return found


# Files


def _text(path: Path, seen: tuple[Path, ...] = ()) -> str:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise input_error(error, path) from None
    except UnicodeDecodeError:
        raise SourceUnreadable("the file is not text in UTF-8", str(path), "save it as UTF-8") from None
    if len(text) > MOST_BYTES:
        raise SourceSyntaxError(f"larger than {MOST_BYTES:,} bytes", str(path), "split the model")

    def included(match: re.Match[str]) -> str:
        line = text.count("\n", 0, match.start()) + 1
        name = match[1].strip('"')
        target = Path(name)
        if target.is_absolute() or ".." in target.parts:
            raise SourceSyntaxError(
                "an include may only name a file below the folder of the model", f"{path}:{line}", f"move {name} there"
            )
        file = path.parent / target
        if file in (*seen, path):
            raise SourceSyntaxError("a file includes itself", f"{path}:{line}", "remove the include")
        return _text(file, (*seen, path))

    return _INCLUDE.sub(included, text)


# Syntax


@cache
def _parser() -> Lark:
    from importlib.resources import files

    from lark import Lark

    grammar = files(__package__).joinpath("aspen.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", propagate_positions=True, maybe_placeholders=True)


def _parse(text: str, where: str) -> m.Model | m.Machine:
    from lark.exceptions import UnexpectedInput

    _check_brackets(text, where)
    try:
        tree = _parser().parse(text)
    except UnexpectedInput as error:
        _refuse(error, text, where)
    if sum(1 for _ in tree.iter_subtrees()) > MOST_NODES:
        raise SourceSyntaxError(f"a model of more than {MOST_NODES:,} parts", where, "split the model")
    return _Build(where).start(tree)


def _refuse(error: Any, text: str, where: str) -> NoReturn:
    line, column = getattr(error, "line", -1), getattr(error, "column", -1)
    if line < 1:
        line, column = text.count("\n") + 1, 1
    lines = text.splitlines()
    shown = lines[line - 1].strip()[:60] if line <= len(lines) else "the end"
    raise SourceSyntaxError(f"unexpected text: {shown}", f"{where}:{line}:{column}", "see the guide for the language")


def _check_brackets(text: str, where: str) -> None:
    """Check that brackets match, so that a missing brace is reported for its block and not at the end."""
    pairs = {"}": "{", ")": "(", "]": "["}
    stack: list[tuple[str, int]] = []
    for piece in _PIECE.finditer(text):
        sign = piece[0]
        if sign in pairs.values():
            stack.append((sign, piece.start()))
            if len(stack) > DEEPEST:
                raise SourceSyntaxError(
                    f"more than {DEEPEST} brackets inside each other", f"{where}:{_line(text, piece.start())}", ""
                )
        elif sign in pairs:
            if not stack or stack[-1][0] != pairs[sign]:
                line = _line(text, piece.start())
                if stack and stack[-1][0] != "{":
                    opened = stack[-1]
                    raise SourceSyntaxError(
                        f"missing {'])'['[('.index(opened[0])]}", f"{where}:{_line(text, opened[1])}", "close it"
                    )
                raise SourceSyntaxError(f"unexpected {sign}", f"{where}:{line}", "remove it, or open its block")
            stack.pop()
    if stack:
        sign, place = _unclosed_by_indentation(text) or stack[-1]
        line = _line(text, place)
        if sign != "{":
            raise SourceSyntaxError(f"missing {'])'['[('.index(sign)]}", f"{where}:{line}", "close it")
        name, line = _block(text, place)
        raise SourceSyntaxError(f"missing }} for {name} (line {line})", f"{where}:{line}", "close the block")


def _unclosed_by_indentation(text: str) -> tuple[str, int] | None:
    """The block whose closing brace is missing, by how the lines are indented; None if that does not tell."""
    stack: list[int] = []
    for piece in _PIECE.finditer(text):
        if piece[0] == "{":
            stack.append(piece.start())
        elif piece[0] == "}" and stack:
            first, indent = _indent(text, piece.start())
            if first and _indent(text, stack[-1])[1] > indent:
                return "{", stack[-1]
            stack.pop()
    return None


def _indent(text: str, place: int) -> tuple[bool, int]:
    """Whether only blanks precede a place on its line, and how far the line is indented."""
    start = text.rfind("\n", 0, place) + 1
    line = text[start : text.find("\n", place) if "\n" in text[place:] else len(text)]
    return not text[start:place].strip(), len(line) - len(line.lstrip())


def _block(text: str, place: int) -> tuple[str, int]:
    """The name of the block that a brace opens, as in `kernel main`, and the line of its first word."""
    before = re.sub(r"//[^\n]*", lambda found: " " * len(found[0]), text[:place])
    start = max(before.rfind(sign) for sign in "{}") + 1
    words = list(re.finditer(r"[A-Za-z_]\w*", before[start:]))
    heads = [number for number, word in enumerate(words) if word[0] in ("model", "kernel")]
    if heads:
        head = words[heads[-1] : heads[-1] + 2]
    else:
        blocks = [word for word in words if word[0] in ("execute", "iterate", "map", "par", "seq")]
        head = blocks[-1:] or words[-2:]
    if not head:
        return "a block", _line(text, place)
    return " ".join(word[0] for word in head), _line(text, start + head[0].start())


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


class _Build:
    """Build the values of `model` from the parser's tree."""

    def __init__(self, where: str) -> None:
        self._where = where

    def start(self, tree: _Tree) -> m.Model | m.Machine:
        root: _Tree = tree.children[0]
        return self._model(root) if root.data == "model" else self._machine(root)

    def _model(self, tree: _Tree) -> m.Model:
        name, *rest = tree.children
        kernels = tuple(self._kernel(one) for one in rest if one.data == "kernel")
        names = [one.name for one in kernels]
        globals_ = tuple(self._global(one) for one in rest if one.data != "kernel")
        for kind, given in (("kernel", names), ("parameter", [one.name for one in globals_])):
            twice = {one for one in given if given.count(one) > 1}
            if twice:
                raise SourceSyntaxError(f"two {kind}s of one name: {min(twice)}", self._where, "rename one")
        if "main" not in names:
            raise SourceSyntaxError("no kernel main", self._where, "name the kernel that runs `main`")
        return m.Model(str(name), globals_, kernels)

    def _kernel(self, tree: _Tree) -> m.Kernel:
        name, *rest = tree.children
        own = tuple(self._global(one) for one in rest if one.data in ("param", "data"))
        return m.Kernel(
            str(name), tuple(self._statement(one) for one in rest if one.data not in ("param", "data")), own
        )

    def _global(self, tree: _Tree) -> m.Param | m.Data:
        if tree.data == "data":
            name, shape = tree.children
            if shape.data == "call":
                return m.Data(str(name), shape=self._call(shape))
            return m.Data(str(name), size=self._quantity(shape))
        return self._param(tree)

    def _param(self, tree: _Tree) -> m.Param:
        name, default, low, high = tree.children
        return m.Param(
            _dotted(name),
            self._expr(default),
            None if low is None else self._expr(low),
            None if high is None else self._expr(high),
        )

    def _statement(self, tree: _Tree) -> m.Statement:
        children = tree.children
        match tree.data:
            case "execute":
                parallelism, label, *uses = children
                return m.Execute(
                    tuple(self._use(use) for use in uses),
                    None if parallelism is None else self._quantity(parallelism),
                    _label(label),
                )
            case "iterate":
                word, name, count, label, *body = children
                return m.Repeat(
                    str(word), self._quantity(count), tuple(map(self._statement, body)), str(name or ""), _label(label)
                )
            case "group":
                word, label, *body = children
                return m.Group(str(word), tuple(map(self._statement, body)), _label(label))
            case _:
                return m.Call(_dotted(children[0]), tree.meta.line)

    def _use(self, tree: _Tree) -> m.Use:
        resource, quantity, *rest = tree.children
        traits = tuple(self._trait(one) for one in rest if _is(one, "trait"))
        sizes = [one for one in rest if _is(one, "quantity")]
        data = [str(one) for one in rest if one is not None and not hasattr(one, "data")]
        direction, target = (data[0], data[1]) if len(data) == 2 else ("", "")
        return m.Use(
            str(resource),
            self._quantity(quantity),
            self._quantity(sizes[0]) if sizes else None,
            direction,
            target,
            traits,
            tree.meta.line,
        )

    def _trait(self, tree: _Tree) -> m.Trait:
        name, argument = tree.children
        return m.Trait(str(name), None if argument is None else self._expr(argument))

    def _machine(self, tree: _Tree) -> m.Machine:
        params = tuple(self._param(one) for one in tree.children if one.data == "param")
        return m.Machine(params, tuple(self._component(one) for one in tree.children if one.data == "component"))

    def _component(self, tree: _Tree) -> m.Component:
        kind, name, *members = tree.children
        return m.Component(str(kind), str(name), tuple(map(self._member, members)))

    def _member(self, tree: _Tree) -> m.Resource | m.Property | m.Power | m.Part | m.Conflict:
        children = tree.children
        match tree.data:
            case "resource":
                name, argument, seconds, *traits = children
                return m.Resource(
                    str(name),
                    str(argument),
                    self._quantity(seconds),
                    tuple(
                        m.TraitTime(str(one.children[0]), self._quantity(one.children[2]), str(one.children[1] or ""))
                        for one in traits
                        if one is not None
                    ),
                )
            case "conflict":
                return m.Conflict(str(children[0]), str(children[1]))
            case "property":
                return m.Property(str(children[0]), None if children[1] is None else self._quantity(children[1]))
            case "power":
                return m.Power(str(children[0]), self._quantity(children[1]))
            case _:
                kind, count, name = children
                return m.Part(str(kind), str(name), None if count is None else self._quantity(count))

    def _quantity(self, tree: _Tree) -> m.Expr:
        return self._expr(tree.children[0])

    def _expr(self, tree: _Tree) -> m.Expr:
        children = tree.children
        match tree.data:
            case "num":
                return m.Number(float(children[0]), str(children[0]))
            case "si":
                return m.Number(SCALES[str(children[0])], str(children[0]))
            case "qname":
                return m.Name(_dotted(tree))
            case "neg":
                return m.Negation(self._expr(children[0]))
            case "call":
                return self._call(tree)
            case "pow":
                return m.Operation("^", self._expr(children[0]), self._expr(children[1]), tree.meta.line, self._where)
            case _:
                left = self._expr(children[0])
                for operator, right in zip(children[1::2], children[2::2], strict=True):
                    left = m.Operation(str(operator), left, self._expr(right), operator.line, self._where)
                return left

    def _call(self, tree: _Tree) -> m.Function:
        name, *arguments = tree.children
        return m.Function(
            str(name),
            tuple(self._expr(one) for one in arguments if one is not None),
            getattr(name, "line", 0),
            self._where,
        )


def _is(tree: Any, data: str) -> bool:
    return getattr(tree, "data", None) == data


def _dotted(tree: _Tree) -> str:
    return ".".join(map(str, tree.children))


def _label(token: Any) -> str:
    return "" if token is None else str(token)[1:-1]
