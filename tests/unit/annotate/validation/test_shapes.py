"""Files of shapes: what can be used is, what cannot is refused with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from hpc_explorer.annotate.validation.shapes import Shapes, shapes_with, shipped_shapes
from hpc_explorer.annotate.validation.view import GraphView
from hpc_explorer.errors import DamagedShapes, SourceNotFound, SourceSyntaxError
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.graphs import ex, store_of

PREFIXES = "@prefix : <http://example.org/> . @prefix sh: <http://www.w3.org/ns/shacl#> .\n"


def shapes_file(folder: Path, text: str) -> Path:
    file = folder / "mine.ttl"
    file.write_text(PREFIXES + text, encoding="utf-8")
    return file


def test_shapes_of_a_file_stand_beside_those_that_ship_or_alone(tmp_path: Path) -> None:
    file = shapes_file(tmp_path, ":S a sh:NodeShape ; sh:targetClass :C ; sh:property [ sh:path :p ; sh:minCount 1 ] .")
    both, alone = shapes_with([file, file]), shapes_with([file], shipped=False)
    assert both.files == (file,)
    assert {one.value for one in alone.target_classes} == {"http://example.org/C"}
    assert both.target_classes == shipped_shapes().target_classes | alone.target_classes
    assert shapes_with([]) is shipped_shapes()


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        (":S a sh:NodeShape ;\n sh:targetClass :C ;\n sh:property [ sh:path :p ; sh:minCount 'one' ] .", ":2 (shape S)", "minCount"),
        (":S a sh:NodeShape ;\n sh:targetClass :C ;\n sh:property [ sh:path :p ; sh:pattern '[' ] .", "", "not a usable shape"),
        (":S a sh:NodeShape ; sh:targetClass :C ; sh:property [ sh:minCount 1 ] .", "", "not a usable shape"),
        (":S a sh:NodeShape ; sh:targetClass :C ; sh:property [ sh:path :p ; sh:pattern '^(?=a)(a+)+$' ] .", "", "unbounded"),
        (":S a sh:NodeShape ;\n sh:targetClass :C ;\n sh:js [ sh:jsFunctionName 'f' ] .", ":2 (shape S)", "JavaScript"),
        (":S a sh:PropertyShape ; sh:targetClass :C .", "mine.ttl", "must include one `sh:path`"),
        (":S a sh:NodeShape ; sh:targetClass :C ; sh:or 1 .", "mine.ttl", "RDF list"),
        (":S a sh:NodeShape ;\n sh:targetClass :C ; sh:deactivated 1 .", ":2 (shape S)", "sh:deactivated"),
        (":S a :Thing .", "mine.ttl", "no shape in it has a target"),
    ],
)  # fmt: skip
def test_broken_shapes_are_refused_with_their_place(tmp_path: Path, text: str, where: str, what: str) -> None:
    with pytest.raises(DamagedShapes) as refused:
        shapes_with([shapes_file(tmp_path, text)])
    assert where in refused.value.where
    assert what in str(refused.value)
    assert refused.value.remedy


def test_each_shape_has_its_own_targets_and_paths() -> None:
    targets = {
        "Class": "a :C", "Node": "a :None", "SubjectsOf": "a :None ; :p 1", "ObjectsOf": "a :None",
    }  # fmt: skip
    text = "".join(
        f":{name}{state} a sh:NodeShape ; sh:target{name} :{place} ; sh:deactivated {state} ."
        f" :{name} a sh:NodeShape ; sh:target{name} :{place} ."
        for name, place in zip(targets, ("C", "it", "p", "q"), strict=True)
        for state in ("true", "false")
    )
    shapes = Shapes(
        store_of(
            f"{PREFIXES}{text} :K a rdfs:Class , sh:NodeShape . :Off a rdfs:Class , sh:NodeShape ; sh:deactivated true ."
            " :one sh:path [ sh:alternativePath ( :p :q ) ] . :two sh:path [ sh:alternativePath ( :r :s ) ] ."
            " :three sh:path :p . :four sh:path [ sh:inversePath :p ] . :five sh:path ( :p :q ) ."
        )
    )
    for name, said in targets.items():
        view = GraphView(
            store_of(f"{PREFIXES} :it {said} . :other a :Other{' ; :q :it' * (name == 'ObjectsOf')} ."),
            background=LocalStore.in_memory(),
            superclasses=lambda cls: frozenset((cls,)),
        )
        found = set(shapes.for_node(view, ex("it")))
        assert {ex(name), ex(f"{name}false")} <= found
        assert not found & {ex(f"{one}true") for one in targets}
    assert shapes.target_classes == {ex("C"), ex("K")}
    properties = {"one": "pq", "two": "rs", "three": "p", "four": "", "five": ""}
    assert {one: shapes.properties(ex(one)) for one in properties} == {
        one: tuple(map(ex, names)) for one, names in properties.items()
    }


def test_what_is_no_turtle_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(SourceSyntaxError) as refused:
        shapes_with([shapes_file(tmp_path, ":S a sh:NodeShape ;\n sh:targetClass .")])
    assert "mine.ttl:3" in refused.value.where
    with pytest.raises(SourceNotFound):
        shapes_with([tmp_path / "none.ttl"])
