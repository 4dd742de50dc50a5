"""A SPARQL endpoint as a store."""
