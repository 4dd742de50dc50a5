"""What the model makes of a text, what it locks, and where it says that a text is wrong."""

from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hpc_explorer.errors import QuerySyntaxError
from hpc_explorer.query.model.conditions import (
    AllOf,
    AnyOf,
    Between,
    Comparison,
    IsBound,
    KindMatch,
    LanguageMatch,
    LockedExpression,
    Not,
    OneOf,
    Operator,
    TermKind,
    TextMatch,
    TextTest,
)
from hpc_explorer.query.model.paths import AlternativePath, InversePath, NegatedPath, Path, RepeatedPath, SequencePath
from hpc_explorer.query.model.patterns import (
    AbsentGroup,
    Alternatives,
    Filter,
    Group,
    Locked,
    OptionalGroup,
    PresentGroup,
    QuantityRange,
    Statement,
    Values,
)
from hpc_explorer.query.model.query import Aggregate, AggregateFunction, Form, Having, NamedColumn, Order, QueryModel
from hpc_explorer.query.sparql.reading import query_model
from hpc_explorer.query.sparql.writing import sparql_text
from hpc_explorer.rdf.namespaces import HPC, QUDT, RDF, UNIT, XSD
from hpc_explorer.rdf.quantities import UNIT_PREDICATES, VALUE_PREDICATES
from hpc_explorer.rdf.sparql_tokens import TokenKind, sparql_tokens
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad, Variable
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.examples import examples
from tests.helpers.queries import EX, query_texts

A, B, C = Variable("a"), Variable("b"), Variable("c")
PREFIXES = {"ex": str(EX), "hpc": str(HPC), "qudt": str(QUDT), "unit": str(UNIT), "xsd": str(XSD)}


def elements(pattern: str) -> tuple[object, ...]:
    """The elements of the group of a query."""
    return query_model(f"SELECT ?a {{ {pattern} }}", PREFIXES).where.elements


def condition(expression: str) -> object:
    """The condition of a filter."""
    (element,) = elements(f"FILTER ({expression})")
    assert isinstance(element, Filter)
    return element.condition


def test_lists_of_predicates_and_objects_are_statements() -> None:
    assert elements("?a a ex:C ; ex:p 1 , -2.5 ; . true ex:q ?b") == (
        Statement(A, RDF.type, EX.C),
        Statement(A, EX.p, Literal(1)),
        Statement(A, EX.p, Literal("-2.5", datatype=XSD.decimal)),
        Statement(Literal(value=True), EX.q, B),
    )


def test_blank_nodes_and_lists_become_variables_that_nothing_shows() -> None:
    node, cell = Variable("node"), Variable("list")
    assert elements("?a ex:p [ ex:q ?b ] . ?node_2 ex:r (?c)") == (
        Statement(A, EX.p, node),
        Statement(node, EX.q, B),
        Statement(Variable("node_2"), EX.r, cell),
        Statement(cell, RDF.first, C),
        Statement(cell, RDF.rest, RDF.nil),
    )
    assert query_model("SELECT * { ?a ex:p [ ex:q ?b ] }", PREFIXES).columns == (A, B)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { ?a ex:p [ ex:q ?b ] . BIND(1 AS ?c) }",
        "SELECT (COUNT(DISTINCT *) AS ?n) { ?a ex:p [ ex:q ?b ] }",
        "DESCRIBE * { ?a ex:p [ ex:q ?b ] }",
    ],
)
def test_blank_nodes_that_would_be_seen_as_variables_are_locked(text: str) -> None:
    first = query_model(text, PREFIXES).where.elements[0]
    assert first == Locked("?a ex:p [ ex:q ?b ] .", (A, B))


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("(ex:p/(^ex:q/ex:r))+", RepeatedPath(SequencePath((EX.p, InversePath(EX.q), EX.r)), 1, None)),
        ("!(^ex:p|a)", NegatedPath((RDF.type,), (EX.p,))),
        ("!^a", NegatedPath((), (RDF.type,))),
        ("ex:p|(ex:q|ex:r)", AlternativePath((EX.p, EX.q, EX.r))),
        ("(ex:p|ex:q)/ex:r", SequencePath((AlternativePath((EX.p, EX.q)), EX.r))),
        ("ex:p?|^ex:q*", AlternativePath((RepeatedPath(EX.p, 0, 1), InversePath(RepeatedPath(EX.q, 0, None))))),
    ],
)
def test_paths(written: str, path: Path) -> None:
    assert elements(f"?a {written} ?b") == (Statement(A, path, B),)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("?a > -5", Comparison(A, Operator.MORE, Literal(-5))),
        ("5 <= ?a", Comparison(A, Operator.AT_LEAST, Literal(5))),
        ("?a = ?b", Comparison(A, Operator.EQUAL, B)),
        ("?a<5||?a>ex:a", AnyOf((Comparison(A, Operator.LESS, Literal(5)), Comparison(A, Operator.MORE, EX.a)))),
        ("(?a > 1) && ?a <= 2", Between(A, Literal(1), Literal(2), least_included=False)),
        ("?a > +5", Comparison(A, Operator.MORE, Literal("+5", datatype=XSD.integer))),
        ("bound(?a)", IsBound(A)),
        (
            "?a >= 1 || ?a <= 5",
            AnyOf((Comparison(A, Operator.AT_LEAST, Literal(1)), Comparison(A, Operator.AT_MOST, Literal(5)))),
        ),
        (
            "?a = ?a && (?b = ?a && ?a = ?b)",
            AllOf(
                (Comparison(A, Operator.EQUAL, A), Comparison(B, Operator.EQUAL, A), Comparison(A, Operator.EQUAL, B))
            ),
        ),
        (
            "?a > 1 && ?b < 2",
            AllOf((Comparison(A, Operator.MORE, Literal(1)), Comparison(B, Operator.LESS, Literal(2)))),
        ),
        # A smaller sign is no IRI, however close it stands.
        ("?a<?b", Comparison(A, Operator.LESS, B)),
        ("?a<=?b", Comparison(A, Operator.AT_MOST, B)),
        ("?a<5&&?b>3", AllOf((Comparison(A, Operator.LESS, Literal(5)), Comparison(B, Operator.MORE, Literal(3))))),
        ("?a<=5&&?b>3", AllOf((Comparison(A, Operator.AT_MOST, Literal(5)), Comparison(B, Operator.MORE, Literal(3))))),
        ("?a<?b||?b>?a", AnyOf((Comparison(A, Operator.LESS, B), Comparison(B, Operator.MORE, A)))),
        ("?a = <http://x.y/>", Comparison(A, Operator.EQUAL, NamedNode("http://x.y/"))),
        ("?a not in (1, ex:a)", OneOf(A, (Literal(1), EX.a), is_negated=True)),
        ("contains(LCase(str(?a)), 'gpu')", TextMatch(A, TextTest.CONTAINS, "gpu")),
        ("strStarts(STR(?a), 'GPU')", TextMatch(A, TextTest.STARTS, "GPU", ignores_case=False)),
        ("contains(lcase(str(?a)), lcase('GPU'))", TextMatch(A, TextTest.CONTAINS, "GPU")),
        ("langMatches(lang(?a), 'de')", LanguageMatch(A, "de")),
        ("isURI(?a)", KindMatch(A, TermKind.IRI)),
        ("regex(str(?a), 'g.u', 'i')", TextMatch(A, TextTest.MATCHES, "g.u")),
        ("!(STRLEN( ?a ) > 1 )", Not(LockedExpression("STRLEN( ?a ) > 1", (A,)))),
        # In lower case nothing contains a capital, and a text that is no string may not be looked into.
        ("CONTAINS(LCASE(STR(?a)), 'GPU')", LockedExpression("CONTAINS(LCASE(STR(?a)), 'GPU')", (A,))),
        *(
            (text, LockedExpression(text, (A,)))
            for text in (
                "REGEX(?a, 'x')",
                "REGEX(STR(?a), 'x', 's')",
                "CONTAINS(?a, 'x')",
                "CONTAINS(STR(?a), 'x'@en)",
                "CONTAINS(UCASE(STR(?a)), 'x')",
                "CONTAINS(LCASE(LANG(?a)), LCASE('x'))",
                "LANGMATCHES(LANG(?a), 'de'@en)",
                "LANGMATCHES(STR(?a), 'de')",
                "BOUND(?a) + 1",
                "+?a = 1",
                "-?a = 1",
                "1 + +?a > 2",
            )
        ),
    ],
)
def test_conditions(expression: str, expected: object) -> None:
    assert condition(expression) == expected


def test_groups() -> None:
    statement = Statement(A, EX.p, B)
    group = Group((statement,))
    assert elements(
        "OPTIONAL { ?a ex:p ?b } . FILTER NOT EXISTS { ?a ex:p ?b } FILTER EXISTS { ?a ex:p ?b }"
        "{ ?a ex:p ?b } UNION { SELECT ?a # all\n { ?a ?b ?c }  }"
        "MINUS { ?a ex:p ?b } VALUES (?a ?b) { (1 UNDEF) }"
    ) == (
        OptionalGroup(group),
        AbsentGroup(group),
        PresentGroup(group),
        Alternatives((group, Group((Locked("SELECT ?a { ?a ?b ?c }", (A, B, C)),)))),
        Locked("MINUS { ?a ex:p ?b }", (A, B)),
        Values((A, B), ((Literal(1), None),)),
    )


def test_what_is_done_with_the_solutions() -> None:
    query = query_model(
        "SELECT ?a (COUNT(DISTINCT ?b) AS ?n) (?n / 2 AS ?half) { ?a ex:p ?b } GROUP BY ?a (STR(?b) AS ?c)"
        "HAVING (2 < COUNT(?b)) ORDER BY DESC(?n) LCASE(?a) OFFSET 3 LIMIT 2 VALUES ?a { ex:a }",
        PREFIXES,
    )
    count = Aggregate(AggregateFunction.COUNT, B)
    assert query.columns == (
        A,
        NamedColumn(Aggregate(AggregateFunction.COUNT, B, is_distinct=True), Variable("n")),
        NamedColumn(LockedExpression("?n / 2", (Variable("n"),)), Variable("half")),
    )
    assert query.group_by == (A, NamedColumn(LockedExpression("STR(?b)", (B,)), C))
    assert query.having == (Having(count, Operator.MORE, Literal(2)),)
    assert query.order_by == (Order(Variable("n"), is_descending=True), Order(LockedExpression("LCASE(?a)", (A,))))
    assert (query.limit, query.offset, query.after) == (2, 3, Values((A,), ((EX.a,),)))


def test_the_other_forms_keep_their_head() -> None:
    assert query_model("ASK { ?a ?b ?c }").form is Form.ASK
    built = query_model("CONSTRUCT WHERE { ?a ?b [] }")
    assert (built.form, built.head, len(built.where.elements)) == (Form.CONSTRUCT, "{ ?a ?b [] }", 1)
    described = query_model("DESCRIBE ?a <urn:x:y>")
    assert (described.form, described.head) == (Form.DESCRIBE, "?a <urn:x:y>")
    assert sparql_text(described) == "DESCRIBE ?a <urn:x:y>"


def test_prefixes_that_nobody_declared_are_taken_from_those_given_and_declared() -> None:
    query = query_model("PREFIX q: <urn:q:> SELECT * { ?a ex:p q:x }", {"ex": "urn:ex:", "unused": "urn:no:"})
    assert query.prefixes == (("ex", "urn:ex:"), ("q", "urn:q:"))


def test_names_with_escapes_and_relative_iris_are_whole_iris() -> None:
    text = r"BASE <https://b.org/d/> PREFIX r: <rel/> SELECT * { <\u0023x> r:a\-b ?a ; <../p> 'A' }"
    assert query_model(text).where.elements == (
        Statement(NamedNode("https://b.org/d/#x"), NamedNode("https://b.org/d/rel/a-b"), A),
        Statement(NamedNode("https://b.org/d/#x"), NamedNode("https://b.org/p"), Literal("A")),
    )


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("''", ""),
        ('""', ""),
        ("''''''", ""),
        ('""""""', ""),
        ("'''it's '' here'''", "it's '' here"),
        ('"""a "word"\n"""', 'a "word"\n'),
        (r"'\t\b\n\r\f\\\"\'\u00e9\U0001F600'", "\t\b\n\r\f\\\"'\u00e9\U0001f600"),
    ],
)
def test_a_string_says_the_same_in_all_its_quotes(written: str, value: str) -> None:
    assert elements(f"?a ?b {written}") == (Statement(A, B, Literal(value)),)


@given(st.integers(0, 0x110010) | st.sampled_from([0xD7FF, 0xD800, 0xDFFF, 0xE000, 0x10FFFF, 0x110000]))
def test_an_escape_is_a_character_or_a_fault(code: int) -> None:
    text = rf"SELECT * {{ ?a ?b '\U{code:08X}' }}"
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        with pytest.raises(QuerySyntaxError):
            query_model(text)
    else:
        assert query_model(text).where.elements == (Statement(A, B, Literal(chr(code))),)


@examples(100)
@given(query_texts(), st.sets(st.integers(0, 200), max_size=5), st.sampled_from(["u{:04X}", "U{:08X}"]))
def test_a_letter_may_be_written_as_its_code_point(text: str, places: set[int], form: str) -> None:
    escaped = ""
    for token in sparql_tokens(text):
        letters = list(token.text)
        if token.kind is not TokenKind.STRING:
            for place in places:
                if token.start <= place < token.end and letters[place - token.start].isalnum():
                    letters[place - token.start] = "\\" + form.format(ord(letters[place - token.start]))
        escaped += "".join(letters)
    try:
        expected = query_model(text)
    except QuerySyntaxError:
        assume(False)
    assert query_model(escaped) == expected


def test_variables_with_a_dollar_are_parameters() -> None:
    assert query_model("SELECT * { $b ?p ?a . ?b ?q $a }").parameters == (B, A)


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("SELECT * {\n  ?a ex:p }", "line 2, column 6", "undeclared prefix"),
        ("SELECT * {\n  ?a ?b }", "line 2, column 9", "found '}'"),
        ("SELECT * { ?a ?b ?c", "line 1, column 20", "it ends where"),
        ("SELECT * { ?a ?b 'c }", "line 1, column 18", "not closed"),
        ("SELECT * { ?a ?b ?c ?d }", "line 1, column 21", "found '?d'"),
        ("SELECT * { FILTER(FOO(?a)) }", "line 1, column 19", "found 'FOO'"),
        ("SELECT * { FILTER true }", "line 1, column 19", "found 'true'"),
        ("SELECT * { FILTER false }", "line 1, column 19", "found 'false'"),
        ("SELECT { ?a ?b ?c }", "line 1, column 8", "a variable or '*'"),
        ("SELECT * { } LIMIT many", "line 1, column 20", "a whole number"),
        ("SELECT * { } LIMIT 1.5", "line 1, column 20", "a whole number"),
        ("SELECT * { } OFFSET -1", "line 1, column 21", "a whole number"),
        ("SELECT * { } ; DROP ALL", "line 1, column 14", "the end of the query"),
        ("INSERT DATA { }", "line 1, column 1", "not a query"),
        ("", "line 1, column 1", "not a query"),
        ("SELECT * { <a b> ?b ?c }", "line 1, column 12", "syntax error"),
        ("SELECT * { <relative> ?b ?c }", "line 1, column 12", "an IRI that is none"),
        (r"SELECT * { ?a ?b 'a\qb' }", "line 1, column 18", "escape"),
        ("SELECT * { VALUES (?a ?b) { (1) } }", "line 1, column 29", "2 values"),
    ],
)
def test_a_wrong_text_is_told_with_its_place(text: str, where: str, what: str) -> None:
    with pytest.raises(QuerySyntaxError) as raised:
        query_model(text)
    assert what in raised.value.what
    assert raised.value.where == where
    assert raised.value.remedy


def test_a_text_that_is_nested_without_end_is_an_error_and_not_a_crash() -> None:
    with pytest.raises(QuerySyntaxError):
        query_model("SELECT * { FILTER" + "(" * 100_000)


def quantity_store(*amounts: tuple[str, NamedNode, NamedNode, NamedNode]) -> LocalStore:
    """A store with quantities: number, its predicate, unit and its predicate."""
    store = LocalStore.in_memory()
    quads = []
    for number, (spelled, value, unit, has_unit) in enumerate(amounts):
        node = EX.term(f"q{number}")
        quads += [Quad(node, value, Literal(spelled, datatype=XSD.decimal)), Quad(node, has_unit, unit)]
    store.add_quads(quads)
    return store


def test_a_quantity_is_found_in_every_unit_of_its_kind_and_under_every_predicate() -> None:
    store = quantity_store(
        ("16", VALUE_PREDICATES[0], UNIT.GigaBYTE, UNIT_PREDICATES[0]),
        ("0.016", VALUE_PREDICATES[1], UNIT.TeraBYTE, UNIT_PREDICATES[1]),
        ("14.9", VALUE_PREDICATES[2], UNIT.GibiBYTE, UNIT_PREDICATES[1]),
        ("16", VALUE_PREDICATES[0], UNIT.GigaHZ, UNIT_PREDICATES[0]),
        ("16,000.0", VALUE_PREDICATES[0], UNIT.MegaBYTE, UNIT_PREDICATES[0]),
        ("200000", VALUE_PREDICATES[0], UNIT.ExaBYTE, UNIT_PREDICATES[0]),
    )
    query = QueryModel(
        Group((Statement(A, VALUE_PREDICATES[0], B), QuantityRange(A, UNIT.GigaBYTE, Decimal(16), Decimal(16)))),
        columns=(A,),
    )

    def found(least: Decimal | None, most: Decimal | None) -> set[str]:
        quantity = QuantityRange(A, UNIT.GigaBYTE, least, most)
        model = QueryModel(Group((Statement(A, C, B), quantity)), columns=(A,))
        assert query_model(sparql_text(model)) == model
        return {row["a"].value[-2:] for row in store.select(sparql_text(model))}

    assert found(Decimal(16), Decimal(16)) == {"q0", "q1", "q4"}
    assert found(Decimal("15.9"), Decimal("15.999")) == {"q2"}
    assert found(Decimal(17), None) == {"q5"}
    assert found(Decimal("1E+13"), None) == {"q5"}
    assert found(Decimal("1E+15"), None) == set()
    # More digits than a decimal of the engine has.
    assert found(Decimal("15.") + Decimal("0.9999999999999999999"), None) == {"q0", "q1", "q4", "q5"}
    assert query_model(sparql_text(query)) == query


def test_a_quantity_is_known_again_however_it_is_spaced_and_shortened() -> None:
    quantity = QuantityRange(A, UNIT.GigaBYTE, Decimal("-0.5"), Decimal("1E+25"))
    text = sparql_text(QueryModel(Group((quantity,)), prefixes=(("xsd", str(XSD)),)))
    spaced = text.replace("(", " ( ").replace("\n", " ").replace(",", " , ").replace('" , "', '","')
    assert query_model(spaced).where.elements == (quantity,)
    longer = text.replace("xsd:decimal", f"<{XSD}decimal>")
    assert query_model(longer).where.elements == (quantity,)
    other = text.replace("1000000.0", "1000001.0")
    assert isinstance(query_model(other).where.elements[0], PresentGroup)


@examples(100)
@given(st.data())
def test_any_text_is_read_or_refused_with_its_place(data: st.DataObject) -> None:
    text = data.draw(query_texts())
    tokens = [token.text for token in sparql_tokens(text)]
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(tokens) - 1))
        tokens[place] = data.draw(st.sampled_from(["", *tokens, "'", "{", ")", "<<", "\\", "FILTER", "5", "."]))
    try:
        query = query_model("".join(tokens))
    except QuerySyntaxError as error:
        assert error.where.startswith("line ")
    else:
        assert query_model(sparql_text(query)) == query


@pytest.mark.parametrize("locked", [
    "<< ?a ex:p ?b >> ex:q ?c", "?a ex:p << ?b ex:q 'x. FILTER' >>", "<< ?a ex:p << ?a ex:q ?b >> >> ex:q [ ex:p (1 2) ]",
])  # fmt: skip
def test_what_is_said_of_a_statement_is_locked_up_to_its_end(locked: str) -> None:
    following = (Statement(C, EX.r, A),)
    for behind, elements_behind in ((" . ?c ex:r ?a", following), (". ?c ex:r ?a .", following), ("", ())):
        first, *rest = elements(locked + behind)
        assert isinstance(first, Locked)
        assert first.text == f"{locked} ."
        assert tuple(rest) == elements_behind
    for word, kind in (("FILTER (?a > 1)", Filter), ("OPTIONAL { ?a ex:p ?b }", OptionalGroup), ("MINUS { ?a ex:p 1 }", Locked), ("BIND (1 AS ?x)", Locked)):  # fmt: skip
        first, second = elements(f"{locked} {word}")
        assert isinstance(first, Locked)
        assert first.text == f"{locked} ."
        assert isinstance(second, kind)
