"""MLflow tracking stores, read and written."""
