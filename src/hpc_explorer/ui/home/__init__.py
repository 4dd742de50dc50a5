"""The home of a graph: classes, a table of resources, recent resources, questions and unsaved forms."""
