"""Record Hugging Face's Trainer: `Trainer(callbacks=[capture.transformers.CaptureCallback()])`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import transformers

from hpc_explorer.capture.callbacks import OpenSteps, log_numbers
from hpc_explorer.capture.values import log_model, log_parameter

_SETTINGS = (
    "learning_rate",
    "per_device_train_batch_size",
    "gradient_accumulation_steps",
    "num_train_epochs",
    "max_steps",
    "weight_decay",
    "warmup_steps",
    "lr_scheduler_type",
    "optim",
    "seed",
    "bf16",
    "fp16",
)


class CaptureCallback(transformers.TrainerCallback):  # type: ignore[misc]  # not there when types are checked
    """Records epochs, steps as batches, logged values, evaluations, settings and checkpoints of a trainer."""

    def __init__(self) -> None:
        super().__init__()
        self._open = OpenSteps()

    def on_train_begin(self, args: Any, state: Any, control: Any, **more: Any) -> None:
        """Begin the training."""
        self._open.begin("training")
        for name in _SETTINGS:
            if (value := getattr(args, name, None)) is not None:
                log_parameter(name, getattr(value, "value", value))

    def on_epoch_begin(self, args: Any, state: Any, control: Any, **more: Any) -> None:
        """Begin an epoch."""
        self._open.begin("epoch", int(state.epoch or 0))

    def on_step_begin(self, args: Any, state: Any, control: Any, **more: Any) -> None:
        """Begin a step of the optimizer."""
        self._open.begin("batch")

    def on_step_end(self, args: Any, state: Any, control: Any, **more: Any) -> None:
        """End it."""
        self._open.end("batch")

    def on_log(self, args: Any, state: Any, control: Any, logs: Mapping[str, Any] | None = None, **more: Any) -> None:
        """Record logged values."""
        if self._open.is_open("training"):
            log_numbers(logs, state.global_step)

    def on_evaluate(
        self, args: Any, state: Any, control: Any, metrics: Mapping[str, Any] | None = None, **more: Any
    ) -> None:
        """Record an evaluation: a validation within the training."""
        kind = "validation" if self._open.is_open("training") else "evaluation"
        self._open.begin(kind)
        log_numbers(metrics)
        self._open.end(kind)

    def on_save(self, args: Any, state: Any, control: Any, **more: Any) -> None:
        """Record a checkpoint, which is a folder."""
        folder = os.path.join(args.output_dir, f"checkpoint-{state.global_step}")
        if os.path.isdir(folder):
            log_model(folder, "checkpoint")

    def on_epoch_end(self, args: Any, state: Any, control: Any, **more: Any) -> None:
        """End an epoch."""
        self._open.end("epoch")

    def on_train_end(self, args: Any, state: Any, control: Any, **more: Any) -> None:
        """End the training."""
        self._open.end("training")
