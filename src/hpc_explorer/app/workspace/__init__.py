"""The open session and its workspace: open, load, mirror and close sources."""
