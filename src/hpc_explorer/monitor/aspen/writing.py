"""Write Aspen models and machines as text; reading it back gives the same value."""

from __future__ import annotations

from collections.abc import Iterable

from hpc_explorer.monitor.aspen import model as m

# How tightly an operator binds: a unary minus lies between * and ^.
_STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}
_UNARY, _ATOM = 3, 5


def model_text(model: m.Model) -> str:
    """The text of an application model."""
    lines = [f"model {model.name} {{"]
    lines += (f"  {_global(one)}" for one in model.globals)
    for kernel in model.kernels:
        lines.append(f"  kernel {kernel.name} {{")
        lines += (f"    {_global(one)}" for one in kernel.globals)
        lines += (f"    {line}" for line in _body(kernel.body))
        lines.append("  }")
    return "\n".join([*lines, "}", ""])


def machine_text(machine: m.Machine) -> str:
    """The text of a machine file."""
    lines = [_global(one) for one in machine.params]
    for component in machine.components:
        lines.append(f"{component.kind} {component.name} {{")
        lines += (f"  {_member(one)}" for one in component.members)
        lines.append("}")
    return "\n".join([*lines, ""])


def expression_text(expr: m.Expr) -> str:
    """The text of an expression, with no more parentheses than it needs."""
    return _expr(expr)[0]


def _expr(expr: m.Expr) -> tuple[str, int]:
    match expr:
        case m.Number():
            return expr.text, _ATOM
        case m.Name():
            return expr.name, _ATOM
        case m.Negation():
            return f"-{_inside(expr.operand, _UNARY)}", _UNARY
        case m.Function():
            return f"{expr.name}({', '.join(map(expression_text, expr.arguments))})", _ATOM
    strength = _STRENGTH[expr.operator]
    if expr.operator == "^":
        # Right-associative; its exponent may begin with a minus.
        return f"{_inside(expr.left, _ATOM)}^{_inside(expr.right, _UNARY)}", strength
    return f"{_inside(expr.left, strength)} {expr.operator} {_inside(expr.right, strength + 1)}", strength


def _inside(expr: m.Expr, at_least: int) -> str:
    text, strength = _expr(expr)
    return text if strength >= at_least else f"({text})"


def _global(one: m.Param | m.Data) -> str:
    if isinstance(one, m.Data):
        return f"data {one.name} " + (f"as {_expr(one.shape)[0]}" if one.shape else _quantity(one.size))
    range_ = f" in {_expr(one.low)[0]} .. {_expr(one.high)[0]}" if one.low and one.high else ""
    return f"param {one.name} = {_expr(one.default)[0]}{range_}"


def _quantity(expr: m.Expr | None) -> str:
    return "" if expr is None else f"[{_expr(expr)[0]}]"


def _words(*words: str) -> str:
    return " ".join(word for word in words if word)


def _body(body: Iterable[m.Statement]) -> Iterable[str]:
    for one in body:
        match one:
            case m.Call():
                yield f"call {one.kernel}"
                continue
            case m.Execute():
                yield _words("execute", _quantity(one.parallelism), _quoted(one.label), "{")
                yield from (f"  {_use(use)}" for use in one.uses)
            case m.Repeat():
                yield _words(one.word, one.name, _quantity(one.count), _quoted(one.label), "{")
                yield from (f"  {line}" for line in _body(one.body))
            case m.Group():
                yield _words(one.word, _quoted(one.label), "{")
                yield from (f"  {line}" for line in _body(one.body))
        yield "}"


def _quoted(label: str) -> str:
    return f'"{label}"' if label else ""


def _use(use: m.Use) -> str:
    traits = ", ".join(one.name + (f"({_expr(one.argument)[0]})" if one.argument else "") for one in use.traits)
    return _words(
        use.resource,
        _quantity(use.quantity),
        f"of size {_quantity(use.size)}" if use.size else "",
        f"{use.direction} {use.data}" if use.direction else "",
        f"as {traits}" if traits else "",
    )


def _member(one: m.Resource | m.Property | m.Power | m.Part | m.Conflict) -> str:
    match one:
        case m.Resource():
            traits = ", ".join(
                _words(trait.name + (f"({trait.argument})" if trait.argument else ""), _quantity(trait.expression))
                for trait in one.traits
            )
            with_ = f"with {traits}" if traits else ""
            return _words(f"resource {one.name}({one.argument})", _quantity(one.seconds), with_)
        case m.Property():
            return _words("property", one.name, _quantity(one.value))
        case m.Power():
            return _words(one.kind, "power", _quantity(one.value))
        case m.Part():
            return _words(one.kind, _quantity(one.count), one.name)
        case m.Conflict():
            return f"conflict {one.first}, {one.second}"
