"""Fill in forms and save them as edits."""
