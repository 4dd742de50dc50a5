"""Forms made from the graph: which fields a resource has, what may stand in them, and how it is typed."""
