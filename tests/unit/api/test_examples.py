"""The examples in the docstrings of the public interface give what they say."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

import hpc_explorer

MODULES = ("answers", "asked", "editing", "graph", "lineage", "opening", "statements", "tables", "values")


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    found = doctest.testmod(import_module(f"hpc_explorer.api.{name}"))
    assert found.attempted > 0
    assert found.failed == 0


def test_every_public_class_and_function_is_documented() -> None:
    for name in hpc_explorer.__all__:
        public = getattr(hpc_explorer, name)
        assert public.__doc__, name
        if isinstance(public, type):
            members = {key: one for key, one in vars(public).items() if not key.startswith("_")}
            undocumented = [key for key, one in members.items() if callable(one) or isinstance(one, property)]
            assert all(getattr(public, key).__doc__ for key in undocumented), name
