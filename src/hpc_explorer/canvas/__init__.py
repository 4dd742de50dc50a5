"""A picture of part of the graph as a value: scene, layout, picture, and the picture as SVG or PNG. No Qt."""
