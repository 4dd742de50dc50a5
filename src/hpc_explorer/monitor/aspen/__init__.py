"""A subset of the Aspen language for performance models (seed 003, section II)."""
