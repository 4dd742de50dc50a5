"""The records of a spool, by kind; each is a JSON array.

Each record can be understood without the others, so their order does not matter, and reading one twice changes nothing.

| kind | items after the kind |
|---|---|
| `run` | activity, time, details: name, persons, process, job, study, learning task, ranks, within |
| `surroundings` | activity, git commit, versions of the imported software |
| `specification` | run, the plan (`hpc_explorer.capture.specification`) |
| `begin` | activity, time, details: name, tag |
| `end` | activity, time, error or null |
| `batch` | activity, time of the beginning, time of the end, error or null |
| `metric` | activity, name, value, number, time, step or null |
| `parameter` | activity, name, value, number, `hyperparameter` or `value` |
| `file` | activity, `input`, `output`, `model` or `characteristic`, details: path, address or memory, sha256, size, … |
| `lost` | the number of records that were not recorded, and why |

Activities are identified by paths (`hpc_explorer.capture.activities`), times are nanoseconds since 1970.
"""

KINDS = frozenset(
    {"run", "surroundings", "specification", "begin", "end", "batch", "metric", "parameter", "file", "lost"}
)
