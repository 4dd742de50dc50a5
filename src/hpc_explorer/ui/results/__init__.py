"""Rows, answers and plots."""
