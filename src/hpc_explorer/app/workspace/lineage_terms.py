"""The user's lineage terms: `lineage.toml` in the settings folder, and a file given for one session."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hpc_explorer.app.settings import settings_file
from hpc_explorer.errors import DamagedSettings, SourceNotFound
from hpc_explorer.lineage.trace.own_terms import read_own_terms
from hpc_explorer.lineage.trace.vocabulary import Meaning
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
