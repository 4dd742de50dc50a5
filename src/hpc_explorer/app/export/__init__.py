"""Export the graph, resources or a lineage, also as RO-Crate, Croissant and schema.org."""
