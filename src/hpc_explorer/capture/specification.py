"""The prospective specification of a workflow: its transformations and their attributes.

From code it is a dictionary, or a JSON file of the same form:

    {"name": "train-unet",
     "transformations": {
        "preparation": {"tag": "Learning Data Preparation", "description": "…",
                        "inputs": [{"name": "tile_size", "semantics": "PARAMETER", "type": "integer"}],
                        "outputs": [{"name": "dataset", "semantics": "FILE_REFERENCE"}]}}}

ProvLake's form (`dataflow_name`, `data_transformations` with `input_datasets` and `output_datasets`) is read too.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


def specification_of(source: str | os.PathLike[str] | Mapping[str, Any]) -> dict[str, Any]:
    """A specification in the form of the module's description; with the key `problem` if it cannot be read.

    Args:
        source: the path of a JSON file, or its content.
    """
    if not isinstance(source, Mapping):
        path = Path(source)
        try:
            source = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            return {"problem": f"{path}: {error}", "transformations": {}}
    if not isinstance(source, Mapping):
        return {"problem": "the specification is not an object", "transformations": {}}
    planned = source.get("transformations", source.get("data_transformations"))
    found: dict[str, Any] = {
        "name": str(source.get("name") or source.get("dataflow_name") or ""),
        "description": str(source.get("description") or source.get("description:") or ""),
        "project": str(source.get("project") or source.get("context_name") or ""),
        "transformations": {},
    }
    for name, plan in planned.items() if isinstance(planned, Mapping) else ():
        if isinstance(plan, Mapping):
            found["transformations"][str(name)] = {
                "tag": str(plan.get("tag") or ""),
                "description": str(plan.get("description") or ""),
                "inputs": list(_attributes(plan, "inputs", "input_datasets")),
                "outputs": list(_attributes(plan, "outputs", "output_datasets")),
            }
    return found


def _attributes(plan: Mapping[str, Any], own: str, of_provlake: str) -> Iterator[dict[str, str]]:
    listed: Any = plan.get(own)
    if listed is None:
        sets = plan.get(of_provlake)
        groups = sets if isinstance(sets, list) else []
        listed = [item for group in groups if isinstance(group, Mapping) for item in group.get("attributes") or ()]
    for item in listed if isinstance(listed, list) else ():
        if isinstance(item, str):
            yield {"name": item}
        elif isinstance(item, Mapping) and item.get("name"):
            told = {
                "name": item["name"],
                "type": item.get("type") or item.get("dtype"),
                "semantics": item.get("semantics"),
                "description": item.get("description"),
            }
            yield {key: str(value) for key, value in told.items() if value}
