"""The guided query builder."""
