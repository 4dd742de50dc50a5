"""The view Monitor of a resource's page: jobs over time, measurements, and anomalies."""
