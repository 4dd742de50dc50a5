"""A graph view: the part of a graph that the user has opened, as a value with undoable steps.

state     the view: nodes, links, expansions, places, filters, selection
visible   its visible part, as a scene
placing   the positions of visible nodes, which depend on the view alone
steps     the user's steps, each a function from a view to a view
patch     the difference between two views, which can be applied and undone
saved     a view as JSON, and back
"""
