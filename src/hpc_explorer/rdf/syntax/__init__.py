"""RDF files in and out: Turtle, TriG, N-Triples, N-Quads, N3, RDF/XML and JSON-LD."""
