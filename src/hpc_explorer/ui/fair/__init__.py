"""FAIR assessments, the plan to raise a score, and repairs."""
