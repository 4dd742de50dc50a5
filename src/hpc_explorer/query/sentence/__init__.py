"""A query as an English sentence."""
