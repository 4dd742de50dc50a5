"""Make yprov4ml.json by yprov4ml 3.2: `python make_yprov.py`."""

import yprov4ml

yprov4ml.start_run(prov_user_namespace="www.example.org", experiment_name="salt", provenance_save_dir="yprov")
yprov4ml.log_param("learning_rate", 0.01)
for epoch in range(2):
    yprov4ml.log_metric("loss", 1 / (epoch + 1), "training", step=epoch)
yprov4ml.end_run(create_graph=False, create_svg=False)
