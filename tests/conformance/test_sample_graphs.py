"""The sample graphs hold together: terms, names, marks, lineage and dates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

import pytest
from pyoxigraph import CanonicalizationAlgorithm, Dataset

from hpc_explorer.ontology.labels import LABEL_PREDICATES
from hpc_explorer.rdf.namespaces import HPC, OWL, PROVLAKE, PROVML, QUDT, RDF, RDFS, UNIT
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Term, Triple
from hpc_explorer.shipped import shipped_folder
from hpc_explorer.stores.local.loading import load_content
from hpc_explorer.stores.local.local import LocalStore

FOLDER = shipped_folder("sample_graphs")
STORIES = ("xplacer", "nsf", "npb", "fugaku", "seismic", "campaign")
ASSESSED = ("xplacer-before", "xplacer-after")
RESULTS = ("campaign-fair",)
WATCHED = ("sns",)
SAMPLES = (*STORIES, *ASSESSED, *RESULTS, *WATCHED)
MARKS = (HPC.illustrative, HPC.illustrativeProperty)
PREFIXES = """
PREFIX hpc: <https://hpc-fair.github.io/ontology#>
PREFIX prov: <http://www.w3.org/ns/prov#>
PREFIX provlake: <https://example.org/provlake#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
"""


def loaded(*files: Path) -> LocalStore:
    store = LocalStore.in_memory()
    for file in files:
        load_content(store, read_source(file), NamedNode(f"urn:{file.stem}"))
    return store


@pytest.fixture(scope="module")
def graphs() -> dict[str, LocalStore]:
    return {name: loaded(FOLDER / f"{name}.ttl") for name in SAMPLES}


@pytest.fixture(scope="module")
def ontology() -> LocalStore:
    return loaded(*sorted(shipped_folder("ontology").glob("*.ttl")))


def rows(store: LocalStore, query: str) -> list[tuple[str, ...]]:
    """The values of a query's rows, as text."""
    answer = store.select(PREFIXES + query)
    return sorted(tuple(row[column].value for column in answer.variables) for row in answer)  # type: ignore[union-attr]


def described(store: LocalStore) -> set[NamedNode]:
    """The IRIs that the graph says something of."""
    return {quad.subject for quad in store.match() if isinstance(quad.subject, NamedNode)}


def test_the_folder_holds_exactly_the_samples_and_their_readme() -> None:
    answers = {*(f"{name}.fair.toml" for name in ASSESSED), *(f"{name}-series.csv" for name in WATCHED)}
    assert {file.name for file in FOLDER.iterdir()} == {f"{name}.ttl" for name in SAMPLES} | {"README.md"} | answers
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(f"## {name}" in readme for name in SAMPLES)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_term_of_ours_is_defined(name: str, graphs: dict[str, LocalStore], ontology: LocalStore) -> None:
    used = {
        term
        for quad in graphs[name].match()
        for term in (quad.predicate, quad.object)
        if isinstance(term, NamedNode) and term.value.startswith((HPC, PROVML, PROVLAKE, UNIT))
    }
    assert used or name in ("xplacer-before", *RESULTS)
    assert sorted(term.value for term in used - described(ontology)) == []


# Listing 5 writes a bare number and a string where Table XI has a quantity and an integer.
LISTING_5 = {HPC.allocatedDataSize, HPC.codeVariant}
# Ranges that every value of their kind has, without saying so.
ANYTHING = {OWL.Thing, RDFS.Literal, RDF.Property}


@pytest.mark.parametrize("name", ["xplacer", "nsf", "npb", "fugaku", "campaign"])
def test_values_are_of_the_kind_that_the_ontology_says(
    name: str, graphs: dict[str, LocalStore], ontology: LocalStore
) -> None:
    compared = 0
    for quad in graphs[name].match():
        expected = {statement.object for statement in ontology.match(quad.predicate, RDFS.range)}
        if not expected or expected & ANYTHING or quad.predicate in LISTING_5:
            continue
        if isinstance(quad.object, Literal):
            kinds = {quad.object.datatype}
        else:
            assert not isinstance(quad.object, Triple)
            kinds = {
                superclass
                for graph in (graphs[name], ontology)
                for statement in graph.match(quad.object, RDF.type)
                for superclass in superclasses(ontology, statement.object)
            }
        assert kinds & expected, f"{quad.subject} {quad.predicate} {quad.object}"
        compared += 1
    assert compared > 100


def superclasses(ontology: LocalStore, cls: Term | Triple) -> set[Term | Triple]:
    """A class and all classes above it."""
    found: set[Term | Triple] = set()
    open_ends = [cls]
    while open_ends:
        here = open_ends.pop()
        if here not in found and isinstance(here, NamedNode):
            found.add(here)
            open_ends += [statement.object for statement in ontology.match(here, RDFS.subClassOf)]
    return found


@pytest.mark.parametrize("name", SAMPLES)
def test_every_resource_is_typed_and_named(name: str, graphs: dict[str, LocalStore]) -> None:
    graph = graphs[name]
    for resource in described(graph):
        predicates = {quad.predicate for quad in graph.match(resource)}
        assert RDF.type in predicates, f"{resource} has no type"
        assert predicates & set(LABEL_PREDICATES), f"{resource} has no name"


# Results speak of what another graph describes.
@pytest.mark.parametrize("name", [*STORIES, *ASSESSED])
def test_every_resource_mentioned_is_described_in_the_same_graph(name: str, graphs: dict[str, LocalStore]) -> None:
    """Results of assessments stand beside the graph that they are about, so what they assess is described there."""
    own = described(graphs[name])
    if name in RESULTS:
        own |= described(graphs[name.removesuffix("-fair")])
    mentioned = {
        quad.object
        for quad in graphs[name].match()
        if isinstance(quad.object, NamedNode) and quad.object.value.startswith("http://example.org/")
    }
    assert mentioned <= own


def test_no_resource_is_described_twice(graphs: dict[str, LocalStore]) -> None:
    where: dict[NamedNode, list[str]] = defaultdict(list)
    for name, graph in graphs.items():
        for resource in described(graph):
            where[resource].append(name)
    assert {resource.value: names for resource, names in where.items() if len(names) > 1} == {}


@pytest.mark.parametrize("name", SAMPLES)
def test_quantities_have_a_number_and_a_unit(name: str, graphs: dict[str, LocalStore]) -> None:
    for quantity in graphs[name].match(None, RDF.type, QUDT.QuantityValue):
        (value,) = (
            value
            for predicate in (QUDT.value, QUDT.numericValue)
            for value in graphs[name].match(quantity.subject, predicate)
        )
        (unit,) = graphs[name].match(quantity.subject, QUDT.unit)
        assert isinstance(value.object, Literal)
        assert float(value.object.value) >= 0
        assert isinstance(unit.object, NamedNode)


# Marks


def mark(graph: LocalStore, resource: NamedNode) -> tuple[bool, set[NamedNode]]:
    """Whether a resource is illustrative, and which of its properties are. There is exactly one mark."""
    (quad,) = graph.match(resource, HPC.illustrative)
    assert isinstance(quad.object, Literal)
    listed = {quad.object for quad in graph.match(resource, HPC.illustrativeProperty)}
    return {"true": True, "false": False}[quad.object.value], {p for p in listed if isinstance(p, NamedNode)}


@pytest.mark.parametrize("name", STORIES)
def test_every_resource_says_what_of_it_is_illustrative(name: str, graphs: dict[str, LocalStore]) -> None:
    graph = graphs[name]
    for resource in described(graph):
        illustrative, properties = mark(graph, resource)
        if illustrative:
            assert not properties, f"{resource} is illustrative as a whole and lists properties too"
        assert properties <= {quad.predicate for quad in graph.match(resource)}, f"{resource} lists what it lacks"


def closure(graph: LocalStore, quad: Quad) -> Iterator[Triple]:
    """A statement, and those of the blank node it points to."""
    yield quad.triple
    if isinstance(quad.object, BlankNode):
        for inner in graph.match(quad.object):
            yield from closure(graph, inner)


def unmarked(graph: LocalStore) -> Iterator[Triple]:
    """The statements that a sample graph presents as a paper's own."""
    for resource in described(graph):
        illustrative, properties = mark(graph, resource)
        for quad in graph.match(resource):
            if not illustrative and quad.predicate not in properties and quad.predicate not in MARKS:
                yield from closure(graph, quad)


def canonical(triples: Iterable[Triple]) -> set[str]:
    dataset = Dataset(Quad(triple.subject, triple.predicate, triple.object) for triple in triples)
    dataset.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    return {str(quad) for quad in dataset}


def test_what_is_not_marked_is_exactly_what_the_papers_print(graphs: dict[str, LocalStore]) -> None:
    printed = loaded(Path(__file__).parent / "printed_statements.ttl")
    claimed = canonical(triple for name in STORIES for triple in unmarked(graphs[name]))
    assert claimed == canonical(quad.triple for quad in printed.match())


# Lineage


ORIGINS = "(hpc:wasDerivedFromDataset|hpc:wasGeneratedBy|hpc:used)+"


@pytest.mark.parametrize(
    ("name", "model", "logs"),
    [
        ("xplacer", "MO000001", [f"LO00000{number}" for number in range(1, 10)]),
        ("xplacer", "MO000002", [f"LO00000{number}" for number in range(1, 10)]),
        ("xplacer", "MO000003", []),
        ("nsf", "MO000010", ["LO000020", "LO000021", "LO000022"]),
        ("npb", "MO000020", ["LO000030", "LO000031"]),
    ],
)
def test_lineage_reaches_the_raw_logs(name: str, model: str, logs: list[str], graphs: dict[str, LocalStore]) -> None:
    found = rows(
        graphs[name],
        f"SELECT DISTINCT ?log {{ <http://example.org/AIModel/{model}> {ORIGINS} ?log . ?log a hpc:LogFile }}",
    )
    assert [log.rsplit("/", 1)[-1] for (log,) in found] == logs


def test_each_labelled_dataset_comes_from_its_own_benchmark(graphs: dict[str, LocalStore]) -> None:
    found = rows(
        graphs["xplacer"],
        f"""SELECT ?dataset ?application {{
            <http://example.org/project/PR000001> hpc:dataset ?dataset .
            ?dataset {ORIGINS} ?log . ?log a hpc:LogFile ; hpc:targetApplication ?application .
            FILTER NOT EXISTS {{ ?log hpc:name "variant-timings.log" }}
        }}""",
    )
    own = {(f"http://example.org/dataset/DA00000{number}", f"http://example.org/benchmark/rodinia-{benchmark}")
           for number, benchmark in enumerate(("bfs", "cfd", "gaussian", "hotspot"), 1)}  # fmt: skip
    assert len(found) == 8
    assert set(found) == own


def test_seismic_models_reach_the_raw_files(graphs: dict[str, LocalStore]) -> None:
    found = rows(
        graphs["seismic"],
        """SELECT DISTINCT ?label {
            ?model a <https://example.org/provml#Model> ;
                   (prov:wasDerivedFrom|prov:wasGeneratedBy|prov:wasInformedBy|prov:used)+ ?raw .
            ?raw a provlake:DataReference ; <http://www.w3.org/2000/01/rdf-schema#label> ?label .
            FILTER NOT EXISTS { ?raw prov:wasGeneratedBy ?execution }
        }""",
    )
    assert found == [("f3-annotations.txt",), ("f3-horizons.dat",), ("f3.segy",)]


@pytest.mark.parametrize("name", ["xplacer", "nsf", "npb", "fugaku", "campaign"])
def test_generated_and_was_generated_by_say_the_same(name: str, graphs: dict[str, LocalStore]) -> None:
    forward = {(quad.subject, quad.object) for quad in graphs[name].match(None, HPC.generated)}
    backward = {(quad.object, quad.subject) for quad in graphs[name].match(None, HPC.wasGeneratedBy)}
    assert forward
    assert forward == backward


# Dates


def assert_in_order(pairs: list[tuple[str, ...]]) -> None:
    """Each row names two things and gives the earlier and the later time last."""
    assert pairs, "nothing was compared"
    for *who, earlier, later in pairs:
        assert datetime.fromisoformat(earlier) <= datetime.fromisoformat(later), who


@pytest.mark.parametrize("name", ["xplacer", "nsf", "npb", "fugaku", "campaign"])
def test_experiments_end_after_they_start(name: str, graphs: dict[str, LocalStore]) -> None:
    graph = graphs[name]
    assert_in_order(rows(graph, "SELECT ?x ?start ?end { ?x hpc:startDate ?start ; hpc:endDate ?end }"))
    experiments = rows(graph, "SELECT ?x { ?x a hpc:Experiment }")
    dated = rows(graph, "SELECT ?x { ?x a hpc:Experiment ; hpc:startDate ?start ; hpc:endDate ?end }")
    assert dated == experiments


@pytest.mark.parametrize("name", ["xplacer", "nsf", "npb", "campaign"])
def test_experiments_use_only_what_is_there(name: str, graphs: dict[str, LocalStore]) -> None:
    graph = graphs[name]
    used = "?x hpc:used/hpc:wasGeneratedBy ?before ; hpc:startDate ?start . ?before hpc:endDate ?end"
    assert_in_order(rows(graph, f"SELECT ?before ?x ?end ?start {{ {used} }}"))
    preceded = "?x hpc:wasPrecededBy ?before ; hpc:startDate ?start . ?before hpc:endDate ?end"
    assert_in_order(rows(graph, f"SELECT ?before ?x ?end ?start {{ {preceded} }}"))


def test_seismic_executions_are_in_order(graphs: dict[str, LocalStore]) -> None:
    graph = graphs["seismic"]
    assert_in_order(rows(graph, "SELECT ?x ?start ?end { ?x prov:startedAtTime ?start ; prov:endedAtTime ?end }"))
    used = "?x prov:used/prov:wasGeneratedBy ?before ; prov:startedAtTime ?start . ?before prov:endedAtTime ?end"
    assert_in_order(rows(graph, f"SELECT ?before ?x ?end ?start {{ {used} }}"))


def test_seismic_sections_lie_within_their_stage(graphs: dict[str, LocalStore]) -> None:
    graph = graphs["seismic"]
    started = "?part prov:wasInformedBy ?whole ; prov:startedAtTime ?later . ?whole prov:startedAtTime ?earlier"
    assert_in_order(rows(graph, f"SELECT ?whole ?part ?earlier ?later {{ {started} }}"))
    ended = "?part prov:wasInformedBy ?whole ; prov:endedAtTime ?earlier . ?whole prov:endedAtTime ?later"
    assert_in_order(rows(graph, f"SELECT ?whole ?part ?earlier ?later {{ {ended} }}"))
