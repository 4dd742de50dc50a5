"""Which addresses are pages by their form."""

from __future__ import annotations

import pytest

from hpc_explorer.fair.pages import page_kind


@pytest.mark.parametrize(
    "address",
    [
        "https://lab.eu",
        "https://lab.eu/",
        "https://github.com/LLNL/dataracebench",
        "https://github.com/LLNL/dataracebench/tree/master/micro-benchmarks",
        "https://github.com/LLNL/dataracebench/blob/main/a.csv",
        "https://gitlab.com/lab/runs",
        "https://gitlab.lab.eu/hpc/runs/-/tree/main",
        "https://zenodo.org/records/7019193",
        "https://zenodo.org/record/7019193",
        "https://figshare.com/articles/dataset/Runs/1234",
        "https://huggingface.co/datasets/lab/runs",
        "https://www.kaggle.com/datasets/lab/runs",
        "https://osf.io/abc12/",
        "https://datadryad.org/stash/dataset/doi:10.5061/dryad.1",
        "https://dataverse.harvard.edu/dataset.xhtml?persistentId=doi:10.7910/DVN/X",
        "https://doi.pangaea.de/10.1594/PANGAEA.1",
        "https://doi.org/10.5281/zenodo.1",
    ],
)
def test_a_page(address: str) -> None:
    assert page_kind(address)


@pytest.mark.parametrize(
    "address",
    [
        "https://lab.eu/data",
        "https://lab.eu/?file=7",
        "https://raw.githubusercontent.com/lab/runs/main/a.csv",
        "https://github.com/lab/runs/raw/main/a.csv",
        "https://github.com/lab/runs/archive/refs/tags/v1.zip",
        "https://github.com/lab/runs/releases/download/v1/a.zip",
        "https://github.com/xyz/decisionTree.onnx",
        "https://gitlab.com/lab/runs/-/raw/main/a.csv",
        "https://zenodo.org/records/7019193/files/a.csv?download=1",
        "https://ndownloader.figshare.com/files/1234",
        "https://huggingface.co/datasets/lab/runs/resolve/main/a.parquet",
        "https://osf.io/download/abc12/",
        "https://dataverse.harvard.edu/api/access/datafile/17",
        "https://doi.pangaea.de/10.1594/PANGAEA.1?format=textfile",
        "ftp://lab.eu/",
        "https://[lab",
        "data/runs.csv",
        "",
    ],
)
def test_no_page(address: str) -> None:
    assert not page_kind(address)
