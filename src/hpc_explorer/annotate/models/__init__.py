"""Read the metadata of model files without running them, and describe it as statements."""
