"""Values as they are typed into forms, and a resource of which so much is said that its form is a large one."""

from __future__ import annotations

from pathlib import Path

from hpc_explorer.annotate.forms.entries import check_value, read_entry
from hpc_explorer.annotate.forms.form import Field
from hpc_explorer.annotate.forms.kinds import ValueKind
from hpc_explorer.annotate.forms.values import Value
from hpc_explorer.rdf.terms import NamedNode

LARGE_THING = NamedNode("http://example.org/thing/1")


def term(name: str) -> NamedNode:
    """A term of the vocabulary that it is described with."""
    return NamedNode(f"http://example.org/terms/{name}")


def large_form(path: Path, fields: int, values: int) -> Path:
    """Write a file with as many values of as many properties, texts, numbers and links among them."""
    lines = ["@prefix ex: <http://example.org/terms/> .", f"<{LARGE_THING.value}> a ex:Thing ;"]
    for number in range(values):
        name = f"ex:property{number % fields:02}"
        value = (
            f'"Value number {number}"@en',
            f"{number}",
            f"<http://example.org/thing/{number + 2}>",
            f'"a text of some length, as they stand in descriptions, number {number}"',
        )[number % fields % 4]
        lines.append(f"  {name} {value} ;")
    lines.append('  <http://www.w3.org/2000/01/rdf-schema#label> "A thing with many properties" .')
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def value_typed(
    kind: ValueKind, text: str, *, field: Field | None = None, language: str = "", before: Value | None = None
) -> Value:
    """What a typed text means, checked by the rules of its field."""
    value = read_entry(text, kind, language=language, before=before)
    if field is not None and value != before:
        check_value(field, value)
    return value
