"""A SPARQL query as a value.

`paths` and `conditions` are the parts of `patterns`; a `query` has a group of patterns and solution modifiers; `places`
finds and changes one element.
"""
