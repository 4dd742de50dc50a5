"""The adapters, with the real libraries; each test is skipped by name where its library is missing."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

from hpc_explorer.capture.spool import Record
from tests.helpers.recorded import of_kind, records_in, run_program, statements_of


def recorded(code: str, folder: Path, *libraries: str) -> list[Record]:
    """The records of a program that uses these libraries."""
    for name in libraries:
        if importlib.util.find_spec(name) is None:
            missing = f"{name} is missing: `make test-adapters` gets it"
            if os.environ.get("HPC_EXPLORER_TEST_ADAPTERS"):
                pytest.fail(missing)
            pytest.skip(missing)
    env = {"WORK": str(folder), "KERAS_BACKEND": "torch", "MLFLOW_TRACKING_URI": f"sqlite:///{folder}/mlflow.db"}
    said = run_program("os.chdir(os.environ['WORK'])\n" + code, folder / "spool", env, libraries=True)
    assert "hpc-explorer-capture" not in said
    return records_in(folder / "spool")


def values(records: list[Record], kind: str) -> dict[str, object]:
    return {record[2]: record[3] for record in of_kind(records, kind)}


def steps(records: list[Record], part: str) -> list[str]:
    """The activities whose last part is of a kind."""
    found = [record[1] for record in records if record[0] in ("begin", "batch")]
    return [path for path in found if path.rpartition("/")[2].startswith(part)]


def models(records: list[Record]) -> list[dict[str, object]]:
    return [record[3] for record in of_kind(records, "file") if record[2] == "model"]


def test_scikit_learn(tmp_path: Path) -> None:
    code = """
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
capture.sklearn.autolog()
from sklearn.pipeline import make_pipeline
X = np.random.default_rng(1).normal(size=(60, 2)); y = (X.sum(axis=1) > 0).astype(int)
model = LogisticRegression(C=0.5).fit(X, y)
score = model.score(X, y)
make_pipeline(StandardScaler(), LogisticRegression(C=0.25)).fit(X, y)
print(score)
"""
    records = recorded(code, tmp_path, "sklearn")
    assert len(of_kind(records, "run")) == 3
    assert len(steps(records, "stage:training")) == 2
    assert len(steps(records, "stage:evaluation")) == 1
    assert [record[3] for record in of_kind(records, "parameter") if record[2] == "C"] == [0.5]
    assert "n_iter" not in values(records, "metric") or values(records, "metric")["n_iter"]
    score = values(records, "metric")["score"]
    assert isinstance(score, float)
    assert 0.9 < score <= 1
    assert len(models(records)) == 2
    lines = statements_of(records)
    generated = {line.split()[0] for line in lines if "wasGeneratedBy" in line and "/model:" in line}
    used = {line.split()[2] for line in lines if "#used>" in line and "/model:" in line}
    assert used < generated


@pytest.mark.slow
def test_scikit_learn_within_a_stage_of_ones_own(tmp_path: Path) -> None:
    code = """
import numpy as np
from sklearn.linear_model import LinearRegression
capture.sklearn.autolog()
with capture.workflow("w"), capture.stage("training"):
    LinearRegression().fit(np.eye(3), np.arange(3))
try:
    LinearRegression().fit(np.eye(3), np.arange(4))
except ValueError:
    print("as without recording")
"""
    records = recorded(code, tmp_path, "sklearn")
    assert [path.split("/")[1:] for path in steps(records, "stage:")] == [["stage:training.1"], ["stage:training.1"]]
    assert sum("ValueError" in str(record[3]) for record in of_kind(records, "end")) == 2


def test_pytorch(tmp_path: Path) -> None:
    code = """
import torch
model = torch.nn.Linear(2, 1); optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(12, 2), torch.randn(12, 1)), batch_size=4)
with capture.workflow("w"), capture.stage("training"):
    capture.torch.log_module(model)
    capture.torch.log_optimizer(optimizer)
    for number in capture.epochs(range(2)):
        for x, y in capture.batches(data):
            loss = ((model(x) - y) ** 2).mean(); optimizer.zero_grad(); loss.backward(); optimizer.step()
            capture.log_metric("loss", loss)
        capture.torch.save(model.state_dict(), f"{number}.pt")
capture.configure()
with capture.workflow("use"), capture.stage("evaluation"):
    capture.torch.load("1.pt")
"""
    records = recorded(code, tmp_path, "torch")
    assert len(steps(records, "batch:")) == 6
    assert values(records, "parameter")["lr"] == 0.1
    assert values(records, "parameter")["trainable parameters"] == 3
    assert all(isinstance(record[3], float) for record in of_kind(records, "metric"))
    assert [model["format"] for model in models(records)] == ["PyTorch"] * 2
    used = [record[3]["sha256"] for record in of_kind(records, "file") if record[2] == "input"]
    assert used == [models(records)[1]["sha256"]]


def test_lightning(tmp_path: Path) -> None:
    code = """
import torch, lightning
class Net(lightning.LightningModule):
    def __init__(self, lr=0.1):
        super().__init__(); self.save_hyperparameters(); self.net = torch.nn.Linear(2, 1)
    def training_step(self, batch, number):
        loss = ((self.net(batch[0]) - batch[1]) ** 2).mean(); self.log("train_loss", loss); return loss
    def validation_step(self, batch, number):
        self.log("val_loss", ((self.net(batch[0]) - batch[1]) ** 2).mean())
    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.hparams.lr)
data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(12, 2), torch.randn(12, 1)), batch_size=4)
trainer = lightning.Trainer(max_epochs=2, accelerator="cpu", logger=False, enable_progress_bar=False,
    enable_model_summary=False, log_every_n_steps=1, callbacks=[capture.lightning.CaptureCallback()])
trainer.fit(Net(), data, data)
"""
    records = recorded(code, tmp_path, "lightning")
    assert len(steps(records, "batch:")) == 6
    assert len([path for path in steps(records, "epoch:") if "validation" not in path]) == 2
    assert len([path for path in steps(records, "epoch:") if "validation" in path]) == 2
    assert values(records, "parameter")["lr"] == 0.1
    assert {"loss", "val_loss"} <= values(records, "metric").keys()
    assert models(records)
    assert len(of_kind(records, "run")) == 1


def test_keras(tmp_path: Path) -> None:
    code = """
import numpy, keras
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(optimizer=keras.optimizers.SGD(0.1), loss="mse")
x, y = numpy.random.rand(12, 2), numpy.random.rand(12, 1)
model.fit(x, y, epochs=2, batch_size=4, verbose=0, validation_data=(x, y), callbacks=[capture.keras.CaptureCallback()])
"""
    records = recorded(code, tmp_path, "keras")
    assert len(steps(records, "batch:")) == 6
    assert len([path for path in steps(records, "epoch:") if "validation" in path]) == 2
    assert {"loss", "val_loss"} <= values(records, "metric").keys()
    assert abs(float(str(values(records, "parameter")["learning_rate"])) - 0.1) < 1e-6
    assert len(of_kind(records, "end")) == len(of_kind(records, "begin")) + len(of_kind(records, "run"))


def test_transformers(tmp_path: Path) -> None:
    code = """
import torch, transformers
config = transformers.BertConfig(vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=1,
    intermediate_size=8, num_labels=2)
model = transformers.BertForSequenceClassification(config)
data = [{"input_ids": [1, 2, 3], "labels": number % 2} for number in range(8)]
args = transformers.TrainingArguments("out", num_train_epochs=2, per_device_train_batch_size=4, logging_steps=1,
    eval_strategy="epoch", save_strategy="epoch", report_to=[], use_cpu=True, disable_tqdm=True)
transformers.Trainer(model, args, train_dataset=data, eval_dataset=data,
    callbacks=[capture.transformers.CaptureCallback()]).train()
"""
    records = recorded(code, tmp_path, "transformers")
    assert len(steps(records, "batch:")) == 4
    assert {"loss", "eval_loss"} <= values(records, "metric").keys()
    assert "learning_rate" in values(records, "parameter")
    assert [model["format"] for model in models(records)] == ["folder"] * 2


def test_mlflow(tmp_path: Path) -> None:
    code = """
import mlflow
from pathlib import Path
capture.mlflow.mirror()
with mlflow.start_run(run_name="fit") as run:
    mlflow.log_param("depth", 3)
    mlflow.log_params({"rate": 0.1})
    for step in range(3):
        mlflow.log_metric("loss", 1.0 / (step + 1), step=step)
    mlflow.log_metrics({"accuracy": 0.5})
    Path("model.txt").write_text("model")
    mlflow.log_artifact("model.txt")
assert mlflow.get_run(run.info.run_id).data.params["depth"] == "3"
"""
    records = recorded(code, tmp_path, "mlflow")
    (run,) = of_kind(records, "run")
    assert run[3]["name"] == "fit"
    assert {"depth", "rate", "MLflow run"} <= values(records, "parameter").keys()
    losses = [(record[6], record[3]) for record in of_kind(records, "metric") if record[2] == "loss"]
    assert losses == [(0, 1.0), (1, 0.5), (2, 1.0 / 3)]
    assert values(records, "metric")["accuracy"] == 0.5
    assert [record[3]["path"] for record in of_kind(records, "file")] == [str(tmp_path / "model.txt")]
