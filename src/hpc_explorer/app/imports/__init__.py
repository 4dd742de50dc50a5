"""Turn tables and model files into statements."""
