"""Lineage as of a moment, and as it was recorded then."""
