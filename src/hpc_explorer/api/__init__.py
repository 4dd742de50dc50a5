"""The public Python interface: what `import hpc_explorer as hx` offers. See docs/guide/python.md."""
