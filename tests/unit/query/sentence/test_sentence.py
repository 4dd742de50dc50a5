"""A query is told in English, and every piece of the sentence knows what it tells."""

from collections.abc import Iterable

import pytest
from hypothesis import given

from hpc_explorer.query.model.places import places
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.query.questions.library import named_question, shipped_questions
from hpc_explorer.query.sentence.phrases import Phrase, PhraseKind
from hpc_explorer.query.sentence.sentence import sentence
from hpc_explorer.query.sparql.reading import query_model
from hpc_explorer.rdf.namespaces import PrefixMap
from hpc_explorer.rdf.terms import NamedNode, Variable
from tests.helpers.examples import examples
from tests.helpers.queries import models

PREFIXES = PrefixMap()
LABELS = {"AIModel": "AI model", "coProcessor": "coprocessor"}


def names(resource: NamedNode) -> str:
    short = PREFIXES.short(resource.value)
    return LABELS.get(short.rpartition(":")[2], short)


def phrases_text(phrases: Iterable[Phrase]) -> str:
    return "".join(phrase.text if phrase.text.startswith(";") else f" {phrase.text}" for phrase in phrases).strip()


def english(text: str) -> str:
    return phrases_text(sentence(query_model(text, PREFIXES), names))


@examples(100)
@given(models())
def test_every_element_and_every_variable_is_told(query: QueryModel) -> None:
    phrases = sentence(query, names)
    assert {place for place, _ in places(query)} <= {phrase.place for phrase in phrases}
    assert set(query.variables) <= {phrase.variable for phrase in phrases}
    assert all(phrase.text for phrase in phrases)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "SELECT ?m { ?m a hpc:AIModel ; hpc:targetMachine ?x . ?x hpc:coprocessor ?c . ?c hpc:name 'Nvidia V100' }",
            "AI models whose target machine has a coprocessor named Nvidia V100",
        ),
        (
            "SELECT ?m { ?m a hpc:AIModel OPTIONAL { ?m hpc:license ?l } FILTER NOT EXISTS { ?m hpc:framework ?f } }",
            "AI models that optionally have a license and without any framework",
        ),
        (
            "SELECT ?c { ?c a hpc:Cluster ; hpc:size ?s FILTER(?s >= 3 && ?s < 5) } ORDER BY DESC(?s) LIMIT 10",
            "Clusters whose size is at least 3 and less than 5; sorted by size, the greatest first; at most 10 rows",
        ),
        (
            "SELECT ?p (COUNT(DISTINCT ?d) AS ?n) { ?d a hpc:Dataset ; hpc:project ?p } GROUP BY ?p HAVING (COUNT(?d) > 2)",
            "Datasets that have a project; shown: project and the number of different datasets for each project; "
            "only where the number of datasets is more than 2",
        ),
        (
            "SELECT ?d { ?d hpc:version 3 { ?d hpc:license ?l } UNION { ?d a hpc:Dataset } }",
            "Things whose version is 3 and that either have a license or are datasets",
        ),
        (
            "SELECT ?m { ?m a hpc:AIModel ; prov:wasDerivedFrom+ ?d . ?d a hpc:Dataset }",
            "AI models that were derived from (repeated) a dataset",
        ),
        (
            "SELECT ?m { ?m a hpc:AIModel . ?r prov:used ?m ; a prov:Activity }",
            "AI models that were used by an activity",
        ),
        (
            "SELECT ?m { ?x hpc:targetMachine ?m . ?m a hpc:Cluster }",
            "Clusters that are the target machine of a thing",
        ),
        (
            "SELECT ?m { ?m a hpc:AIModel FILTER NOT EXISTS { ?m prov:used ?d . ?d hpc:name 'MNIST' } }",
            "AI models but not those that used a thing named MNIST",
        ),
        (
            "SELECT ?m { ?m hpc:memory ?q . FILTER(CONTAINS(LCASE(STR(?q)), 'gb')) VALUES ?m { hpc:Lassen hpc:Sierra } }",
            "Things that are hpc:Lassen or hpc:Sierra and whose memory contains “gb”",
        ),
        ("ASK { ?g a hpc:GPU ; ?p 3 }", "Whether there are GPUs whose property is 3 (thing)"),
        (
            "SELECT ?g { ?g a hpc:GPU MINUS { ?g hpc:name ?n } }",
            "GPUs; MINUS { ?g hpc:name ?n }; using thing",
        ),
        (
            "SELECT ?g { ?g a hpc:GPU ; hpc:score ?score ; hpc:limit ?limit FILTER(?score > ?limit || STRLEN(?g) > 3) }",
            "GPUs that have a score and that have a limit; where that score is more than that limit or STRLEN(?g) > 3",
        ),
        ("SELECT * { GRAPH hpc:g { ?g a hpc:GPU } }", "According to hpc:g there is a GPU"),
        ("SELECT * { }", "Anything"),
        ("SELECT * { hpc:a hpc:partOf hpc:b }", "Where hpc:a is part of hpc:b"),
        ("DESCRIBE hpc:a", "What is known about hpc:a among Anything"),
    ],
)
def test_sentences(text: str, expected: str) -> None:
    assert english(text) == expected


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("hpc-q1", "Projects named [name] that have a dataset; shown: dataset"),
        ("hpc-q2", "AI models whose target machine is [target machine] and that have a name; shown: name"),
        (
            "hpc-q3",
            "AI models that have a name and that have a target machine whose coprocessor model is a GPU and is named",
        ),
        (
            "hpc-q4",
            "Projects that are funded by [funder] and that are the project of a dataset whose subject is [subject]",
        ),
        (
            "hpc-q5",
            "Workflows whose subject is [subject] and that have a name and whose target machine has a coprocessor",
        ),
    ],
)
def test_competency_questions(name: str, begins: str) -> None:
    (variant, *_) = named_question(shipped_questions(), name).variants
    assert english(variant.select.whole).startswith(begins)


def test_a_quantity_is_told_with_its_unit() -> None:
    from decimal import Decimal

    from hpc_explorer.query.model.patterns import Group, QuantityRange, Statement
    from hpc_explorer.rdf.namespaces import HPC, RDF, UNIT

    cluster, memory = Variable("cluster"), Variable("memory")
    where = Group(
        (
            Statement(cluster, RDF.type, HPC.Cluster),
            Statement(cluster, HPC.memorySize, memory),
            QuantityRange(memory, UNIT.GigaBYTE, Decimal(16)),
        )
    )
    phrases = sentence(QueryModel(where), names)
    assert phrases_text(phrases) == "Clusters whose memory size is at least 16 GB"
    assert [(phrase.text, phrase.variable, phrase.place) for phrase in phrases] == [
        ("Clusters", cluster, (0,)),
        ("whose memory size", memory, (1,)),
        ("is at least 16 GB", None, (2,)),
    ]


def test_locked_pieces_are_shown_as_they_are() -> None:
    locked = [one for one in sentence(query_model("SELECT * { ?a ?b ?c BIND(1 AS ?d) }"), names) if one.is_locked]
    assert [(one.text, one.place, one.kind) for one in locked] == [("BIND(1 AS ?d)", (1,), PhraseKind.LOCKED)]


def test_a_long_chain_is_told_to_its_end() -> None:
    text = " . ".join(f"?v{number} ?p{number} ?v{number + 1}" for number in range(300))
    query = query_model(f"SELECT * {{ {text} }}")
    assert {place for place, _ in places(query)} <= {phrase.place for phrase in sentence(query, names)}
