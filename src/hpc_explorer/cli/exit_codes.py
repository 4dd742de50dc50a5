"""Exit codes of completed commands; those of errors are in `hpc_explorer.errors`."""

DONE = 0
FOUND_WRONG = 1
"""Completed, and something is missing or wrong."""
