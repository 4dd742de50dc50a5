"""What is in a graph: its classes with counts, and the resources of a class as a table."""
