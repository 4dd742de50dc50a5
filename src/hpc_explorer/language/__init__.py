"""Questions and workflows in English.

`words` cuts a sentence into tokens; `terms` holds the words of a graph, `lexicon` those of English; `matching` finds
both in the sentence; `chart` combines them by the rules of `grammar` into the meanings of `meaning`; `questions` turns
these into queries, and `steps` into the expressions of `expressions`. `reading` is the whole way.
"""
