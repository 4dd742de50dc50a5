"""What a user installs: the wheel and the source distribution hold all that the program reads, and nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from hpc_explorer import __version__

ROOT = Path(__file__).parents[2]

PRINT_SHIPPED_FOLDERS = """
import sys
sys.path.insert(0, sys.argv[1])
from hpc_explorer.shipped import shipped_folder
print(shipped_folder("ontology"), shipped_folder("sample_graphs"), sep="\\n")
"""


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source distribution of this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", str(folder)], cwd=ROOT, check=True, timeout=240)
    return folder


def files_below(folder: str) -> set[str]:
    """The files of the checkout below `folder`, from there."""
    return {
        str(file.relative_to(ROOT / folder))
        for file in (ROOT / folder).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }


def test_wheel_holds_the_package_and_the_shipped_folders(distributions: Path) -> None:
    (wheel,) = distributions.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    shipped = {
        f"hpc_explorer/_shipped/{top}/{file}"
        for top in ("ontology", "sample_graphs", "docs/guide")
        for file in files_below(top)
        if not file.startswith("pictures/")
    }
    assert names == {f"hpc_explorer/{file}" for file in files_below("src/hpc_explorer")} | shipped


def test_the_recorder_is_a_distribution_of_its_own(tmp_path: Path) -> None:
    """It holds the same files as the whole program's wheel, and needs nothing."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT / "packaging" / "capture",
        check=True,
        timeout=240,
    )
    (wheel,) = tmp_path.glob(f"hpc_explorer_capture-{__version__}-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        about = archive.read(next(name for name in archive.namelist() if name.endswith("METADATA"))).decode()
    ours = {f"hpc_explorer/capture/{file}" for file in files_below("src/hpc_explorer/capture")}
    assert names == ours | {"hpc_explorer/__init__.py", "hpc_explorer/py.typed"}
    needs = [Requirement(line.partition(": ")[2]) for line in about.splitlines() if line.startswith("Requires-Dist: ")]
    assert [need for need in needs if need.marker is None] == []


def test_wheel_finds_its_shipped_folders(distributions: Path, tmp_path: Path) -> None:
    (wheel,) = distributions.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    found = subprocess.run(
        [sys.executable, "-I", "-c", PRINT_SHIPPED_FOLDERS, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        timeout=240,
    ).stdout.splitlines()
    assert found == [str(tmp_path / "hpc_explorer" / "_shipped" / name) for name in ("ontology", "sample_graphs")]


def test_source_distribution_holds_all_it_is_built_from(distributions: Path) -> None:
    (source,) = distributions.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {f"{top}/{file}" for top in ("src", "ontology", "sample_graphs", "tests") for file in files_below(top)}
    assert wanted | {"pyproject.toml", "README.md", "LICENSE", "NOTICE", "CHANGELOG.md"} <= names


def runtime_distributions() -> Iterator[metadata.Distribution]:
    """What the program and its window need to run on this machine, all the way down."""
    seen: set[str] = set()
    waiting = [Requirement("hpc-explorer[gui]")]
    while waiting:
        wanted = waiting.pop()
        if wanted.name in seen:
            continue
        seen.add(wanted.name)
        found = metadata.distribution(wanted.name)
        yield found
        for requirement in map(Requirement, found.requires or ()):
            extras = [{"extra": extra} for extra in wanted.extras] or [{"extra": ""}]
            if requirement.marker is None or any(requirement.marker.evaluate(extra) for extra in extras):
                waiting.append(requirement)


def licence(distribution: metadata.Distribution) -> str:
    """The licence of a distribution: its expression or heading, its classifiers, or the start of its licence file."""
    about = distribution.metadata
    # Some packages put whole licence texts, and those of compilers' libraries, where the name belongs.
    stated = [about.get("License-Expression") or (about.get("License") or "").partition("\n")[0]]
    stated += [name for name in about.get_all("Classifier") or () if name.startswith("License ::")]
    if not any(stated):
        files = [file for file in distribution.files or () if "LICENSE" in file.name]
        stated = [file.read_text(encoding="utf-8")[:200] for file in files]
    return " ".join(stated)


def test_no_dependency_is_gpl() -> None:
    licences = {distribution.name: licence(distribution) for distribution in runtime_distributions()}
    assert {"pyoxigraph", "PySide6_Essentials"} <= licences.keys()
    assert [name for name, text in licences.items() if not text.strip()] == []
    gpl = re.compile(r"(?<![AL])GPL|(?<!Lesser )General Public License")
    assert [name for name, text in licences.items() if gpl.search(text) and "LGPL" not in text] == []
