"""Reading and writing RDF files: Turtle, TriG, N-Triples, N-Quads, N3, RDF/XML and JSON-LD."""
