"""RDF basics: terms, prefixes, aliases, quantities, and reading and writing files."""

import logging
import warnings

# rdflib logs an ill-formed literal with a traceback, or warns about it. The program reports such literals itself, so
# rdflib's messages are silenced here: every module that uses rdflib imports this package first.
logging.getLogger("rdflib.term").addFilter(lambda record: record.levelno > logging.WARNING)
warnings.filterwarnings("ignore", category=UserWarning, module=r"rdflib\.")
