"""Facets: what can be said next of one variable of a query, from what exists, with counts; and what empties a query.

`options` has the values; `suggestions` asks for them, of a store with columns through `by_columns`, of any other by the
queries of `by_sparql`; `histogram` puts numbers, dates and quantities into bins; `relaxing` finds the conditions that
leave nothing; `click_plan` puts together what one click asks for.
"""
