"""Record provenance from a training script.

    from hpc_explorer import capture

    with capture.workflow("train-unet"):
        with capture.task("prepare", "preparation"):
            capture.log_input("raw.csv")
            capture.log_output("train.npz")
        with capture.stage("training"):
            capture.log_input("train.npz")
            capture.log_parameter("learning_rate", 1e-3)
            for number in capture.epochs(range(10)):
                for images, labels in capture.batches(loader):
                    ...
                    capture.log_metric("loss", loss)
                capture.log_model("model.pt")

A call appends to a queue and returns; a thread writes the records to the folder `provenance`. `hpc-explorer collect`
turns them into PROV-ML. This package needs Python's standard library only; the adapters in `capture.sklearn`,
`capture.torch`, `capture.lightning`, `capture.keras`, `capture.transformers` and `capture.mlflow` need those libraries.
"""

import importlib
from types import ModuleType

from hpc_explorer.capture.activities import Person, epoch, epochs, stage, task, workflow
from hpc_explorer.capture.calls import batch, batches, log_metric, log_metrics
from hpc_explorer.capture.recorder import CaptureSettings, configure, flush, stop
from hpc_explorer.capture.values import (
    log_dataset_characteristic,
    log_input,
    log_model,
    log_output,
    log_parameter,
    log_parameters,
)
from hpc_explorer.capture.waiting import now

__all__ = [
    "CaptureSettings",
    "Person",
    "batch",
    "batches",
    "configure",
    "epoch",
    "epochs",
    "flush",
    "log_dataset_characteristic",
    "log_input",
    "log_metric",
    "log_metrics",
    "log_model",
    "log_output",
    "log_parameter",
    "log_parameters",
    "now",
    "stage",
    "stop",
    "task",
    "workflow",
]

_ADAPTERS = frozenset({"keras", "lightning", "mlflow", "sklearn", "torch", "transformers"})


def __getattr__(name: str) -> ModuleType:
    """Import an adapter when it is first used."""
    if name in _ADAPTERS:
        return importlib.import_module(f"hpc_explorer.capture.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
