"""Browse the graph: the class tree, lists of instances, and the inspector of one resource."""
