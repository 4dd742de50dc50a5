"""What a dataset, file, script or machine reached, and the projects of models."""
