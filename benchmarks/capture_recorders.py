"""The recorders that `capture.py` compares: `hpc_explorer.capture`, other libraries, and one that records nothing.

Each has the same four moments of a training: a run, an epoch, a batch and a loss. A batch is recorded as its library's
guide does it: by a context manager around it, or by a loop. All but `Capture` and `Blocking` need the environment of
`capture_training.py`.
"""

from __future__ import annotations

import functools
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

SRC = Path(__file__).resolve().parents[1] / "src"


class Recorder:
    """Records nothing.

    Attributes:
        calls: the number of calls for a batch: of functions, and turns of a loop.
        batch: makes a context manager around a batch from its number; None if `loop` records batches, or nothing does.
        loss: records a batch's loss; None: nothing does.
        loop: makes an iterator whose turns are batches, from their number.
    """

    calls = 0
    batch: Callable[[int], Any] | None = None
    loss: Callable[[float, int], object] | None = None
    loop: Callable[[int], Iterator[int]] | None = None

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.epoch = 0

    def begin(self) -> None:
        """Begin the run."""

    def begin_epoch(self, number: int) -> None:
        """Begin an epoch."""
        self.epoch = number

    def end_epoch(self, number: int, accuracy: float) -> None:
        """Record an epoch's accuracy, and end it."""

    def end(self) -> None:
        """End the run."""


class Nothing(Recorder):
    """An empty loop and an empty function: what no library in Python can undercut."""

    calls = 2

    def begin(self) -> None:
        def loop(number: int) -> Iterator[int]:
            yield from range(number)

        def loss(value: float, step: int | None = None) -> None: ...

        self.loop, self.loss = loop, loss


class Capture(Recorder):
    """`hpc_explorer.capture`."""

    calls = 3

    def __init__(self, folder: Path, online: str | None = None, *, in_loop: bool = False) -> None:
        super().__init__(folder)
        sys.path.insert(0, str(SRC))
        from hpc_explorer import capture

        self._capture = capture
        capture.configure(folder=folder / "spool", online=online, disk=online is None)
        self._stack = ExitStack()
        self._epoch: Any = None
        if in_loop:
            self.calls = 2
            self.loop = lambda number: iter(capture.batches(range(number)))
        else:
            self.batch = capture.batch
        self.loss = functools.partial(capture.log_metric, "loss")

    def begin(self) -> None:
        self._stack.enter_context(self._capture.workflow("training"))
        self._stack.enter_context(self._capture.stage("training"))
        self._capture.log_parameter("learning_rate", 0.01)

    def begin_epoch(self, number: int) -> None:
        self._epoch = self._capture.epoch(number)
        self._epoch.__enter__()

    def end_epoch(self, number: int, accuracy: float) -> None:
        self._capture.log_metric("accuracy", accuracy)
        self._capture.log_model(name=f"model {number}")
        self._epoch.__exit__(None, None, None)

    def end(self) -> None:
        self._stack.close()


class Blocking(Recorder):
    """A client that posts each event and waits for the answer, as ProvLake's does by default."""

    calls = 3

    def begin(self) -> None:
        import http.client

        self._connection = http.client.HTTPConnection("127.0.0.1", int(os.environ["BLOCKING_PORT"]))
        self.batch = self._around_batch
        self.loss = lambda value, step: self._post(loss=value, step=step)

    def _post(self, **event: Any) -> None:
        body = json.dumps({"time": time.time(), **event})
        self._connection.request("POST", "/", body, {"Content-Type": "application/json"})
        self._connection.getresponse().read()

    @contextmanager
    def _around_batch(self, number: int) -> Iterator[None]:
        self._post(epoch=self.epoch, batch=number, status="begun")
        yield
        self._post(epoch=self.epoch, batch=number, status="ended")

    def end_epoch(self, number: int, accuracy: float) -> None:
        self._post(epoch=number, accuracy=accuracy)

    def end(self) -> None:
        self._connection.close()


class MLflow(Recorder):
    """MLflow's functions, with a tracking database of SQLite. It records no times of batches."""

    calls = 1

    def __init__(self, folder: Path, *, synchronous: bool) -> None:
        super().__init__(folder)
        import mlflow

        mlflow.set_tracking_uri(f"sqlite:///{folder / 'mlflow.db'}")
        self._mlflow, self._synchronous = mlflow, synchronous
        self.loss = lambda value, step: mlflow.log_metric("loss", value, step=step, synchronous=synchronous)

    def begin(self) -> None:
        self._mlflow.start_run()
        self._mlflow.log_param("learning_rate", 0.01)

    def end_epoch(self, number: int, accuracy: float) -> None:
        self._mlflow.log_metric("accuracy", accuracy, step=number, synchronous=self._synchronous)

    def end(self) -> None:
        if not self._synchronous:
            self._mlflow.flush_async_logging()
        self._mlflow.end_run()


class FlowceptTasks(Recorder):
    """Flowcept, with a task for each batch, in its default setting: to a file at the end."""

    calls = 3

    def begin(self) -> None:
        from flowcept import Flowcept, FlowceptTask

        self._task = FlowceptTask
        self._flowcept = Flowcept(start_persistence=False, check_safe_stops=False, workflow_name="training")
        self._flowcept.start()
        self._begin_batches()

    def _begin_batches(self) -> None:
        def begin(number: int) -> Any:
            self._current = self._task(activity_id="batch", used={"epoch": self.epoch, "batch": number})
            return self._current

        self.batch = begin
        self.loss = lambda value, step: self._current.end({"loss": value})

    def end_epoch(self, number: int, accuracy: float) -> None:
        with self._task(activity_id="epoch", used={"epoch": number}) as task:
            task.end({"accuracy": accuracy})

    def end(self) -> None:
        self._flowcept.stop()


class FlowceptIterations(FlowceptTasks):
    """Flowcept, with its loop for the batches, in its default setting: to a file at the end."""

    calls = 2

    def _begin_batches(self) -> None:
        from flowcept import FlowceptLoop

        def loop(number: int) -> Iterator[int]:
            self._iterations = FlowceptLoop(range(number), loop_name="batches", item_name="batch")
            return iter(self._iterations)

        self.loop = loop
        self.loss = lambda value, step: self._iterations.end_iter({"loss": value})


class YProv4ML(Recorder):
    """yProv4ML, without its measurements of the system. It records no times of batches."""

    calls = 1

    def begin(self) -> None:
        import yprov4ml

        self._yprov = yprov4ml
        yprov4ml.start_run(
            prov_user_namespace="https://example.org/",
            experiment_name="training",
            provenance_save_dir=str(self.folder / "yprov"),
            disable_codecarbon=True,
        )
        yprov4ml.log_param("learning_rate", 0.01)
        training = yprov4ml.Context.TRAINING
        self.loss = lambda value, step: yprov4ml.log_metric("loss", value, context=training, step=step)

    def end_epoch(self, number: int, accuracy: float) -> None:
        self._yprov.log_metric("accuracy", accuracy, context=self._yprov.Context.VALIDATION, step=number)

    def end(self) -> None:
        self._yprov.end_run(create_graph=False, create_svg=False)


MAKE: dict[str, Callable[[Path], Recorder]] = {
    "bare": Recorder,
    "nothing, loop": Nothing,
    "capture to disk": Capture,
    "capture to disk, loop": lambda folder: Capture(folder, in_loop=True),
    "capture online": lambda folder: Capture(folder, os.environ["REDIS"]),
    "blocking client": Blocking,
    "MLflow, synchronous": lambda folder: MLflow(folder, synchronous=True),
    "MLflow, asynchronous": lambda folder: MLflow(folder, synchronous=False),
    "Flowcept, offline": FlowceptTasks,
    "Flowcept, offline, loop": FlowceptIterations,
    "yProv4ML": YProv4ML,
}
"""Makes each recorder, in a folder of its own."""


class _Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *words: object) -> None: ...


def serve() -> None:
    """Answer the blocking client, at a port that is printed first."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Answer)
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    serve()
