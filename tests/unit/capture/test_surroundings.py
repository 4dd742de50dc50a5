"""What a run took place in is found as the standard library finds it, at a small part of its cost."""

from __future__ import annotations

import sys
from importlib import metadata

from hpc_explorer.capture.surroundings import imported_software


def test_the_imported_software_is_that_of_the_standard_library() -> None:
    import numpy

    assert numpy.__version__
    first = imported_software()
    modules = {name.partition(".")[0] for name in list(sys.modules)} - sys.stdlib_module_names
    expected = {
        name: metadata.version(name)
        for module, names in metadata.packages_distributions().items()
        if module in modules and not module.startswith("_")
        for name in names
    }
    assert first == expected
    assert first["numpy"] == numpy.__version__
    assert imported_software() == first
