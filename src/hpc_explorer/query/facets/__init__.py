"""Facets: the possible next steps for a variable of a query, with counts, and the conditions that leave no rows.

`suggestions` finds the `options`, using `by_columns` for stores with columns and `by_sparql` for others; `histogram`
puts numbers, dates and quantities into bins; `relaxing` finds conditions that leave nothing; `click_plan` collects what
one click shows.
"""
