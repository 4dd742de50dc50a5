"""Describing resources: forms, tables, models, new IRIs, validation and push."""
