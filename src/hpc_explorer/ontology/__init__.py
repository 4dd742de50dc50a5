"""What the graph's classes and properties are: names, schema, hierarchy."""
