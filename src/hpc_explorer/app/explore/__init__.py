"""Find and describe resources and classes."""
