"""Ready questions: a query with blanks, its file format, and its answer."""
