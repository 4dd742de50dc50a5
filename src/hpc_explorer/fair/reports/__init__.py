"""Assessment reports: a page, a table, DQV and FAIR Test Results statements, a badge."""
