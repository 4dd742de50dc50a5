"""Make wandb/ with the real package, offline: `WANDB_MODE=offline python make_wandb.py`."""

import pathlib

import wandb

run = wandb.init(
    project="salt",
    name="train",
    config={"learning_rate": 0.01, "optimizer": "adam"},
    mode="offline",
    settings=wandb.Settings(x_disable_stats=True, x_disable_meta=False, console="off"),
)
for step in range(3):
    run.log({"loss": 1 / (step + 1)})
path = pathlib.Path("model.txt")
path.write_text("weights")
artifact = wandb.Artifact("salt-model", type="model")
artifact.add_file(str(path))
run.log_artifact(artifact)
run.summary["best"] = 0.33
run.finish()
