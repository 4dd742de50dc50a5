"""Write the graph or a picture to a file."""
