"""What is known of the things in a lineage, compared between two lives and by content."""
