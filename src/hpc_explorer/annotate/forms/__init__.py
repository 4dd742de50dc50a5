"""Forms made from the graph: the fields of a resource, their allowed values and their input."""
