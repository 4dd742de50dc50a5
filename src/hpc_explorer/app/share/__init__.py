"""One web page about a resource, to send to someone who has neither the program nor the graph."""
