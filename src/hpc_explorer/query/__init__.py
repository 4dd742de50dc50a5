"""A question as a value: its text with blanks, what may stand in them, and the table that answers it."""
