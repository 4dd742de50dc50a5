"""Forms that describe resources."""
