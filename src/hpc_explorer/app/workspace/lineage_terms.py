"""The user's lineage terms: `lineage.toml` in the settings folder, and a file given for one session."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hpc_explorer.app.settings import settings_file
from hpc_explorer.errors import DamagedSettings, InputError, SourceNotFound
from hpc_explorer.lineage.trace.vocabulary import Meaning, Relation, SubjectIs
from hpc_explorer.rdf.namespaces import PrefixMap
from hpc_explorer.rdf.terms import NamedNode


def own_terms_file() -> Path:
    """The file in the settings folder that extends the lineage vocabulary of every session; it is optional."""
    return settings_file().with_name("lineage.toml")


def own_lineage_terms(named: Path | None = None) -> Mapping[NamedNode, Meaning]:
    """The meanings of predicates in the user's files; `named` takes precedence over the settings folder.

    Raises:
        SourceNotFound: `named` does not exist.
        DamagedSettings: a file cannot be read, or a row is invalid.
    """
    return {**_read(own_terms_file(), must_exist=False), **({} if named is None else _read(named, must_exist=True))}


def _read(path: Path, *, must_exist: bool) -> Mapping[NamedNode, Meaning]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        if must_exist:
            raise SourceNotFound("no such lineage vocabulary", str(path), "check the path") from None
        return {}
    except UnicodeDecodeError:
        raise DamagedSettings("the lineage vocabulary is not UTF-8 text", str(path), "save it as UTF-8") from None
    except OSError as error:
        raise DamagedSettings(
            f"the lineage vocabulary cannot be read ({error.strerror})", str(path), "check it"
        ) from None
    return read_own_terms(text, str(path))


ROLES: Mapping[str, Relation] = {
    "used": Relation.USED,
    "generated": Relation.GENERATED,
    "derived": Relation.DERIVED,
    "version of": Relation.SPECIALISED,
    "part of": Relation.PART_OF,
    "informed": Relation.INFORMED,
    "influenced": Relation.INFLUENCED,
    "planned by": Relation.PLANNED,
    "associated": Relation.ASSOCIATED,
    "attributed": Relation.ATTRIBUTED,
}
"""The words for the meaning of a predicate, with their relations."""

_KEYS = {"iri", "means", "subject"}


def read_own_terms(text: str, name: str) -> Mapping[NamedNode, Meaning]:
    """The meanings of predicates in a user's file.

        [prefixes]
        lab = "https://lab.example/terms#"

        [[predicate]]
        iri = "lab:madeFrom"    # a prefixed name, or an IRI in full
        means = "derived"       # one of `ROLES`
        subject = "effect"      # which end its subject is: effect (the default) or cause

    Args:
        text: the content of the file.
        name: the name of the file, for errors.

    Raises:
        DamagedSettings: the text is not valid TOML, or a row is invalid; says which.
    """
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DamagedSettings(f"the lineage vocabulary is not valid TOML ({error})", name, "correct the file") from None
    unknown = sorted(set(content) - {"prefixes", "predicate"})
    if unknown:
        raise _fault(f"unknown part {unknown[0]!r}", name, "a file has [prefixes] and [[predicate]] only")
    declared = content.get("prefixes", {})
    if not isinstance(declared, dict) or not all(isinstance(namespace, str) for namespace in declared.values()):
        raise _fault("[prefixes] is not a table of prefix = namespace", name, 'write prefix = "namespace"')
    rows = content.get("predicate", [])
    if not isinstance(rows, list):
        raise _fault("predicate is not a list of tables", name, "start each row with [[predicate]]")
    prefixes = PrefixMap(declared)
    return dict(_row(row, prefixes, f"{name}, predicate {number}") for number, row in enumerate(rows, 1))


def _row(row: Any, prefixes: PrefixMap, where: str) -> tuple[NamedNode, Meaning]:
    if not isinstance(row, dict) or not all(isinstance(value, str) for value in row.values()):
        raise _fault("a row may contain strings only", where, 'write iri = "…", means = "…"')
    unknown = sorted(set(row) - _KEYS)
    if unknown:
        raise _fault(f"unknown key {unknown[0]!r}", where, "a row has iri, means and subject")
    for key in ("iri", "means"):
        if key not in row:
            raise _fault(f"{key} is missing", where, "a row needs iri and means")
    if row["means"] not in ROLES:
        raise _fault(f"means is {row['means']!r}", where, f"choose one of {', '.join(ROLES)}")
    subject = row.get("subject", SubjectIs.EFFECT.value)
    if subject not in {end.value for end in SubjectIs}:
        raise _fault(f"subject is {subject!r}", where, "choose effect or cause")
    try:
        predicate = prefixes.resolve(row["iri"])
    except InputError as error:
        raise _fault(f"iri is {row['iri']!r}: {error.what}", where, "write an IRI, or declare the prefix") from None
    return predicate, Meaning(ROLES[row["means"]], SubjectIs(subject))


def _fault(what: str, where: str, remedy: str) -> DamagedSettings:
    return DamagedSettings(f"the lineage vocabulary cannot be used: {what}", where, remedy)
