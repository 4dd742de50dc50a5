"""The findings of validation."""
