"""The query model: a SPARQL query as a value that can be built by pointing, told in a sentence and written as text.

`paths` and `conditions` are the parts of `patterns`; a `query` holds a group of patterns and what is done with their
solutions; `places` finds and changes one element of it.
"""
