"""What the file of a model says of it, read without running any of it, and as statements."""
