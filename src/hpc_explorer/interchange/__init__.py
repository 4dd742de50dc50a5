"""Handing a part of the graph over to others: what it needs to be understood, and the documents that others read.

Pure functions from a store to a document; files are found and written by `app.export`.
"""
