"""The vocabulary of everything above: terms, prefixes and aliases, files in and out, quantities."""

import logging
import warnings

# A literal that is not as its datatype wants it is a finding, or a row without a value. rdflib also logs it with a
# traceback, or warns of it; nothing of that may reach a terminal. This is the one place: whoever uses rdflib for this
# program has imported this package before.
logging.getLogger("rdflib.term").addFilter(lambda record: record.levelno > logging.WARNING)
warnings.filterwarnings("ignore", category=UserWarning, module=r"rdflib\.")
