"""The label index, and words that a misspelled word may mean."""
