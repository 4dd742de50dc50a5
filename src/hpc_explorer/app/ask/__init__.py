"""Ask in English: read a sentence about the open graph, and run its workflow."""
