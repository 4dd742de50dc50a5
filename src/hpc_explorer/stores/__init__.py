"""Where triples live: one contract (`base`), and the stores that satisfy it."""
