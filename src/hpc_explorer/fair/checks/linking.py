"""The tests of I3: links from metadata and data to others, and whether they are qualified."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from hpc_explorer.errors import WrongEntry
from hpc_explorer.fair.checks.finding import Check, found
from hpc_explorer.fair.checks.words import say, short, terms, the_data
from hpc_explorer.fair.links import TRAINING_DATA, UNQUALIFIED, Link, data_links, links_of, spelled_links
from hpc_explorer.fair.subject import Node, Subject
from hpc_explorer.fair.surroundings import Surroundings
from hpc_explorer.fair.terms import FairFact, Role, fair4ml
from hpc_explorer.fair.values import Finding, Verdict
from hpc_explorer.ontology.common_terms import Fact, schema_org
from hpc_explorer.rdf.identifiers import IdentifierKind, recognise
from hpc_explorer.rdf.namespaces import DCTERMS, HPC, PROV, RDF
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad, Resource, is_resource

_RELATED = (DCTERMS.isPartOf, DCTERMS.references, DCTERMS.source, *schema_org("citation")[:1], PROV.wasDerivedFrom)
_TO_DATASETS = (PROV.wasDerivedFrom, DCTERMS.isVersionOf, DCTERMS.source)
_OF_MODELS = (*fair4ml("trainedOn")[:1], HPC.wasDerivedFromDataset)


def metadata_links_to_others(subject: Subject, surroundings: Surroundings) -> Finding:
    """I3-01M: there is a link to other data, a publication, or another description; text alone is a partial result."""
    test = "metadata_links_to_others"
    links = links_of(subject)
    if links:
        sentence = f"{_count(links)}, by {_terms(links)}."
        return found(test, Verdict.PASS, sentence, _evidence(links))
    spelled = spelled_links(subject)
    if spelled:
        sentence = (
            f"{terms(spelled)} {say(spelled, 'names', 'name')} what is related as text, which programs cannot follow."
        )
        return found(test, Verdict.PARTIAL, sentence, spelled, missing=_RELATED)
    sentence = "There are no links to other data, publications or descriptions."
    return found(test, Verdict.FAIL, sentence, missing=_RELATED)


def metadata_links_to_datasets(subject: Subject, surroundings: Surroundings) -> Finding:
    """I3-02M: a link target is a dataset or a model."""
    test = "metadata_links_to_datasets"
    links = links_of(subject)
    leading = [link for link in links if link.to_dataset]
    if leading:
        sentence = f"{_count(leading, 'dataset or model', 'datasets and models')}, by {_terms(leading)}."
        return found(test, Verdict.PASS, sentence, _evidence(leading))
    missing = _OF_MODELS if subject.is_model else _TO_DATASETS
    if links:
        one = len({link.target for link in links}) == 1
        calls = "does not call it" if one else "calls none of these"
        sentence = f"{_count(links)}, but the graph {calls} a dataset or a model."
        return found(test, Verdict.FAIL, sentence, _evidence(links), missing=missing)
    return found(test, Verdict.FAIL, "There are no links to other datasets or models.", missing=missing)


def metadata_links_are_qualified(subject: Subject, surroundings: Surroundings) -> Finding:
    """I3-03M: a link states the relation, or an agent is identified by ORCID or ROR."""
    test = "metadata_links_are_qualified"
    links = links_of(subject)
    qualified = [link for link in links if link.is_qualified]
    if qualified:
        sentence = f"{_terms(qualified)} {_say(qualified)} how it is related to what it links to."
        return found(test, Verdict.PASS, sentence, _evidence(qualified))
    agents = _identified_agents(subject)
    if agents:
        sentence = f"{terms(agents[:1])} says who did what, with an ORCID or ROR."
        return found(test, Verdict.PASS, sentence, agents)
    if links:
        sentence = f"{_terms(links)} {_say(links)} an unspecified relation only."
        return found(test, Verdict.PARTIAL, sentence, _evidence(links), missing=_RELATED)
    return found(test, Verdict.FAIL, "There is no link that states a relation.", missing=_RELATED)


def _identified_agents(subject: Subject) -> tuple[Quad, ...]:
    agents = {node.resource: node for node in subject.agents}
    for quad in subject.stated(Fact.CREATOR, Fact.CONTRIBUTOR, Fact.PUBLISHER, Fact.FUNDER, FairFact.CREATOR):
        for naming in _named_by(agents, quad):
            agent = naming[-1].object
            if isinstance(agent, NamedNode) and _is_of_agent(agent.value):
                return naming
            node = agents.get(agent) if is_resource(agent) else None
            for each in node.stated(Fact.IDENTIFIER, Fact.SAME_AS, Fact.URL) if node is not None else ():
                if isinstance(each.object, (Literal, NamedNode)) and _is_of_agent(each.object.value):
                    return (*naming, each)
    return ()


def _named_by(agents: Mapping[Resource, Node], quad: Quad) -> Iterator[tuple[Quad, ...]]:
    """The statements that identify each agent of a statement, including those in CodeMeta's author lists."""
    way: tuple[Quad, ...] = (quad,)
    while is_resource(way[-1].object) and (cell := agents.get(way[-1].object)) is not None:
        items = [each for each in cell.quads if each.predicate == RDF.first]
        yield from ((*way, item) for item in items)
        rest = [each for each in cell.quads if each.predicate == RDF.rest]
        if not items or not rest or rest[0] in way:
            break
        way = (*way, rest[0])
    if len(way) == 1:
        yield way


def _is_of_agent(text: str) -> bool:
    try:
        identifier = recognise(text)
    except WrongEntry:
        return False
    return identifier is not None and identifier.kind in (IdentifierKind.ORCID, IdentifierKind.ROR)


def dataset_links_are_qualified(subject: Subject, surroundings: Surroundings) -> Finding:
    """I3-04M: a link to a dataset or a model states the relation."""
    test = "dataset_links_are_qualified"
    links = [link for link in links_of(subject) if link.to_dataset]
    qualified = [link for link in links if link.is_qualified]
    missing = _OF_MODELS if subject.is_model else _TO_DATASETS
    if qualified:
        sentence = f"{_terms(qualified)} {_say(qualified)} how it is related to {_other(qualified)}."
        return found(test, Verdict.PASS, sentence, _evidence(qualified))
    if links:
        sentence = f"{_terms(links)} {_say(links)} only that there is a relation to {_other(links)}, not which."
        return found(test, Verdict.PARTIAL, sentence, _evidence(links), missing=missing)
    return found(test, Verdict.FAIL, "There is no link to another dataset or model.", missing=missing)


def data_links_to_others(subject: Subject, surroundings: Surroundings) -> Finding:
    """I3-01D: a data element links outside the dataset; for a model, a link to its training data."""
    test = "data_links_to_others"
    links = _data_links(subject)
    if links:
        things = "The model links" if subject.is_model else "Data elements link"
        sentence = f"{things} to {_targets(links)}, by {terms(links)}."
        return found(test, Verdict.PASS, sentence, links)
    return found(test, Verdict.FAIL, _no_data_links(subject), missing=_OF_MODELS if subject.is_model else ())


def data_links_are_qualified(subject: Subject, surroundings: Surroundings) -> Finding:
    """I3-02D: such a link states the relation."""
    test = "data_links_are_qualified"
    links = _data_links(subject)
    qualified = [quad for quad in links if quad.predicate not in UNQUALIFIED]
    missing = _OF_MODELS if subject.is_model else ()
    what = the_data(subject)
    if qualified:
        sentence = f"{terms(qualified)} {say(qualified)} how {what} {what.are} related to {_targets(qualified)}."
        return found(test, Verdict.PASS, sentence, qualified)
    if links:
        sentence = f"{terms(links)} {say(links)} only that there is a relation to {_targets(links)}, not which."
        return found(test, Verdict.PARTIAL, sentence, links, missing=missing)
    return found(test, Verdict.FAIL, _no_data_links(subject), missing=missing)


def _data_links(subject: Subject) -> Sequence[Quad]:
    links = data_links(subject)
    if subject.is_model:
        nodes = (subject.own, *subject.of(Role.EVALUATION))
        training = {*TRAINING_DATA, *fair4ml("evaluationDataset")}
        links += tuple(
            quad
            for node in nodes
            for quad in node.quads
            if quad.predicate in training and isinstance(quad.object, NamedNode)
        )
    return links


def _no_data_links(subject: Subject) -> str:
    if subject.is_model:
        return "The model has no link to its training data."
    if not subject.elements.nodes:
        return "No data are in the graph, so they have no links."
    return "No data element links outside its dataset."


def _count(links: Sequence[Link], one: str = "related resource", many: str = "related resources") -> str:
    targets = len({link.target for link in links})
    return f"It links to {targets} {one if targets == 1 else many}"


def _terms(links: Iterable[Link]) -> str:
    return terms(_leading(links))


def _say(links: Iterable[Link]) -> str:
    return say(_leading(links))


def _leading(links: Iterable[Link]) -> list[Quad]:
    return [next((quad for quad in link.evidence if quad.object == link.target), link.evidence[0]) for link in links]


def _evidence(links: Iterable[Link]) -> list[Quad]:
    return [quad for link in links for quad in link.evidence]


def _other(links: Sequence[Link]) -> str:
    targets = len({link.target for link in links})
    return "another dataset or model" if targets == 1 else f"{targets} other datasets and models"


def _targets(links: Sequence[Quad]) -> str:
    targets = list(dict.fromkeys(str(getattr(quad.object, "value", "")) for quad in links))
    return short(targets[0]) if len(targets) == 1 else f"{len(targets):,} resources outside it"


CHECKS: Mapping[str, Check] = {
    check.__name__: check
    for check in (
        metadata_links_to_others,
        data_links_to_others,
        metadata_links_to_datasets,
        data_links_are_qualified,
        metadata_links_are_qualified,
        dataset_links_are_qualified,
    )
}
"""By their names in the indicators' table."""
