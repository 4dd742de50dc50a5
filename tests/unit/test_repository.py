"""The repository's own promises: its documents' links lead somewhere, and its locks pin what it declares."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from hpc_explorer import __version__

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DOCUMENTS = sorted(
    file
    for pattern in ("*.md", "docs/**/*.md", "ontology/*.md", "sample_graphs/*.md", "benchmarks/*.md")
    for file in ROOT.glob(pattern)
)
LOCKS = {
    "core": {"groups": ("build", "test"), "extras": ()},
    "run": {"groups": ("build",), "extras": ("gui",)},
    "dev": {"groups": ("dev",), "extras": ("gui",)},
    "mutants": {"groups": ("mutants",), "extras": ()},
}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_relative_links_lead_to_files(document: Path) -> None:
    text = re.sub(r"```.*?```|`[^`\n]*`", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = [target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]
    assert [target for target in targets if target and not (document.parent / target).exists()] == []


def test_changelog_speaks_of_this_version() -> None:
    assert f"\n## [{__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def declared(name: str) -> list[Requirement]:
    """What pyproject.toml asks for in the environment of the lock `name`."""
    texts = list(PYPROJECT["project"]["dependencies"])
    for extra in LOCKS[name]["extras"]:
        texts += PYPROJECT["project"]["optional-dependencies"][extra]
    waiting = list(LOCKS[name]["groups"])
    while waiting:
        for item in PYPROJECT["dependency-groups"][waiting.pop()]:
            if isinstance(item, str):
                texts.append(item)
            else:
                waiting.append(item["include-group"])
    return [Requirement(text) for text in texts]


@pytest.mark.parametrize("name", LOCKS)
def test_lock_pins_what_is_declared(name: str) -> None:
    lock = (ROOT / "packaging" / "locks" / f"{name}.txt").read_text(encoding="utf-8")
    pinned = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", lock, re.MULTILINE))
    for requirement in declared(name):
        version = pinned.get(canonicalize_name(requirement.name))
        assert version is not None, f"{requirement} is not locked: make lock"
        assert requirement.specifier.contains(version), f"{requirement} is locked at {version}: make lock"
    assert "://" not in lock, "a lock names packages, not where they come from"


def pinned(name: str) -> dict[str, str]:
    lock = (ROOT / "packaging" / "locks" / f"{name}.txt").read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9-]+)==([^\s;]+)", lock, re.MULTILINE))


@pytest.mark.parametrize("name", ["core", "run"])
def test_what_holds_in_one_environment_holds_in_the_other(name: str) -> None:
    """The unit tests run in that of `core` only."""
    assert pinned(name).items() <= pinned("dev").items()


def test_core_lock_is_without_qt() -> None:
    assert "pyside" not in (ROOT / "packaging" / "locks" / "core.txt").read_text(encoding="utf-8").lower()
