"""The widget that shows a scene: painting, mouse, keys and accessibility."""
