"""A copy of a graph in the tables of a column engine (DuckDB), for aggregates over millions of statements.

A triple store is fast at following links and slow at aggregates; columns are the opposite. A large workspace keeps
both. The triples are authoritative; the columns are built from them and follow each edit (decision 0028).
"""
