"""What a finding says in plain words."""

from __future__ import annotations

import pytest

from hpc_explorer.annotate.validation.checking import check_node
from hpc_explorer.annotate.validation.findings import Result, Severity
from hpc_explorer.annotate.validation.messages import message_of, shown
from hpc_explorer.annotate.validation.shapes import Shapes
from hpc_explorer.annotate.validation.view import GraphView
from hpc_explorer.rdf.namespaces import HPC, SH
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Term
from tests.helpers.graphs import ex, store_of

VALUE = Literal("many")


class Labels:
    """Names as an ontology gives them."""

    def class_label(self, cls: NamedNode) -> str:
        return {HPC.Cluster: "HPC system", HPC.AIModel: "AI model"}.get(cls, "university")

    def property_label(self, predicate: NamedNode) -> str:
        return "batch size" if predicate == ex("p") else "power"


def message(
    shape: str,
    component: str,
    value: Term | None = VALUE,
    *,
    within: NamedNode | None = None,
    own: tuple[str, ...] = (),
) -> str:
    shapes = Shapes(store_of(f"ex:s a sh:PropertyShape ; sh:path ex:p {shape} ."))
    kind = SH.term(f"{component}ConstraintComponent")
    result = Result(ex("focus"), ex("p"), value, kind, ex("s"), Severity.VIOLATION, own)
    return message_of(result, shapes, Labels(), within)


@pytest.mark.parametrize(
    ("shape", "component", "words"),
    [
        ("; sh:minCount 1", "MinCount", "missing: add at least one"),
        ("; sh:minCount 2", "MinCount", "fewer than 2: add more"),
        ("; sh:maxCount 1", "MaxCount", "there is more than one: keep one"),
        ("; sh:maxCount 3", "MaxCount", "more than 3: remove some"),
        ("; sh:datatype xsd:integer", "Datatype", "“many” is not a whole number"),
        ("; sh:datatype ex:own", "Datatype", "“many” is not of the datatype own"),
        ("; sh:class hpc:Cluster", "Class", "“many” is not an HPC system"),
        ("; sh:class hpc:AIModel", "Class", "“many” is not an AI model"),
        ("; sh:class ex:University", "Class", "“many” is not a university"),
        ("; sh:nodeKind sh:IRI", "NodeKind", "“many” is not a link"),
        ("; sh:in ( 'a' ex:b )", "In", "“many” is not one of “a”, b"),
        ("; sh:pattern '^[a-h]'", "Pattern", "“many” does not match the pattern (^[a-h])"),
        ("; sh:minInclusive 0", "MinInclusive", "“many” cannot be compared with “0”"),
        ("; sh:minInclusive 'most'", "MinInclusive", "“many” is less than “most”"),
        ("; sh:maxInclusive 'few'", "MaxInclusive", "“many” is more than “few”"),
        (
            "; sh:or ( [ sh:datatype xsd:string ] [ sh:class hpc:Cluster ] )",
            "Or",
            "“many” is not a text or an HPC system",
        ),
        (
            "; sh:xone ( [ sh:property [ sh:path ex:x ; sh:minCount 1 ] ] [ sh:datatype xsd:date ] )",
            "Xone",
            "“many” must be just one of these: something with power or a date, such as 2021-06-30",
        ),
        ("; sh:not [ sh:class hpc:Cluster ]", "Not", "“many” must not be an HPC system"),
        ("; sh:languageIn ( 'en' 'de' )", "LanguageIn", "“many” has no language: it should be in en or de"),
        ("; sh:uniqueLang true", "UniqueLang", "two texts are in the same language: keep one of each"),
        ("; sh:lessThan ex:q", "LessThan", "“many” is not less than power"),
        ("; sh:minLength 5", "MinLength", "“many” has fewer than 5 characters"),
        ("; sh:maxExclusive 9", "MaxExclusive", "“many” is not less than “9”"),
        (
            "; sh:qualifiedValueShape [ sh:class hpc:Cluster ] ; sh:qualifiedMaxCount 2",
            "QualifiedMaxCount",
            "at most 2 of the values may be an HPC system",
        ),
        ("; sh:hasValue 1", "HasValue", "“1” is missing"),
        ("; sh:sparql [ sh:select '' ]", "SPARQL", "“many” does not conform (SPARQLConstraintComponent)"),
    ],
)
def test_each_constraint_says_what_to_do(shape: str, component: str, words: str) -> None:
    assert message(shape, component) == f"Batch size: {words}"


def test_a_text_with_a_language_is_told_from_one_without() -> None:
    words = message("; sh:datatype xsd:string", "Datatype", Literal("viele", language="de"))
    assert words == "Batch size: “viele” is in de: it should be a text without a language"


def test_the_message_and_the_name_of_the_shape_go_before() -> None:
    assert message("; sh:minCount 1 ; sh:message 'say how many'", "MinCount", None) == "Batch size: say how many"
    assert message("; sh:minCount 1 ; sh:name 'Items'", "MinCount", None) == "Items: missing: add at least one"
    assert message("; sh:sparql []", "SPARQL", own=("one", "two")) == "Batch size: one; two"


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("( ex:q ex:p )", "Power › batch size: “many” is not a date, such as 2021-06-30"),
        ("[ sh:inversePath ex:q ]", "Power (of others): “many” is not a date, such as 2021-06-30"),
        ("[ sh:zeroOrMorePath ex:q ]", "“many” is not a date, such as 2021-06-30"),
    ],
)
def test_a_path_of_several_properties_is_named(path: str, words: str) -> None:
    shapes = Shapes(store_of(f"ex:s a sh:PropertyShape ; sh:path {path} ; sh:datatype xsd:date ."))
    result = Result(ex("focus"), None, VALUE, SH.DatatypeConstraintComponent, ex("s"), Severity.VIOLATION)
    assert message_of(result, shapes, Labels()) == words


def test_what_is_within_a_value_is_told_with_the_property_of_the_resource() -> None:
    assert message("; sh:minCount 1", "MinCount", within=ex("q")) == "Power, batch size: missing: add at least one"


def test_a_long_value_is_cut_and_a_long_list_counted() -> None:
    assert shown(Literal("x" * 60)) == f"“{'x' * 60}”"
    assert shown(Literal("x" * 61)) == f"“{'x' * 59}…”"
    assert (shown(Literal(" a\n b ")), shown(ex("b")), shown(BlankNode("b"))) == ("“a b”", "b", "this value")
    listed = " ".join(str(number) for number in range(10))
    assert message(f"; sh:in ( {listed} )", "In").endswith("“7” and 2 more")


def test_what_is_wrong_with_a_value_that_another_shape_is_for() -> None:
    shapes = Shapes(
        store_of(
            "ex:s a sh:NodeShape ; sh:targetClass ex:T ; sh:property [ sh:path ex:p ; sh:node ex:other ] ."
            " ex:other sh:property [ sh:path ex:q ; sh:minCount 1 ] , [ sh:path ex:p ; sh:maxLength 2 ] ."
        )
    )
    view = GraphView(
        store_of("ex:t a ex:T ; ex:p [ ex:p 'abc' ] ."),
        background=store_of(""),
        superclasses=lambda cls: frozenset({cls}),
    )
    (found,) = check_node(view, shapes, Labels(), ex("t"))
    assert found.message == (
        "Batch size: this value: Batch size: “abc” has more than 2 characters; Power: missing: add at least one"
    )
