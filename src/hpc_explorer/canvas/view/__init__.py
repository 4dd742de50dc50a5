"""A graph view: the part of a graph that a person laid open, as a value that every step changes and can be undone.

state     what a view is: nodes, links, what was opened where, places, filters, selection
visible   what of it is to be drawn just now, as a scene
placing   where what is drawn stands: the picture of a view depends on the view alone
steps     what a person does to it, each a function from a view to a view
patch     the difference between two views, which can be carried out and taken back
saved     a view as JSON, and back
"""
