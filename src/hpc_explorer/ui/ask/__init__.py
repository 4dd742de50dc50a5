"""Ask in English: the line, the readings, and the way to the query."""
