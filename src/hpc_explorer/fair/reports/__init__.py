"""An assessment written for others: a page, a table, statements of DQV and FAIR Test Results, a badge."""
