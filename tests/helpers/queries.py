"""Random queries: as models in their normal forms, and as texts that say more than the model has forms for."""

from dataclasses import replace
from decimal import Decimal

from hypothesis import strategies as st

from hpc_explorer.query.model.conditions import (
    AllOf,
    AnyOf,
    Between,
    Comparison,
    Condition,
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
    INSTANCE_PATH,
    AbsentGroup,
    Alternatives,
    Element,
    Filter,
    Group,
    InGraph,
    Locked,
    OptionalGroup,
    PresentGroup,
    QuantityRange,
    Statement,
    Values,
)
from hpc_explorer.query.model.query import (
    Aggregate,
    AggregateFunction,
    Column,
    Duplicates,
    Form,
    Having,
    NamedColumn,
    Order,
    QueryModel,
)
from hpc_explorer.query.sparql.writing import sparql_text
from hpc_explorer.rdf.namespaces import QUDT, RDF, UNIT, XSD, Namespace
from hpc_explorer.rdf.sparql_tokens import TokenKind, sparql_tokens
from hpc_explorer.rdf.terms import DefaultGraph, Literal, NamedNode, Quad, Variable

EX = Namespace("https://example.org/")
PREFIXES = (("ex", str(EX)), ("xsd", str(XSD)), ("qudt", str(QUDT)), ("unit", str(UNIT)))
DECLARATIONS = "".join(f"PREFIX {prefix}: <{namespace}> " for prefix, namespace in PREFIXES)

VARIABLES = st.sampled_from([Variable(name) for name in ("a", "b", "c", "dé", "e_1", "a_number")])
IRIS = st.sampled_from([EX.a, EX.b, EX.term("c/d"), EX.term("e.f-g"), EX.term(""), NamedNode("urn:x:%20y"), RDF.type])
TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=6) | st.sampled_from(
    ["\\u0041", 'a"b', "it's", "\\", "#", "?a", "A"]
)
LITERALS = (
    TEXTS.map(Literal)
    | TEXTS.map(lambda text: Literal(text, language="de-CH"))
    | st.integers(-9, 9).map(Literal)
    | st.sampled_from(
        [
            Literal("+1", datatype=XSD.integer),
            Literal("x", datatype=XSD.integer),
            Literal("-1.50", datatype=XSD.decimal),
            Literal("5.", datatype=XSD.decimal),
            Literal("1e3", datatype=XSD.double),
            Literal("INF", datatype=XSD.double),
            Literal("true", datatype=XSD.boolean),
            Literal("1", datatype=XSD.boolean),
            Literal("2026-11-21", datatype=XSD.date),
            Literal("z", datatype=EX.own),
        ]
    )
)
TERMS = IRIS | LITERALS


def _sequence(steps: list[Path]) -> Path:
    return SequencePath(
        tuple(inner for one in steps for inner in (one.steps if isinstance(one, SequencePath) else [one]))
    )


def _alternative(choices: list[Path]) -> Path:
    return AlternativePath(
        tuple(inner for one in choices for inner in (one.choices if isinstance(one, AlternativePath) else [one]))
    )


PATHS: st.SearchStrategy[Path] = st.recursive(
    IRIS
    | st.just(INSTANCE_PATH)
    | st.builds(NegatedPath, st.lists(IRIS, min_size=1, max_size=2).map(tuple), st.lists(IRIS, max_size=2).map(tuple))
    | st.builds(NegatedPath, st.just(()), st.lists(IRIS, min_size=1, max_size=2).map(tuple)),
    lambda inner: (
        st.builds(InversePath, inner)
        | st.lists(inner, min_size=2, max_size=3).map(_sequence)
        | st.lists(inner, min_size=2, max_size=3).map(_alternative)
        | st.builds(
            lambda path, bounds: RepeatedPath(path, *bounds), inner, st.sampled_from([(0, 1), (0, None), (1, None)])
        )
    ),
    max_leaves=4,
)

LOCKED_EXPRESSIONS = st.sampled_from(
    [
        LockedExpression("?a + ?b > 3", (Variable("a"), Variable("b"))),
        LockedExpression("STRLEN(?a) * -2 <= ABS(?b)", (Variable("a"), Variable("b"))),
        LockedExpression("(?a + 1) * 2 = ?b", (Variable("a"), Variable("b"))),
        LockedExpression("EXISTS { ?a ex:p [ ex:q ?b ] FILTER(?b > 1) }", (Variable("a"), Variable("b"))),
        LockedExpression("regex(?a, 'x')", (Variable("a"),)),
        LockedExpression("xsd:integer(?a)", (Variable("a"),)),
        LockedExpression("IF(true, ?c, COALESCE(?a, 1))", (Variable("c"), Variable("a"))),
        LockedExpression("?a IN (?b, 1)", (Variable("a"), Variable("b"))),
    ]
)
_LEAVES: st.SearchStrategy[Condition] = (
    st.builds(Comparison, VARIABLES, st.sampled_from(Operator), TERMS | VARIABLES)
    | st.builds(Between, VARIABLES, LITERALS, LITERALS, st.booleans(), st.booleans())
    | st.builds(OneOf, VARIABLES, st.lists(TERMS, min_size=1, max_size=3).map(tuple), st.booleans())
    | st.builds(TextMatch, VARIABLES, st.sampled_from(TextTest), TEXTS, st.booleans())
    | st.builds(LanguageMatch, VARIABLES, st.sampled_from(["en", "*", "de-CH"]))
    | st.builds(KindMatch, VARIABLES, st.sampled_from(TermKind))
    | st.builds(IsBound, VARIABLES)
    | LOCKED_EXPRESSIONS
    | st.just(LockedExpression("?a", (Variable("a"),)))
)


def _all_of(conditions: list[Condition]) -> Condition:
    flat = [inner for one in conditions for inner in (one.conditions if isinstance(one, AllOf) else [one])]
    match flat:
        case [Comparison() as least, Comparison()] if least.operator in (Operator.AT_LEAST, Operator.MORE):
            flat.append(IsBound(least.variable))
    return AllOf(tuple(flat))


def _any_of(conditions: list[Condition]) -> Condition:
    return AnyOf(tuple(inner for one in conditions for inner in (one.conditions if isinstance(one, AnyOf) else [one])))


CONDITIONS: st.SearchStrategy[Condition] = st.recursive(
    _LEAVES,
    lambda inner: (
        st.lists(inner, min_size=2, max_size=3).map(_all_of)
        | st.lists(inner, min_size=2, max_size=3).map(_any_of)
        | st.builds(Not, inner)
    ),
    max_leaves=4,
)

LOCKED = st.sampled_from(
    [
        Locked("MINUS { ?a ex:p [] . ?b a ex:C }", (Variable("a"), Variable("b"))),
        Locked("MINUS { ?c ex:p/ex:q* ?a FILTER(?a > 1) }", (Variable("c"), Variable("a"))),
    ]
)
LOCKED_BEYOND_THE_ENGINE = st.sampled_from(
    [
        Locked("BIND(?a + 1 AS ?a_unit)", (Variable("a"), Variable("a_unit"))),
        Locked("SERVICE SILENT <https://example.org/sparql> { ?a ?b 'x' }", (Variable("a"), Variable("b"))),
        Locked("LATERAL { ?a ex:p ?b }", (Variable("a"), Variable("b"))),
    ]
)
AMOUNTS = st.none() | st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-100, max_value=10**9)


@st.composite
def quantity_ranges(draw: st.DrawFn) -> QuantityRange:
    least, most = draw(AMOUNTS), draw(AMOUNTS)
    if least is None and most is None:
        least = draw(st.sampled_from([Decimal(16), Decimal("1E+21"), Decimal("1E-20"), Decimal("-0.5")]))
    unit = draw(st.sampled_from([UNIT.GigaBYTE, UNIT.MilliW, UNIT.PERCENT, UNIT.PicoSEC, UNIT.ExaBYTE]))
    return QuantityRange(draw(VARIABLES), unit, least, most)


@st.composite
def values(draw: st.DrawFn) -> Values:
    variables = tuple(draw(st.lists(VARIABLES, max_size=3, unique=True)))
    row = st.tuples(*(st.none() | TERMS for _ in variables))
    return Values(variables, tuple(draw(st.lists(row, max_size=3))))


def groups(locked: st.SearchStrategy[Locked]) -> st.SearchStrategy[Group]:
    """Groups with pieces that are locked."""
    nodes = VARIABLES | IRIS
    leaves: st.SearchStrategy[Element] = (
        st.builds(Statement, nodes, PATHS | VARIABLES, nodes | LITERALS)
        | st.builds(Statement, st.just(Variable("a")), st.just(EX.p), nodes)
        | st.builds(Filter, CONDITIONS)
        | quantity_ranges()
        | values()
        | locked
    )
    within = st.lists(leaves, max_size=4).map(lambda elements: Group(tuple(elements)))
    return st.recursive(
        within,
        lambda inner: st.lists(
            leaves
            | st.builds(OptionalGroup, inner)
            | st.builds(AbsentGroup, inner)
            | st.builds(PresentGroup, inner)
            | st.builds(InGraph, VARIABLES | IRIS, inner)
            | st.lists(inner, min_size=1, max_size=3).map(lambda choices: Alternatives(tuple(choices))),
            max_size=4,
        ).map(lambda elements: Group(tuple(elements))),
        max_leaves=4,
    ) | st.just(Group((Locked("SELECT ?a { ?a ex:p ?b } LIMIT 2", (Variable("a"), Variable("b"))),)))


@st.composite
def aggregates(draw: st.DrawFn) -> Aggregate:
    function = draw(st.sampled_from(AggregateFunction))
    variable = draw(VARIABLES)
    is_distinct = draw(st.booleans())
    if function is AggregateFunction.LIST:
        return Aggregate(function, variable, is_distinct, draw(st.none() | TEXTS))
    is_of_rows = function is AggregateFunction.COUNT and draw(st.booleans())
    return Aggregate(function, None if is_of_rows else variable, is_distinct)


def _tuples(one: st.SearchStrategy[object], most: int = 3) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(one, max_size=most).map(tuple)


COLUMNS: st.SearchStrategy[Column] = VARIABLES | st.builds(NamedColumn, aggregates() | LOCKED_EXPRESSIONS, VARIABLES)
_HEADS = {Form.CONSTRUCT: "{ ?a ex:p [ ex:q ?b ] }", Form.DESCRIBE: "?a ex:x", Form.ASK: "", Form.SELECT: ""}


@st.composite
def models(draw: st.DrawFn) -> QueryModel:
    """Any query in its normal form."""
    form = draw(st.sampled_from([Form.SELECT] * 5 + [Form.ASK, Form.CONSTRUCT, Form.DESCRIBE]))
    is_select = form is Form.SELECT
    query = QueryModel(
        where=draw(groups(LOCKED | LOCKED_BEYOND_THE_ENGINE)),
        columns=draw(_tuples(COLUMNS)) if is_select else (),  # type: ignore[arg-type]
        duplicates=draw(st.sampled_from(Duplicates)) if is_select else Duplicates.KEPT,
        group_by=draw(_tuples(VARIABLES | st.builds(NamedColumn, LOCKED_EXPRESSIONS, VARIABLES) | LOCKED_EXPRESSIONS)),  # type: ignore[arg-type]
        having=draw(_tuples(st.builds(Having, aggregates(), st.sampled_from(Operator), LITERALS) | LOCKED_EXPRESSIONS)),  # type: ignore[arg-type]
        order_by=draw(_tuples(st.builds(Order, VARIABLES | aggregates() | LOCKED_EXPRESSIONS, st.booleans()))),  # type: ignore[arg-type]
        limit=draw(st.none() | st.integers(0, 9)),
        offset=draw(st.none() | st.integers(0, 9)),
        after=draw(st.none() | values()),
        graphs=draw(_tuples(IRIS)),  # type: ignore[arg-type]
        named_graphs=draw(_tuples(IRIS)),  # type: ignore[arg-type]
        prefixes=PREFIXES,
        base=draw(st.sampled_from(["", "https://example.org/base/"])),
        form=form,
        head=_HEADS[form],
    )
    return with_parameters(query, draw(st.frozensets(VARIABLES, max_size=2)))


@st.composite
def askable_models(draw: st.DrawFn) -> QueryModel:
    """Queries that an engine can be asked: what is selected and grouped goes together."""
    query = QueryModel(where=draw(groups(LOCKED)), prefixes=PREFIXES)
    if draw(st.booleans()):
        grouped = draw(st.lists(VARIABLES, max_size=2, unique=True))
        columns = [
            NamedColumn(draw(aggregates()), Variable(f"value{number}")) for number in range(draw(st.integers(1, 2)))
        ]
        query = replace(query, group_by=tuple(grouped), columns=(*grouped, *columns))
    return with_parameters(query, draw(st.frozensets(VARIABLES, max_size=1)))


def with_parameters(query: QueryModel, parameters: frozenset[Variable]) -> QueryModel:
    """The query with those parameters that its text has, in the order in which they stand there."""
    text = sparql_text(replace(query, parameters=tuple(parameters)))
    found = [
        Variable(token.text[1:])
        for token in sparql_tokens(text)
        if token.kind is TokenKind.VARIABLE and token.text[0] == "$"
    ]
    return replace(query, parameters=tuple(dict.fromkeys(found)))


# Texts beyond what the model has forms for, over the terms of `small_graphs`.

_NODE = st.sampled_from(["?a", "?b", "?c", "$c", "ex:a", "<https://example.org/b>"])
_OBJECT = _NODE | st.sampled_from(
    ["1", "2.0", "-3", "'x'", '"""x"""@en', "true", "[]", "_:x", "[ ex:p ?d ]", "(1 ?a)", "()"]
)
_PATH = st.sampled_from(
    ["a", "ex:p", "ex:q", "?p", "^ex:p", "ex:p/ex:q", "(ex:p|^ex:q)*", "ex:q+", "!(ex:p|^ex:q)", "!a", "^(ex:p/ex:q)?"]
)
_NUMERIC = st.recursive(
    st.sampled_from(["?a", "?b", "?c", "1", "-2", "STRLEN(STR(?a))", "(2)", "?a"]),
    lambda inner: st.tuples(inner, st.sampled_from([" + ", " - ", "*", "/", " -"]), inner).map("".join),
    max_leaves=3,
)
_BOOLEAN = st.recursive(
    st.tuples(_NUMERIC, st.sampled_from(["=", " != ", " < ", " <= ", ">", ">="]), _NUMERIC).map("".join)
    | st.sampled_from(
        [
            "BOUND(?b)",
            "isiri(?a)",
            "?a IN (1, ex:a)",
            "?b NOT IN (1, ?a)",
            "contains(str(?a), 'A')",
            "contains(lcase(str(?a)), 'A')",
            "CONTAINS(LCASE(STR(?b)), LCASE('X'))",
            "regex(str(?b), 'x', 'i')",
            "REGEX(?b, 'x')",
            "langMatches(lang(?b), '*')",
            "EXISTS { ?a ex:q ?b }",
            "not exists { ?b !a _:z }",
            "?a",
            "true",
        ]
    ),
    lambda inner: (
        st.tuples(inner, st.sampled_from([" && ", "||", "&&"]), inner).map("".join)
        | inner.map("({})".format)
        | inner.map("!({})".format)
    ),
    max_leaves=4,
)


@st.composite
def _triples(draw: st.DrawFn) -> str:
    subject = draw(_NODE | st.sampled_from(["[]", "_:y", "[ ex:q ?a ]", "(?b)"]))
    parts = []
    for _ in range(draw(st.integers(1, 2))):
        parts.append(f"{draw(_PATH)} {', '.join(draw(st.lists(_OBJECT, min_size=1, max_size=2)))}")
    ending = draw(st.sampled_from(["", ";", ' # said, or "not" }']))
    return f"{subject} {' ;'.join(parts)}{ending}\n . "


def _group_texts() -> st.SearchStrategy[str]:
    triples = _triples()
    values_text = st.sampled_from(["VALUES ?a { ex:a 1 UNDEF }", "VALUES (?a ?b) { (UNDEF 1) (ex:b ex:a) }"])
    leaves = triples | triples | _BOOLEAN.map("FILTER({}) .".format) | values_text
    return st.recursive(
        st.lists(leaves, min_size=1, max_size=3).map(" ".join),
        lambda inner: st.lists(
            leaves
            | inner.map("OPTIONAL {{ {} }}".format)
            | inner.map("{{ {} }}".format)
            | inner.map("MINUS {{ {} }} .".format)
            | inner.map("FILTER NOT EXISTS {{{}}}".format)
            | inner.map("filter exists {{{}}}".format)
            | inner.map("GRAPH ?g {{ {} }}".format)
            | inner.map("{{ SELECT DISTINCT ?a ?b {{ {} }} }}".format)
            | inner.map("{{ SELECT * WHERE {{ {} }} }}".format)
            | _NUMERIC.map("BIND({} AS ?NEW)".format)
            | st.tuples(inner, inner).map(lambda both: f"{{ {both[0]} }} UNION {{ {both[1]} }}"),
            min_size=1,
            max_size=3,
        ).map(" ".join),
        max_leaves=3,
    )


@st.composite
def query_texts(draw: st.DrawFn) -> str:
    """SELECT queries; the engine may refuse one, as where a label of a blank node stands in two groups."""
    where = draw(_group_texts())
    while "?NEW" in where:
        where = where.replace("?NEW", f"?new{len(where)}", 1)
    columns, ending = draw(
        st.sampled_from(
            [
                ("*", ""),
                ("DISTINCT *", ""),
                ("?a ?b", "ORDER BY ?a"),
                ("distinct ?a (?b AS ?e)", ""),
                ("?a (!BOUND(?b) AS ?e) (?a IN (1, ?c) AS ?f)", "ORDER BY (?a = 1 || ?b != 2) DESC(!(?a < 2)) ?b"),
                ("?a (COUNT(*) AS ?n)", "GROUP BY ?a HAVING (COUNT(?b) > 1 && ?a != 1)"),
                ("?a (COUNT(*) AS ?n)", "GROUP BY ?a HAVING (1 < COUNT(?b))"),
                ("?k (SUM(?a) AS ?n) (MIN(?b+1) AS ?m)", "GROUP BY (STR(?b) AS ?k)"),
                ("(COUNT(DISTINCT *) AS ?n)", ""),
                ("(COUNT(DISTINCT ?a) AS ?n)", "VALUES ?b { 1 ex:a }"),
                ("?a", "ORDER BY DESC(STR(?b)) ?a LIMIT 1000 OFFSET 0"),
            ]
        )
    )
    return f"{DECLARATIONS}SELECT {columns} WHERE {{ {where} }} {ending}"


@st.composite
def small_graphs(draw: st.DrawFn) -> list[Quad]:
    """A few triples in two graphs, over which the queries above find something."""
    nodes = [EX.a, EX.b, Literal(1), Literal(2), Literal("x"), Literal("x", language="en")]
    quad = st.builds(
        Quad,
        st.sampled_from([EX.a, EX.b]),
        st.sampled_from([EX.p, EX.q, RDF.type]),
        st.sampled_from(nodes),
        st.sampled_from([DefaultGraph(), EX.g]),
    )
    return draw(st.lists(quad, min_size=1, max_size=8))
