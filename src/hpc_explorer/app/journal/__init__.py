"""Edit, undo, read the journal, and push changes to their sources."""
