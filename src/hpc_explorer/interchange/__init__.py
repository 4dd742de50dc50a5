"""Export a part of the graph for other programs: its context, and documents in common formats.

Pure functions from a store to a document; `app.export` reads and writes files.
"""
