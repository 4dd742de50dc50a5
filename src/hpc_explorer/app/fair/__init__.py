"""Assess how FAIR a resource is, keep the history, and apply repairs."""
