"""Changes that were made: the journal, drafts, history and pushing."""
