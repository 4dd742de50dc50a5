"""Propose repairs for the findings of an assessment, with questions and changes.

Facts known from the graph, a local file or an alignment are written at once; other facts are asked. New statements use
the vocabulary of the description and go to its graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hpc_explorer.errors import WrongEntry
from hpc_explorer.fair.assessment import Assessment
from hpc_explorer.fair.repairs import description, files, identity, licence, provenance, vocabulary
from hpc_explorer.fair.repairs.asking import Ask, AskKind, Choice, terms_for
from hpc_explorer.fair.repairs.case import Repair, case_of, with_change
from hpc_explorer.fair.subject import Subject
from hpc_explorer.fair.surroundings import NO_SURROUNDINGS, Surroundings
from hpc_explorer.rdf.terms import GraphName, Term

__all__ = ["Ask", "AskKind", "Choice", "Repair", "example_answers", "filled", "repairs", "repairs_of", "terms_for"]

_MAKERS = (
    vocabulary.misspelt_terms,
    identity.doi,
    identity.record_identifier,
    licence.licence,
    description.core,
    description.access,
    files.file,
    files.archive,
    identity.landing_page,
    provenance.in_prov,
    provenance.derivation,
    provenance.activity,
    provenance.creation,
    provenance.links_in_texts,
    provenance.publication,
    provenance.agents,
    files.columns,
    files.inputs,
    files.rows,
    vocabulary.standard,
    vocabulary.domain_class,
    vocabulary.unknown_terms,
    description.discovery,
    identity.catalogue,
    identity.preservation,
)


def repairs(
    assessment: Assessment,
    subject: Subject,
    surroundings: Surroundings = NO_SURROUNDINGS,
    *,
    graph: GraphName | None = None,
) -> tuple[Repair, ...]:
    """Propose repairs for the findings that do not pass, those with the most gain first.

    Args:
        graph: the graph for new statements; None: the one with most statements about the resource.
    """
    case = case_of(subject, surroundings, assessment.findings, graph)
    return tuple(repair for make in _MAKERS if (repair := make(case)) is not None)


def repairs_of(found: Iterable[Repair], indicator: str) -> tuple[Repair, ...]:
    """The repairs for one indicator, those without questions first. Some indicators need several."""
    return tuple(
        sorted((repair for repair in found if indicator in repair.indicators), key=lambda each: each.change is None)
    )


def filled(repair: Repair, given: Mapping[Ask, str]) -> Repair:
    """Return a repair with the change for the given answers and the known facts.

    Args:
        given: typed texts by question; empty texts are ignored.

    Raises:
        WrongEntry: an answer has the wrong type or belongs to another repair.
    """
    terms: dict[str, tuple[Term, ...]] = {}
    for ask, text in given.items():
        if ask not in repair.asks:
            raise WrongEntry(f"the repair {repair.name!r} does not ask this", ask.question, "answer what it asks")
        if text.strip():
            terms[ask.name] = terms_for(ask, text)
    return with_change(repair, terms)


def example_answers(repair: Repair) -> dict[Ask, str]:
    """An example answer to each question, for planning."""
    return {ask: ask.example for ask in repair.asks}
