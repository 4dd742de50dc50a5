"""Scenes as GraphML, read back by networkx."""

from __future__ import annotations

import io

import networkx
from hypothesis import given

from hpc_explorer.canvas.export.graphml import EDGE_DATA, NODE_DATA, to_graphml
from hpc_explorer.canvas.layout import arrange
from hpc_explorer.canvas.palette import LIGHT, class_look
from hpc_explorer.canvas.scene import Scene, SceneEdge, SceneNode
from hpc_explorer.canvas.text import clean
from tests.helpers.scenes import scenes, story


def read(scene: Scene) -> networkx.MultiDiGraph:
    written = to_graphml(scene, arrange(scene), LIGHT).encode()
    return networkx.read_graphml(io.BytesIO(written), force_multigraph=True)


def test_nodes_come_back_with_their_name_class_place_and_look() -> None:
    scene = story()
    graph, layout = read(scene), arrange(scene)
    assert list(graph) == [node.key for node in scene.nodes]
    for node in scene.nodes:
        found = graph.nodes[node.key]
        assert set(found) == set(NODE_DATA)
        assert (found["label"], found["class"], found["caption"]) == (node.label, node.kind, node.caption or "")
        assert (found["x"], found["y"]) == layout.places[node.key].centre
        assert (found["colour"], found["icon"], found["shape"]) == (
            (look := class_look(LIGHT, node.kind)).colour,
            look.icon,
            look.shape,
        )


def test_links_come_back_with_predicate_origin_and_graphs() -> None:
    nodes = (SceneNode("http://x/a", "A"), SceneNode("_:b", "B"))
    edges = (
        SceneEdge("http://x/a", "_:b", "used", "inferred", predicate="http://x/used", graphs=("urn:g1", "urn:g2")),
        SceneEdge("http://x/a", "_:b", "made", "matched"),
        SceneEdge("_:b", "_:b", "is", "asserted"),
    )
    graph = read(Scene(nodes, edges))
    assert graph.is_directed()
    found = list(graph.edges(data=True))
    assert [(source, target) for source, target, _ in found] == [(edge.source, edge.target) for edge in edges]
    assert all(set(data) >= set(EDGE_DATA) for *_, data in found)
    assert [(data["label"], data["origin"]) for *_, data in found] == [(edge.label, edge.origin) for edge in edges]
    assert (found[0][2]["predicate"], found[0][2]["graphs"]) == ("http://x/used", "urn:g1 urn:g2")
    assert (graph.nodes["http://x/a"]["iri"], graph.nodes["_:b"]["iri"]) == ("http://x/a", "")


@given(scenes(most=10))
def test_any_scene_comes_back(scene: Scene) -> None:
    graph = read(scene)
    assert [graph.nodes[key]["label"] for key in graph] == [clean(node.label) for node in scene.nodes]
    ends = sorted((source, target, data["label"]) for source, target, data in graph.edges(data=True))
    assert ends == sorted((edge.source, edge.target, clean(edge.label)) for edge in scene.edges)
