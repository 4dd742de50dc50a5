"""The progress of recorded runs."""
