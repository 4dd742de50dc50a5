"""Validate the graph against shapes."""
