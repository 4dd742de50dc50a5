"""Record Keras: `model.fit(…, callbacks=[capture.keras.CaptureCallback()])`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import keras

from hpc_explorer.capture.callbacks import OpenSteps, log_numbers
from hpc_explorer.capture.values import log_parameter, log_parameters


class CaptureCallback(keras.callbacks.Callback):  # type: ignore[misc]  # the library is not there when types are checked
    """Records epochs, batches, metrics and settings of `fit`, and `evaluate` as an evaluation."""

    def __init__(self) -> None:
        super().__init__()
        self._open = OpenSteps()

    def on_train_begin(self, logs: Mapping[str, Any] | None = None) -> None:
        """Begin the training."""
        self._open.begin("training")
        log_parameters({name: value for name, value in (self.params or {}).items() if value is not None})
        log_parameter("model", self.model.name)
        optimizer = getattr(self.model, "optimizer", None)
        if optimizer is not None:
            log_parameter("optimizer", optimizer.name)
            log_parameter("learning_rate", float(optimizer.learning_rate))

    def on_epoch_begin(self, epoch: int, logs: Mapping[str, Any] | None = None) -> None:
        """Begin an epoch."""
        self._open.begin("epoch", epoch)

    def on_train_batch_begin(self, batch: int, logs: Mapping[str, Any] | None = None) -> None:
        """Begin a batch."""
        self._open.begin("batch", batch)

    def on_train_batch_end(self, batch: int, logs: Mapping[str, Any] | None = None) -> None:
        """End a batch."""
        log_numbers(logs)
        self._open.end("batch")

    def on_epoch_end(self, epoch: int, logs: Mapping[str, Any] | None = None) -> None:
        """End an epoch."""
        log_numbers(logs)
        self._open.end("epoch")

    def on_train_end(self, logs: Mapping[str, Any] | None = None) -> None:
        """End the training."""
        self._open.end("training")

    def on_test_begin(self, logs: Mapping[str, Any] | None = None) -> None:
        """Begin a validation within `fit`, or an evaluation."""
        self._open.begin("validation" if self._open.is_open("training") else "evaluation")

    def on_test_end(self, logs: Mapping[str, Any] | None = None) -> None:
        """End it."""
        log_numbers(logs)
        self._open.end("validation" if self._open.is_open("training") else "evaluation")
