"""Questions 1, 5 and 7 of seed 004 (section 2), with PROV-ML and without, for the graph of `provml_graph.py`.

They are the ready questions that ship with the program (ontology/questions/prov-ml.ttl).
"""

from __future__ import annotations

from provml_graph import model_of, slices_of


def questions(scale: str, *, with_provml: bool, workflow: int = 0) -> dict[str, str]:
    """The three questions as SPARQL 1.1, about one of the eight workflows, by their numbers in the paper."""
    from hpc_explorer.query.questions.asking import complete_text
    from hpc_explorer.query.questions.library import named_question, shipped_questions
    from hpc_explorer.query.questions.question import Value
    from hpc_explorer.rdf.namespaces import XSD
    from hpc_explorer.rdf.terms import Literal, NamedNode

    first, last = (Literal(str(number), datatype=XSD.integer) for number in slices_of(workflow))
    slices: dict[str, Value] = {"firstSlice": first, "lastSlice": last}
    values: dict[str, dict[str, Value]] = {"Q1": {"model": NamedNode(model_of(scale))}, "Q5": slices, "Q7": slices}
    texts = {}
    for name, chosen in values.items():
        question = named_question(shipped_questions(), f"prov-ml-{name.lower()}")
        texts[name] = complete_text(question, question.variants[0 if with_provml else 1], chosen)
    return texts
