"""Facts by column: what a graph says, kept beside its store in the tables of an analytical engine (DuckDB).

A store of triples is quick at walking from one thing to the next, and slow at sums over millions. The same facts by
column are the other way round. So a large workspace keeps both: the triples are the truth, and the columns, built from
them when they are loaded and kept in step with each edit, answer what is a sum (decision 0028).
"""
