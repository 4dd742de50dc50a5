"""A query as a picture: variables as round nodes, known terms as cards, properties as arrows.

Conditions on a value are written below its node. The picture maps its nodes and lines to elements of the query, so that
these can be removed there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from hpc_explorer.canvas.scene import Origin, Scene, SceneEdge, SceneNode
from hpc_explorer.canvas.text import brief
from hpc_explorer.ontology.labels import words
from hpc_explorer.query.model.conditions import Condition, condition_variables
from hpc_explorer.query.model.paths import AlternativePath, InversePath, NegatedPath, Path, RepeatedPath, SequencePath
from hpc_explorer.query.model.patterns import (
    AbsentGroup,
    Alternatives,
    Element,
    Filter,
    Group,
    InGraph,
    Locked,
    Node,
    OptionalGroup,
    PresentGroup,
    QuantityRange,
    Statement,
    Values,
    groups_of,
)
from hpc_explorer.query.model.places import Place
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.query.sentence.wording import Names, any_of, condition_words, quantity_words, statement_of
from hpc_explorer.rdf.literals import literal_text
from hpc_explorer.rdf.terms import NamedNode, Variable

LONGEST_TEXT = 60
"""The maximum number of characters of a text on a card."""

EMPTY_TEXT = "The query is empty. Choose what to look for, and it is drawn here."


@dataclass(frozen=True)
class Removable:
    """A part of a query that can be removed in its picture.

    Args:
        place: the place of its element.
        text: its words.
    """

    place: Place
    text: str


@dataclass(frozen=True)
class PatternPicture:
    """The picture of a query.

    Args:
        variables: the variables of the round nodes by key.
        edges: the parts for the lines of the scene, in the same order.
        conditions: the parts written on nodes, by key.
    """

    scene: Scene
    variables: Mapping[str, Variable]
    edges: tuple[Removable, ...]
    conditions: Mapping[str, tuple[Removable, ...]]

    def removable_at(self, key: str) -> tuple[Removable, ...]:
        """The parts at a node that can be removed: its own conditions, then its lines."""
        lines = (
            piece for edge, piece in zip(self.scene.edges, self.edges, strict=True) if key in (edge.source, edge.target)
        )
        return (*self.conditions.get(key, ()), *lines)


def pattern_picture(query: QueryModel, focus: Variable | None, names: Names) -> PatternPicture:
    """Draw a query.

    Args:
        names: returns the names of resources.
    """
    drawing = _Drawing(focus, names)
    drawing.group(query.where, (), _Context())
    return drawing.picture()


@dataclass(frozen=True)
class _Context:
    """The context of a group: the line style of its statements, and words before them."""

    origin: Origin = "required"
    before: tuple[str, ...] = ()

    def within(self, origin: Origin | None = None, word: str = "") -> _Context:
        # Everything inside an absent group is absent.
        kept = self.origin if self.origin == "absent" or origin is None else origin
        return _Context(kept, (*self.before, word) if word else self.before)

    def said(self, text: str) -> str:
        """The text with those words before it."""
        return ": ".join((" ".join(self.before), text)) if self.before else text


@dataclass
class _Drawn:
    """A node being drawn."""

    label: str
    kind: str = ""
    colour_key: str = "other"
    classes: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    pieces: list[Removable] = field(default_factory=list)


class _Drawing:
    """The nodes and lines found in the query so far."""

    def __init__(self, focus: Variable | None, names: Names) -> None:
        self._focus = focus
        self._names = names
        self._nodes: dict[str, _Drawn] = {}
        self._variables: dict[str, Variable] = {}
        self._edges: list[SceneEdge] = []
        self._pieces: list[Removable] = []
        if focus is not None:
            self.variable(focus)

    def group(self, group: Group, place: Place, context: _Context) -> None:
        """Draw the elements of a group."""
        for number, element in enumerate(group.elements):
            self._element(element, (*place, number), context)

    def _element(self, element: Element, place: Place, context: _Context) -> None:
        match element:
            case Statement():
                self._statement(element, place, context)
            case Filter():
                self._condition(element.condition, place, context)
            case QuantityRange():
                self._note(element.node, context, quantity_words(element), place)
            case Values():
                self._values(element, place, context)
            case Locked():
                self._locked(element, place)
            case Alternatives():
                for number, group in enumerate(element.groups):
                    several = len(element.groups) > 1
                    word = ("either" if number == 0 else "or") if several else ""
                    self.group(group, (*place, number), context.within(word=word))
            case _:
                inner = context
                match element:
                    case OptionalGroup():
                        inner = context.within("optional", "optional")
                    case AbsentGroup():
                        inner = context.within("absent", "not")
                    case PresentGroup():
                        inner = context.within(word="there is")
                    case InGraph():
                        graph = _sign(element.name) if isinstance(element.name, Variable) else self._names(element.name)
                        inner = context.within(word=f"in {graph}")
                (group,) = groups_of(element)
                if len(group.elements) == 1 and not groups_of(group.elements[0]):
                    # Removing the only part removes the group.
                    self._element(group.elements[0], place, inner)
                else:
                    self.group(group, (*place, 0), inner)

    def _statement(self, statement: Statement, place: Place, context: _Context) -> None:
        cls = statement.class_of_subject
        if cls is not None and isinstance(statement.subject, Variable):
            node = self._nodes[self.variable(statement.subject)]
            name = self._names(cls)
            if context.origin == "required" and not context.before:
                node.classes.append(name)
                node.colour_key = name
            else:
                node.lines.append(context.said(name))
            node.pieces.append(Removable(place, f"{node.label} of the class {context.said(name)}"))
            return
        source, target = self._node(statement.subject), self._node(statement.object)
        predicate = statement.predicate
        while isinstance(predicate, InversePath):
            source, target, predicate = target, source, predicate.path
        said = f"?{predicate.value}" if isinstance(predicate, Variable) else path_words(predicate, self._names)
        label = context.said(said)
        self._edges.append(SceneEdge(source, target, label, context.origin))
        ends = (self._nodes[source].label, self._nodes[target].label)
        self._pieces.append(Removable(place, f"{ends[0]} {label} {ends[1]}"))

    def _condition(self, condition: Condition, place: Place, context: _Context) -> None:
        variables = list(dict.fromkeys(condition_variables(condition)))
        in_words = condition_words if len(variables) == 1 else statement_of
        said = _brief(in_words(condition, self._names, _sign))
        for variable in variables[:1]:
            self._note(variable, context, said, place)
        if not variables:
            self._chip(said, "condition", place)

    def _values(self, values: Values, place: Place, context: _Context) -> None:
        if len(values.variables) == 1:
            said = f"is {any_of([row[0] for row in values.rows], self._names)}"
            self._note(values.variables[0], context, said, place)
            return
        for number, variable in enumerate(values.variables):
            column = dict.fromkeys(row[number] for row in values.rows)
            said = f"is {any_of(column, self._names)}, together with others"
            self._note(variable, context, said, place)

    def _locked(self, locked: Locked, place: Place) -> None:
        key = self._chip(locked.text, "kept as text", place)
        for variable in locked.variables:
            self._edges.append(SceneEdge(key, self.variable(variable), "", "kept"))
            self._pieces.append(Removable(place, _brief(locked.text)))

    def _note(self, variable: Variable, context: _Context, said: str, place: Place) -> None:
        node = self._nodes[self.variable(variable)]
        node.lines.append(context.said(said))
        node.pieces.append(Removable(place, f"{node.label}: {context.said(said)}"))

    def _chip(self, text: str, kind: str, place: Place) -> str:
        key = f"text {'.'.join(map(str, place))}"
        self._nodes[key] = _Drawn(_brief(text), kind, pieces=[Removable(place, _brief(text))])
        return key

    def variable(self, variable: Variable) -> str:
        """The key of a variable's node."""
        key = f"?{variable.value}"
        if key not in self._nodes:
            self._nodes[key] = _Drawn(f"{words(variable.value)}?")
            self._variables[key] = variable
        return key

    def _node(self, node: Node) -> str:
        if isinstance(node, Variable):
            return self.variable(node)
        key = str(node)
        if key not in self._nodes:
            label = self._names(node) if isinstance(node, NamedNode) else literal_text(node)
            self._nodes[key] = _Drawn(_brief(label), "" if isinstance(node, NamedNode) else "value")
        return key

    def picture(self) -> PatternPicture:
        """The finished picture."""
        nodes = tuple(self._scene_node(key, node) for key, node in self._nodes.items())
        edges = tuple(replace(edge, tooltip=piece.text) for edge, piece in zip(self._edges, self._pieces, strict=True))
        return PatternPicture(
            Scene(nodes, edges, "Query", "layered", empty_text=EMPTY_TEXT),
            self._variables,
            tuple(self._pieces),
            {key: tuple(node.pieces) for key, node in self._nodes.items() if node.pieces},
        )

    def _scene_node(self, key: str, node: _Drawn) -> SceneNode:
        variable = self._variables.get(key)
        label = f"{' and '.join(dict.fromkeys(node.classes))}?" if node.classes else node.label
        return SceneNode(
            key,
            label,
            node.kind,
            node.colour_key,
            caption=key if variable is not None else None,
            tooltip="\n".join([key, *node.lines]) if variable is not None else key,
            focus=variable is not None and variable == self._focus,
            stop="; ".join(node.lines) or None,
            round=variable is not None,
        )


def path_words(path: Path, names: Names) -> str:
    """A property path in words, along its arrow."""
    match path:
        case NamedNode():
            return names(path)
        case InversePath():
            return f"is {path_words(path.path, names)} of"
        case SequencePath():
            return " / ".join(path_words(step, names) for step in path.steps)
        case AlternativePath():
            return " or ".join(path_words(choice, names) for choice in path.choices)
        case RepeatedPath():
            times = {"*": "any number of times", "+": "once or more", "?": "at most once"}[path.sign]
            return f"{path_words(path.path, names)} ({times})"
        case NegatedPath():
            inverse = [f"is {names(one)} of" for one in path.inverse]
            return f"anything but {', '.join([*map(names, path.forward), *inverse])}"


def _sign(variable: Variable) -> str:
    return f"?{variable.value}"


def _brief(text: str) -> str:
    return brief(" ".join(text.split()), LONGEST_TEXT)
