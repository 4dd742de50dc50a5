"""The exit codes of commands that came to their end; those of errors are in `hpc_explorer.errors`."""

DONE = 0
FOUND_WRONG = 1
"""Done, and the answer is that something is missing or wrong."""
