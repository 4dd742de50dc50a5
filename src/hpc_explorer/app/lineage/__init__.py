"""Trace lineage, fold it into phases, and answer questions about it: impact, comparison, recipes."""
