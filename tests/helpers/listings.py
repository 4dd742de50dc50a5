"""Listings 3 and 4 of the HPC ontology's paper (MLHPC 2021): a dataset and a model, as JSON-LD without its context."""

from __future__ import annotations

from typing import Any

EX = "http://example.org/"

LISTING_3: dict[str, Any] = {
    "@id": f"{EX}dataset/DA000005",
    "@type": "hpc:Dataset",
    "hpc:description": "microbenchmark kernels in C/C++ and Fortran",
    "hpc:hasIDType": "System Generated",
    "hpc:license": "BSD",
    "hpc:name": "DataRaceBench micro-benchmarks",
    "hpc:project": {"@id": f"{EX}project/PR000002"},
    "hpc:subject": ["OpenMP", "Data Race Detection", "Computer Science"],
    "hpc:url": "https://github.com/LLNL/dataracebench/tree/master/micro-benchmarks",
    "hpc:version": "1.3.2",
}

LISTING_4: dict[str, Any] = {
    "@id": f"{EX}AIModel/MO000001",
    "@type": "hpc:AIModel",
    "hpc:contributor": {"@id": f"{EX}person/PI000013"},
    "hpc:description": "Onnx version of the decision tree model for XPlacer",
    "hpc:wasGeneratedBy": {"@id": f"{EX}experiment/EX000002"},
    "hpc:hasIDType": "System Generated",
    "hpc:wasDerivedFromDataset": [{"@id": f"{EX}dataset/DA00000{number}"} for number in (1, 2, 3, 4)],
    "hpc:isTunable": False,
    "hpc:learningType": "Supervised ",
    "hpc:modelFormat": "ONNX",
    "hpc:modelType": "Prediction",
    "hpc:learningAlgorithm": "Decision Tree",
    "hpc:name": "decisionTree.onnx",
    "hpc:project": {"@id": f"{EX}project/PR000001"},
    "hpc:subject": ["GGPU", "Heterogeneous Systems", "Data Placement", "Decision Tree"],
    "hpc:supportsAccelerator": True,
    "hpc:targetMachine": {"@id": f"{EX}cluster/lassen"},
    "hpc:url": "https://github.com/xyz/decisionTree.onnx",
    "hpc:version": "1.2.1",
}
