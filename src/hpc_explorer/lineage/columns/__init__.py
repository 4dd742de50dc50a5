"""Impact and sections answered from the columns of a large workspace."""
