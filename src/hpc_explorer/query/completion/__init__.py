"""Completion of SPARQL at a cursor."""
