"""Push: what was changed here goes into the file or endpoint it came from, and nothing else there changes."""
