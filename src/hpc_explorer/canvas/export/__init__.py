"""Pictures as SVG, PNG, PDF and GraphML."""
