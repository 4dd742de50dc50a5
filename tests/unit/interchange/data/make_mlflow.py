"""Make mlruns-* and mlflow-*.sql with the real package: `python make_mlflow.py file:$PWD/mlruns`, or `sqlite:///...`.

Run it in an environment with mlflow 3.17 (and scikit-learn), or with mlflow-skinny 2.9.2; MLflow 3.17 needs
MLFLOW_ALLOW_FILE_STORE=true for the file store. Pickles and environment files were removed from the result, and of the
databases only the tables that are read are kept, as SQL.
"""

import pathlib
import sys
import tempfile

import mlflow
import numpy as np

mlflow.set_tracking_uri(sys.argv[1])
mlflow.set_experiment("salt bodies")
is_three = mlflow.__version__.startswith("3")
features = np.arange(20.0).reshape(10, 2)
targets = features.sum(1)


class Echo(mlflow.pyfunc.PythonModel):
    def predict(self, context, model_input, params=None):
        return model_input


with mlflow.start_run(run_name="train"):
    mlflow.log_params({"learning_rate": 0.01, "optimizer": "adam"})
    for step in range(3):
        mlflow.log_metric("loss", 1 / (step + 1), step=step)
    mlflow.set_tag("team", "seismic")
    notes = pathlib.Path(tempfile.mkdtemp()) / "notes.txt"
    notes.write_text("hello")
    mlflow.log_artifact(str(notes))
    if is_three:
        from mlflow.data.numpy_dataset import from_numpy
        from sklearn.linear_model import LinearRegression

        mlflow.log_input(from_numpy(features, targets=targets, name="tiles"), context="training")
        model = LinearRegression().fit(features, targets)
        mlflow.sklearn.log_model(model, name="model", registered_model_name="salt")
    else:
        mlflow.pyfunc.log_model("model", python_model=Echo(), pip_requirements=[])
    with mlflow.start_run(run_name="fold 1", nested=True):
        mlflow.log_param("fold", 1)
        mlflow.log_metric("accuracy", 0.9)
