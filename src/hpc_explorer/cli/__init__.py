"""The same operations as the window's, from a terminal."""
