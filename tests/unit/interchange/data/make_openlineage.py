"""Make openlineage.ndjson by openlineage-python 1.54: `python make_openlineage.py openlineage.ndjson`."""

import sys
from datetime import UTC, datetime

from openlineage.client.event_v2 import InputDataset, Job, OutputDataset, Run, RunEvent, RunState
from openlineage.client.facet_v2 import parent_run, schema_dataset, sql_job
from openlineage.client.serde import Serde

RUN, PARENT = (f"01941f29-7c00-7efa-8000-00000000000{number}" for number in (1, 2))
job = Job(namespace="hpc", name="train", facets={"sql": sql_job.SQLJobFacet(query="SELECT 1")})
parent = parent_run.ParentRunFacet(
    run=parent_run.Run(runId=PARENT), job=parent_run.Job(namespace="hpc", name="campaign")
)
run = Run(runId=RUN, facets={"parent": parent})
fields = [schema_dataset.SchemaDatasetFacetFields(name="x", type="FLOAT")]
schema = schema_dataset.SchemaDatasetFacet(fields=fields)
tiles = InputDataset(namespace="s3://bucket", name="tiles.npz", facets={"schema": schema})
model = OutputDataset(namespace="s3://bucket", name="model.onnx")
events = [
    RunEvent(
        eventTime=datetime(2025, 1, 1, hour, tzinfo=UTC).isoformat(),
        producer="https://example.org",
        run=run,
        job=job,
        eventType=state,
        inputs=inputs,
        outputs=outputs,
    )
    for hour, state, inputs, outputs in ((8, RunState.START, [tiles], []), (9, RunState.COMPLETE, [], [model]))
]
with open(sys.argv[1], "w") as stream:
    for event in events:
        stream.write(Serde.to_json(event) + "\n")
