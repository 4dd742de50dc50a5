"""A form's fields: where they come from, how they are grouped, and that nothing which is stated is left out."""

from hpc_explorer.annotate.forms.form import Form, Reason, form_of, schema_for_forms
from hpc_explorer.annotate.forms.kinds import ValueKind, Widget
from hpc_explorer.annotate.forms.shapes import Allowed, read_shapes
from hpc_explorer.annotate.forms.values import Items, Node
from hpc_explorer.ontology.instances import count_usage
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.graphs import ex, store_of

ONTOLOGY = """
ex:Model a owl:Class ; rdfs:label 'model' ; rdfs:subClassOf ex:Data . ex:Data a owl:Class ; rdfs:label 'data' .
ex:File a owl:Class ; rdfs:subClassOf hpc:File . ex:Level a owl:Class ; rdfs:subClassOf skos:Concept .
ex:depth a owl:DatatypeProperty ; schema:domainIncludes ex:Model ; rdfs:range xsd:integer .
ex:below a rdf:Property ; rdfs:subPropertyOf ex:depth ; rdfs:domain ex:Model .
ex:about a owl:DatatypeProperty ; rdfs:subPropertyOf rdfs:comment ; rdfs:domain ex:Data .
ex:size a owl:ObjectProperty ; rdfs:domain ex:Data ; rdfs:range qudt:QuantityValue .
ex:file a owl:ObjectProperty ; rdfs:domain ex:Data ; rdfs:range ex:File .
ex:level a owl:ObjectProperty ; rdfs:domain ex:Data ; rdfs:range ex:Level .
ex:from a owl:ObjectProperty ; rdfs:domain ex:Data .
"""
GRAPH = """
ex:m a ex:Model ; ex:depth 3 , 'deep' ; ex:odd 'kept' ; ex:size [ qudt:value 16 ; qudt:unit unit:GigaBYTE ] ; ex:steps ( 1 2 ) .
ex:other a ex:Model ; ex:seen '2021-06-30'^^xsd:date . ex:high a ex:Level . ex:low a ex:Level .
"""


def form(graph: str = GRAPH, shapes: str = "", subject: NamedNode | None = ex("m")) -> Form:
    store = store_of(graph)
    schema = schema_for_forms(store, store_of(ONTOLOGY), count_usage(store))
    return form_of(store, schema, read_shapes(store_of(shapes)), subject=subject, classes=(ex("Model"),))


def widgets(made: Form) -> dict[str, Widget]:
    return {field.predicate.value.rsplit("/", 1)[-1]: field.widget for field in made.fields}


def test_each_field_has_the_widget_of_its_range() -> None:
    assert widgets(form()) == {
        "depth": Widget.INTEGER,
        "below": Widget.INTEGER,
        "about": Widget.MULTI_LINE,
        "size": Widget.QUANTITY,
        "file": Widget.FILE,
        "level": Widget.CHOICE,
        "from": Widget.LINK,
        "seen": Widget.DATE,
        "odd": Widget.TEXT,
        "steps": Widget.LIST,
    }
    level = form().field(ex("level"))
    assert level is not None
    assert level.kinds == (ValueKind(Widget.CHOICE, cls=ex("Level"), choices=(ex("high"), ex("low"))),)


def test_fields_are_grouped_by_the_nearest_class_that_has_them() -> None:
    groups = {group.label: {field.label for field in group.fields} for group in form().groups}
    assert list(groups) == ["model", "data", "Other properties"]
    assert groups["model"] == {"depth", "below"}
    assert groups["Other properties"] == {"seen", "odd", "steps"}


def test_what_is_stated_is_a_field_whatever_is_known_of_it() -> None:
    made = form()
    reasons = {field.predicate: field.reason for field in made.fields}
    assert reasons[ex("depth")] is Reason.DOMAIN_INCLUDES
    assert reasons[ex("size")] is Reason.DOMAIN
    assert reasons[ex("seen")] is Reason.USE
    assert reasons[ex("odd")] is Reason.USE
    alone = form("ex:m ex:odd 'kept' .")
    odd = alone.field(ex("odd"))
    assert odd is not None
    assert (odd.reason, odd.values) == (Reason.VALUE, (Literal("kept"),))
    assert alone.groups[-1].label == "Other properties"


def test_values_are_read_with_what_is_behind_their_blank_nodes() -> None:
    made = form()
    size, steps = made.field(ex("size")), made.field(ex("steps"))
    assert size is not None
    assert steps is not None
    (node,), (items,) = size.values, steps.values
    assert isinstance(node, Node)
    assert str(node.quantity) == "16 GB"
    assert isinstance(items, Items)
    assert [one.value for one in items.items if isinstance(one, Literal)] == ["1", "2"]
    assert len(items.cells) == 2


def test_a_value_that_its_field_does_not_expect_has_the_kind_that_it_is() -> None:
    depth = form().field(ex("depth"))
    assert depth is not None
    assert depth.kind_of(Literal("deep")).widget is Widget.TEXT
    assert depth.kind_of(Literal("3", datatype=XSD.integer)).widget is Widget.INTEGER
    assert depth.kind_of(ex("m")).widget is Widget.LINK
    assert depth.kind_of(BlankNode()).widget is Widget.LINK


def test_a_damaged_list_stays_a_link() -> None:
    made = form("ex:m a ex:Model ; ex:steps _:a . _:a rdf:first 1 ; rdf:rest _:a .")
    steps = made.field(ex("steps"))
    assert steps is not None
    assert isinstance(steps.values[0], BlankNode)


SHAPES = """
ex:Shape a sh:NodeShape ; sh:targetClass ex:Data ; sh:node ex:Taken ;
    sh:property [ sh:path ex:size ; sh:minCount 1 ; sh:order 2 ; sh:group ex:first ] ,
        [ sh:path ex:about ; sh:name 'what it is'@en ; sh:description 'in a sentence' ; sh:minCount 1 ; sh:maxCount 1 ; sh:order 1 ; sh:group ex:first ] ,
        [ sh:path ex:title ; sh:languageIn ( 'en' 'de' ) ] ,
        [ sh:path ex:format ; sh:in ( 'ONNX' 'h5' ) ] ,
        [ sh:path ex:by ; sh:or ( [ sh:class ex:Data ] [ sh:datatype xsd:string ] ) ] ,
        [ sh:path ex:page ; sh:nodeKind sh:IRI ] ,
        [ sh:path ex:off ; sh:deactivated true ] ,
        [ sh:path ( ex:a ex:b ) ; sh:minCount 1 ] ;
    sh:xone ( [ sh:property [ sh:path ex:one ; sh:minCount 1 ; sh:datatype xsd:date ] ] [ sh:property [ sh:path ex:two ] ] ) .
ex:Taken sh:property [ sh:path ex:code ; sh:pattern '^a' ; sh:flags 'i' ; sh:datatype xsd:string ] ; sh:node ex:Shape .
ex:first rdfs:label 'First' ; sh:order 0 .
ex:Model a sh:NodeShape , rdfs:Class ; sh:property [ sh:path ex:about ; sh:maxCount 3 ; sh:minCount 0 ] .
"""


def test_a_shape_says_what_is_required_and_in_which_order() -> None:
    made = form("", SHAPES, None)
    assert made.groups[0].label == "First"
    about, size = made.groups[0].fields
    assert (about.label, about.description, about.required, about.maximum) == ("what it is", "in a sentence", True, 1)
    assert (size.predicate, size.widget, size.required) == (ex("size"), Widget.QUANTITY, True)
    assert all(field.reason is Reason.SHAPE for field in made.groups[0].fields)


def test_a_shapes_kinds_win_over_the_ontologys() -> None:
    made = form("", SHAPES, None)
    found = {field.predicate.value.rsplit("/", 1)[-1]: field for field in made.fields}
    assert found["title"].kinds == (ValueKind(Widget.LANGUAGE_TEXT, RDF.langString),)
    assert found["title"].languages == ("en", "de")
    assert found["format"].kinds[0].choices == (Literal("ONNX"), Literal("h5"))
    assert found["by"].kinds == (ValueKind(Widget.LINK, cls=ex("Data")), ValueKind(Widget.TEXT, XSD.string))
    assert found["page"].widget is Widget.IRI
    assert found["code"].pattern == "(?i)^a"
    assert (found["one"].widget, found["one"].required) == (Widget.DATE, False)
    assert "off" not in found
    assert "a" not in found


def test_shapes_are_read_from_classes_too() -> None:
    by_target = {cls: shape for shape in read_shapes(store_of(SHAPES)) for cls in shape.targets}
    assert set(by_target) == {ex("Data"), ex("Model")}
    code = next(one for one in by_target[ex("Data")].properties if one.path == ex("code"))
    assert code.allowed == (Allowed(datatype=XSD.string),)


def test_an_empty_graph_has_an_empty_form() -> None:
    store = LocalStore.in_memory()
    schema = schema_for_forms(store, store, count_usage(store))
    assert form_of(store, schema, ()).groups == ()


def test_a_shape_that_only_warns_recommends_and_does_not_require() -> None:
    shapes = """
    ex:S a sh:NodeShape ; sh:targetClass ex:Model ;
        sh:property [ sh:path ex:about ; sh:minCount 1 ; sh:pattern '^x' ; sh:severity sh:Warning ] ;
        sh:property [ sh:path ex:depth ; sh:minCount 1 ] .
    """
    about, depth = (form(shapes=shapes).field(ex(name)) for name in ("about", "depth"))
    assert about is not None
    assert depth is not None
    assert (about.required, about.recommended, about.pattern) == (False, True, "")
    assert (depth.required, depth.recommended) == (True, False)


def test_what_a_shape_only_says_to_be_a_node_is_of_the_range_or_of_the_class_that_another_part_names() -> None:
    shapes = """
    ex:S a sh:NodeShape ; sh:targetClass ex:Model ;
        sh:property [ sh:path ex:file ; sh:nodeKind sh:IRI ] ;
        sh:property [ sh:path ex:from ; sh:nodeKind sh:BlankNodeOrIRI ; sh:or ( [ sh:class ex:Model ] ex:Untyped ) ] .
    ex:Untyped a sh:NodeShape ; sh:not [ a sh:NodeShape ; sh:class ex:Data ] .
    """
    made = form(shapes=shapes)
    file, origin = (made.field(ex(name)) for name in ("file", "from"))
    assert file is not None
    assert origin is not None
    assert file.kinds == (ValueKind(Widget.FILE, cls=ex("File")),)
    assert origin.kinds == (ValueKind(Widget.LINK, cls=ex("Model")),)
