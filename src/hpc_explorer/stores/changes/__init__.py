"""Change sets, the journal, versions of sources, and the manifest of a workspace."""
