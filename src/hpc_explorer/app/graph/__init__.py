"""The graph view: expand nodes, find paths, save views, and render pictures."""
