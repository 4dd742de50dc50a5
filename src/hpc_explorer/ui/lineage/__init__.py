"""The lineage of a resource: its picture, its phases, its timeline, and the answers to questions about it."""
