"""Collect recorded provenance into a workspace."""
