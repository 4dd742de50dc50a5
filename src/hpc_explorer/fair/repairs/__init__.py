"""What would mend what an assessment found: one module for each kind of thing that is written.

Each mend is a function of a case to a repair, or to None where there is nothing to mend. Facts that the graph, a file
of this machine or an alignment knows are written; facts that only a person knows are asked.
"""
