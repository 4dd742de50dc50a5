"""HPC Explorer: trace, ask, annotate, check and hand over RDF graphs about models, data and machines."""

__version__ = "0.1.0"
