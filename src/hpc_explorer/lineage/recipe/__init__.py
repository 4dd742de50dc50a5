"""How a thing was made, as a value."""
