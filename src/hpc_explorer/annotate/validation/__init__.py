"""Validation of resources by SHACL shapes, with messages in plain English and fixes."""
