"""The graph view, which grows node by node."""
