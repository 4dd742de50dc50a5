"""Performance models, detectors and events of running workflows, as values."""
