"""What the user taught: names for classes and properties (SKOS), and the readings chosen before."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from hpc_explorer.app.settings import settings_file
from hpc_explorer.errors import DamagedSettings, InputError, UsageError
from hpc_explorer.language.words import key_of, sentence_tokens
from hpc_explorer.rdf.namespaces import SKOS
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.rdf.terms import Literal, NamedNode

Taught = tuple[tuple[NamedNode, str], ...]
"""Classes or properties with the names that the user gave them."""

_MOST_CHOICES = 500
_MOST_WORDS = 6


def taught_file() -> Path:
    """The Turtle file of the user's names."""
    return settings_file().with_name("words.ttl")


def read_taught(path: Path | None = None) -> Taught:
    """The user's names.

    Raises:
        DamagedSettings: the file cannot be read.
    """
    from hpc_explorer.rdf.syntax.reading import read_source

    path = path or taught_file()
    if not path.is_file():
        return ()
    try:
        quads = tuple(read_source(path).quads())
    except InputError as error:
        raise DamagedSettings("the taught words cannot be read", f"{path} ({error})", "repair or remove it") from None
    return tuple(
        (quad.subject, quad.object.value)
        for quad in quads
        if isinstance(quad.subject, NamedNode) and quad.predicate == SKOS.altLabel and isinstance(quad.object, Literal)
    )


def teach(word: str, term: NamedNode) -> None:
    """Remember a name for a class or property.

    Raises:
        UsageError: it is no name of one to six words.
        OutputNotWritable: the settings cannot be written.
    """
    name = " ".join(word.split())
    if not 1 <= len(sentence_tokens(name)) <= _MOST_WORDS or not key_of(name):
        raise UsageError("not a name", word[:60], "give one to six words")
    write_taught((*(one for one in read_taught() if one != (term, name)), (term, name)))


def forget(word: str) -> int:
    """Forget a name; returns how many meanings it had."""
    known = read_taught()
    kept = tuple(one for one in known if key_of(one[1]) != key_of(word))
    if len(kept) < len(known):
        write_taught(kept)
    return len(known) - len(kept)


def write_taught(taught: Taught, path: Path | None = None) -> None:
    """Write names as SKOS alternative labels in Turtle.

    Raises:
        OutputNotWritable: the file cannot be written.
    """
    path = path or taught_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ["@prefix skos: <http://www.w3.org/2004/02/skos/core#> .", ""]
    lines += sorted({f"{term} skos:altLabel {Literal(name, language='en')} ." for term, name in taught})
    with atomic_output(path) as stream:
        stream.write(("\n".join(lines) + "\n").encode())


def chosen_file() -> Path:
    """The file of the chosen readings."""
    return settings_file().with_name("chosen-readings.json")


def chosen_readings() -> Mapping[str, str]:
    """The reading that the user chose for each question."""
    try:
        kept = json.loads(chosen_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(key): str(value) for key, value in kept.items()} if isinstance(kept, dict) else {}


def remember_choice(question: str, sentence: str) -> None:
    """Remember the reading of a question; it comes first from now on.

    Raises:
        OutputNotWritable: the settings cannot be written.
    """
    kept = {key: value for key, value in chosen_readings().items() if key != question}
    kept = dict([*kept.items(), (question, sentence)][-_MOST_CHOICES:])
    chosen_file().parent.mkdir(parents=True, exist_ok=True)
    with atomic_output(chosen_file()) as stream:
        stream.write(json.dumps(kept, indent=1, ensure_ascii=False).encode())


def forget_choices() -> int:
    """Forget all chosen readings; returns how many there were."""
    number = len(chosen_readings())
    chosen_file().unlink(missing_ok=True)
    return number
