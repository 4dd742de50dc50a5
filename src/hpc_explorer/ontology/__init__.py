"""The classes and properties of the graph: labels, schema, hierarchy, inference."""
