"""Where a thing comes from and what came of it, over every provenance vocabulary at once."""
