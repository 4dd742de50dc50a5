"""Describing resources: forms and tables, the IRIs they mint, and what they change in a graph."""
