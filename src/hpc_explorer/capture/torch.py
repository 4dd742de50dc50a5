"""Record PyTorch: a model's size and its optimizer's settings, and checkpoints as they are saved and loaded.

capture.torch.log_optimizer(optimizer)
for number in capture.epochs(range(10)):
    for images, labels in capture.batches(loader):
        ...
        capture.log_metric("loss", loss)
    capture.torch.save(model.state_dict(), "model.pt")
"""

from __future__ import annotations

import os
from typing import Any

import torch

from hpc_explorer.capture.values import log_input, log_model, log_parameter


def log_module(module: Any) -> None:
    """Record a module's class and its number of trainable parameters."""
    log_parameter("model class", type(module).__name__)
    log_parameter("trainable parameters", sum(part.numel() for part in module.parameters() if part.requires_grad))


def log_optimizer(optimizer: Any) -> None:
    """Record an optimizer's class and settings."""
    log_parameter("optimizer", type(optimizer).__name__)
    for name, value in optimizer.defaults.items():
        if value is not None:
            log_parameter(name, value)


def save(value: Any, path: str | os.PathLike[str], name: str = "", **options: Any) -> None:
    """`torch.save`, and record the file as a model.

    Args:
        name: the model's name in the plan.
        options: those of `torch.save`.
    """
    torch.save(value, path, **options)
    log_model(path, name)


def load(path: str | os.PathLike[str], **options: Any) -> Any:
    """`torch.load`, and record that the model was used."""
    log_input(path, kind="model")
    return torch.load(path, **options)
