"""Tracing: the vocabulary of derivation, the trace of a resource, and paths."""
