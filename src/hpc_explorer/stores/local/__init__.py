"""The local store: Oxigraph in memory or on disk, loading, and queries that can be stopped."""
