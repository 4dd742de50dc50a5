"""Record Lightning: `Trainer(callbacks=[capture.lightning.CaptureCallback()])`."""

from __future__ import annotations

import os
from typing import Any

import lightning

from hpc_explorer.capture.callbacks import OpenSteps, log_numbers
from hpc_explorer.capture.values import log_model, log_parameters


class CaptureCallback(lightning.Callback):  # type: ignore[misc]  # the library is not there when types are checked
    """Records epochs, batches, metrics, hyperparameters and checkpoints of a trainer."""

    def __init__(self) -> None:
        super().__init__()
        self._open = OpenSteps()
        self._checkpoint = ""

    def on_train_start(self, trainer: Any, pl_module: Any) -> None:
        """Begin the training."""
        self._open.begin("training")
        log_parameters({"model class": type(pl_module).__name__, **dict(pl_module.hparams)})

    def on_train_epoch_start(self, trainer: Any, pl_module: Any) -> None:
        """Begin an epoch."""
        self._open.begin("epoch", trainer.current_epoch)

    def on_train_batch_start(self, trainer: Any, pl_module: Any, batch: Any, batch_idx: int) -> None:
        """Begin a batch."""
        self._open.begin("batch", batch_idx)

    def on_train_batch_end(self, trainer: Any, pl_module: Any, outputs: Any, batch: Any, batch_idx: int) -> None:
        """End a batch."""
        loss = outputs.get("loss") if isinstance(outputs, dict) else outputs
        log_numbers({"loss": loss})
        self._open.end("batch")

    def on_validation_start(self, trainer: Any, pl_module: Any) -> None:
        """Begin a validation; the check before training is not recorded."""
        if not trainer.sanity_checking:
            self._open.begin("validation")

    def on_validation_end(self, trainer: Any, pl_module: Any) -> None:
        """End a validation."""
        if self._open.is_open("validation"):
            log_numbers(trainer.callback_metrics)
            self._open.end("validation")

    def on_train_epoch_end(self, trainer: Any, pl_module: Any) -> None:
        """End an epoch."""
        log_numbers(trainer.callback_metrics)
        self._log_checkpoint(trainer)
        self._open.end("epoch")

    def on_train_end(self, trainer: Any, pl_module: Any) -> None:
        """End the training."""
        self._log_checkpoint(trainer)
        self._open.end("training")

    def on_exception(self, trainer: Any, pl_module: Any, exception: BaseException) -> None:
        """End the training after an error."""
        self._open.end("training")

    def _log_checkpoint(self, trainer: Any) -> None:
        path = str(getattr(trainer.checkpoint_callback, "_last_checkpoint_saved", "") or "")
        if path and path != self._checkpoint and os.path.exists(path):
            self._checkpoint = path
            log_model(path)
