"""SPARQL text to and from the query model."""
