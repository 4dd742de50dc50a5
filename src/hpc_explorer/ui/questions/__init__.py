"""Ready questions, and the dialog that fills in their blanks."""
