"""Repairs for the findings of an assessment, one module per topic.

Each function takes a case and returns a repair, or None if nothing needs fixing. Facts known from the graph, a local
file or an alignment are written; other facts are asked.
"""
