"""A lineage folded into phases and sections."""
