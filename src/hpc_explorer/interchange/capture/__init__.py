"""Turn the records of `hpc_explorer.capture` into PROV-ML."""
