"""Everything that follows from a graph by rules: relations as arrays, joins, and the fixpoint."""
