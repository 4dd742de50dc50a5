"""Push changes to the file or endpoint that a graph came from, and change nothing else there."""
