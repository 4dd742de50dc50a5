"""The SPARQL editor."""
