"""What is typed becomes a value with its datatype; what cannot be one is refused in words; a value's text reads back."""

from datetime import date, datetime, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.annotate.forms.entries import check_value, entry_text, quantity_parts, read_entry
from hpc_explorer.annotate.forms.form import Field, Reason
from hpc_explorer.annotate.forms.kinds import ValueKind, Widget, kind_of_datatype, kind_of_term
from hpc_explorer.annotate.forms.values import Items, Node, entry_node, quantity_node
from hpc_explorer.errors import WrongEntry
from hpc_explorer.rdf.datatypes import INTEGERS
from hpc_explorer.rdf.namespaces import HPC, QUDT, RDF, UNIT, XSD
from hpc_explorer.rdf.quantities import known_units
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Term

QUANTITY = ValueKind(Widget.QUANTITY)
KEY_VALUE = ValueKind(Widget.KEY_VALUE)


def typed(text: str, datatype: NamedNode) -> str:
    value = read_entry(text, kind_of_datatype(datatype))
    assert isinstance(value, Literal)
    assert value.datatype == datatype
    return value.value


@pytest.mark.parametrize(
    ("text", "datatype", "spelled"),
    [
        ("442,010.00", XSD.decimal, "442010.00"),
        (" 7,630,848 ", XSD.integer, "7630848"),
        ("0.9600", XSD.double, "0.9600"),
        ("-1.5e-3", XSD.double, "-1.5e-3"),
        ("yes", XSD.boolean, "true"),
        ("False", XSD.boolean, "false"),
        ("2021-6-30", XSD.date, "2021-06-30"),
        ("9:05", XSD.time, "09:05:00"),
        ("2021-06-30 14:30 UTC", XSD.dateTime, "2021-06-30T14:30:00Z"),
        ("2021-06-30T14:30:05.250+0200", XSD.dateTime, "2021-06-30T14:30:05.250+02:00"),
        ("1 h 30 min", XSD.duration, "PT1H30M"),
        ("2 days 90.5 s", XSD.duration, "P2DT90.5S"),
        ("https://example.org/a", XSD.anyURI, "https://example.org/a"),
        ("  as it is ", XSD.string, "  as it is "),
    ],
)
def test_a_text_is_read_by_its_datatype(text: str, datatype: NamedNode, spelled: str) -> None:
    assert typed(text, datatype) == spelled


@pytest.mark.parametrize(
    ("text", "datatype", "words"),
    [
        ("1,5", XSD.decimal, "not a number"),
        ("١٢", XSD.integer, "not a number"),
        ("٢٠٢١-06-30", XSD.date, "not a date"),
        ("None", XSD.integer, "not a number"),
        ("3.0", XSD.integer, "not a whole number"),
        ("300", XSD.byte, "at least -128 and at most 127"),
        ("-1", XSD.nonNegativeInteger, "at least 0"),
        ("1e3", XSD.decimal, "no exponent"),
        ("9" * 1_001, XSD.integer, "too long"),
        ("maybe", XSD.boolean, "neither yes nor no"),
        ("2021-02-29", XSD.date, "not a calendar date"),
        ("30.06.2021", XSD.date, "not a date"),
        ("24:01", XSD.time, "no such time"),
        ("12:00 +15:00", XSD.time, "no such time zone"),
        ("2021-06-30 14:30", XSD.dateTimeStamp, "without a time zone"),
        ("soon", XSD.duration, "not a duration"),
        ("", XSD.duration, "not a duration"),
        ("P1Y", XSD.dayTimeDuration, "no fixed length"),
        ("1 h", XSD.yearMonthDuration, "not years and months"),
        ("http://example.org/a b", XSD.anyURI, "IRI"),
        ("example", XSD.anyURI, "IRI"),
    ],
)
def test_what_cannot_be_such_a_value_is_refused_in_words(text: str, datatype: NamedNode, words: str) -> None:
    with pytest.raises(WrongEntry, match=words) as error:
        read_entry(text, kind_of_datatype(datatype))
    assert error.value.remedy


def test_texts_in_a_language() -> None:
    kind = ValueKind(Widget.LANGUAGE_TEXT, RDF.langString)
    assert read_entry("Baum", kind, language="de-AT") == Literal("Baum", language="de-AT")
    assert read_entry("Baum", kind) == Literal("Baum")
    with pytest.raises(WrongEntry, match="not a language tag"):
        read_entry("Baum", kind, language="de AT")


def quantity(text: str, before: Node | None = None) -> Node:
    value = read_entry(text, QUANTITY, before=before)
    assert isinstance(value, Node)
    return value


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("16 GB", "16", UNIT.GigaBYTE),
        ("16GB", "16", UNIT.GigaBYTE),
        ("442,010.00 TFLOP/S", "442010.00", UNIT.TeraFLOPS),
        ("40 %", "40", UNIT.PERCENT),
        ("1.5 unit:KiloW", "1.5", UNIT.KiloW),
    ],
)
def test_a_quantity_is_a_number_with_its_unit(text: str, number: str, unit: NamedNode) -> None:
    assert quantity(text).facts == {
        (RDF.type, QUDT.QuantityValue),
        (QUDT.value, Literal(number, datatype=XSD.decimal)),
        (QUDT.unit, unit),
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [("16", "needs a unit"), ("16 furlongs", "unknown unit"), ("GB", "not a number with"), ("1,6 GB", "not a number")],
)
def test_what_is_no_quantity_is_refused(text: str, words: str) -> None:
    with pytest.raises(WrongEntry, match=words):
        quantity(text)


def test_a_changed_quantity_keeps_its_node_its_predicates_and_what_else_it_says() -> None:
    note = (HPC.description, Literal("measured"))
    furlong = Node(
        frozenset({(QUDT.numericValue, Literal("8", datatype=XSD.float)), (QUDT.hasUnit, UNIT.FURLONG), note}),
        BlankNode("here"),
    )
    assert quantity(entry_text(furlong), furlong) == furlong
    changed = quantity("9 FURLONG", furlong)
    assert changed.at == furlong.at
    assert changed.facts == {(QUDT.numericValue, Literal("9", datatype=XSD.float)), (QUDT.hasUnit, UNIT.FURLONG), note}


def test_a_key_with_its_value() -> None:
    value = read_entry("batch size = 32", KEY_VALUE)
    assert isinstance(value, Node)
    assert value.entry == ("batch size", Literal("32", datatype=XSD.integer))
    assert entry_text(value) == "batch size = 32"
    for text in ("batch size", "= 3", "a ="):
        with pytest.raises(WrongEntry, match="not a key"):
            read_entry(text, KEY_VALUE)


def test_a_choice_is_one_of_its_list() -> None:
    kind = ValueKind(Widget.CHOICE, choices=(Literal("ONNX"), HPC.Dataset))
    assert read_entry("ONNX", kind) == Literal("ONNX")
    assert read_entry("hpc:Dataset", kind) == HPC.Dataset
    with pytest.raises(WrongEntry, match="not one of the choices"):
        read_entry("hpc:Data", kind)


def field(**rules: object) -> Field:
    return Field(HPC.name, "name", "", (ValueKind(Widget.TEXT, XSD.string),), Reason.SHAPE, **rules)  # type: ignore[arg-type]  # as given


def test_a_fields_own_rules() -> None:
    check_value(field(pattern="^[A-Z]"), Literal("Tree"))
    with pytest.raises(WrongEntry, match="not a valid name"):
        check_value(field(pattern="^[A-Z]"), Literal("tree"))
    check_value(field(pattern=r"\i\c*"), Literal("tree"))  # what Python cannot read refuses nothing
    check_value(field(languages=("de",)), Literal("Baum", language="de-AT"))
    with pytest.raises(WrongEntry, match="not in a language"):
        check_value(field(languages=("de",)), Literal("tree", language="en"))


# --- round trips

_INTEGERS = st.sampled_from(sorted(INTEGERS, key=str))
_ZONES = st.sampled_from(["", "Z", "+02:00", "-11:30"])
_DIGITS = st.from_regex(r"[+-]?(0|[1-9][0-9]{0,12})(\.[0-9]{1,6})?", fullmatch=True)
_NAMES = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1).map(str.strip)


@st.composite
def literals(draw: st.DrawFn) -> Literal:
    """A literal of each kind, spelled as XML Schema has it."""
    zone = draw(_ZONES)
    spelled, datatype = draw(
        st.one_of(
            st.tuples(st.integers(0, 127).map(str), st.sampled_from([XSD.integer, XSD.byte, XSD.unsignedLong])),
            st.tuples(st.integers().map(str), st.just(XSD.integer)),
            st.tuples(_DIGITS, st.sampled_from([XSD.decimal, XSD.double, XSD.float])),
            st.tuples(
                st.floats().map(lambda x: str(x).replace("inf", "INF").replace("nan", "NaN")), st.just(XSD.double)
            ),
            st.tuples(st.sampled_from(["true", "false"]), st.just(XSD.boolean)),
            st.tuples(st.dates(date(1, 1, 1)).map(lambda day: day.isoformat() + zone), st.just(XSD.date)),
            st.tuples(st.times().map(lambda hour: time.isoformat(hour) + zone), st.just(XSD.time)),
            st.tuples(st.datetimes().map(lambda at: datetime.isoformat(at) + zone), st.just(XSD.dateTime)),
            st.tuples(
                st.from_regex(r"-?P[0-9]{1,3}D(T[0-9]{1,2}H[0-9]{1,2}M)?", fullmatch=True), st.just(XSD.duration)
            ),
            st.tuples(st.text(), st.just(XSD.string)),
        )
    )
    return Literal(spelled, datatype=datatype)


@given(literals())
def test_a_literals_text_reads_back_as_it(value: Literal) -> None:
    assert read_entry(entry_text(value), kind_of_term(value)) == value


@given(_DIGITS, st.sampled_from(sorted(known_units(), key=str)))
def test_a_quantitys_text_reads_back_as_it(number: str, unit: NamedNode) -> None:
    node = quantity_node(Literal(number, datatype=XSD.decimal), unit)
    again = quantity(entry_text(node), node)
    assert again == node
    assert quantity(entry_text(node)).facts == node.facts


@given(_NAMES.filter(lambda name: bool(name) and "=" not in name), literals())
def test_an_entrys_text_reads_back_as_it(key: str, value: Literal) -> None:
    node = entry_node(key, value)
    text = entry_text(node)
    if entry_text(value) and entry_text(value) == entry_text(value).strip():
        assert read_entry(text, KEY_VALUE, before=node) == node


@given(st.lists(st.one_of(st.integers().map(lambda n: Literal(str(n), datatype=XSD.integer)), st.just(HPC.Dataset))))
def test_a_lists_text_reads_back_as_it(items: list[Term]) -> None:
    assert read_entry(entry_text(Items(tuple(items))), ValueKind(Widget.LIST)) == Items(tuple(items))


def test_a_node_without_a_name_stays_as_it_is_and_cannot_be_typed() -> None:
    link, node = ValueKind(Widget.LINK), BlankNode("b")
    assert read_entry("_:b", link, before=node) == node
    with pytest.raises(WrongEntry, match="unknown prefix"):
        read_entry("_:other", link, before=node)


def test_a_relative_reference_stays_as_it_is_and_cannot_be_typed() -> None:
    address, value = kind_of_datatype(XSD.anyURI), Literal("points.csv", datatype=XSD.anyURI)
    assert read_entry("points.csv", address, before=value) == value
    with pytest.raises(WrongEntry, match="not an absolute IRI"):
        read_entry("other.csv", address, before=value)


def test_a_changed_list_keeps_its_other_items() -> None:
    yes, five = Literal("true", datatype=XSD.boolean), Literal("5")
    before = Items((yes, BlankNode("b"), five), (BlankNode("c"),))
    changed = read_entry("yes\n_:b\n6\n5", ValueKind(Widget.LIST), before=before)
    assert changed == Items((yes, BlankNode("b"), Literal("6", datatype=XSD.integer), five), before.cells)
    lines = Items((Literal("two\nlines"),))
    assert read_entry("two\nlines", ValueKind(Widget.LIST), before=lines) == lines
    with pytest.raises(WrongEntry, match="an item that cannot be edited"):
        read_entry("two\nlines\nmore", ValueKind(Widget.LIST), before=lines)


@given(st.text(), st.sampled_from([*(kind_of_datatype(one) for one in sorted(INTEGERS, key=str)), QUANTITY, KEY_VALUE,
    *(kind_of_datatype(one) for one in (XSD.double, XSD.date, XSD.time, XSD.dateTime, XSD.duration, XSD.anyURI, XSD.boolean)), ValueKind(Widget.LINK), ValueKind(Widget.LIST)]))  # fmt: skip
def test_no_text_ends_in_anything_but_a_value_or_a_refusal(text: str, kind: ValueKind) -> None:
    try:
        value = read_entry(text, kind)
    except WrongEntry as error:
        assert error.what
    else:
        assert value is not None


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (" 16 GB ", ("16", "GB")),
        ("442,010.00TFLOP/s", ("442,010.00", "TFLOP/s")),
        ("1e3", ("1e3", "")),
        ("2 eV", ("2", "eV")),
        ("2eV", ("2", "eV")),
        ("GB", None),
        ("", None),
    ],
)
def test_a_quantity_is_a_number_and_its_unit(text: str, parts: tuple[str, str] | None) -> None:
    assert quantity_parts(text) == parts
