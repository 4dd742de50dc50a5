"""OpenLineage events, read and written."""
