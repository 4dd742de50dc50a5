"""SHACL constraint components that replace those of pySHACL where they depart from the recommendation.

pySHACL's own components use Python values of literals: any text that Python can parse is well-formed, IRIs are compared
as texts, a number is less than a date, and a blank node stops the validation. Imported when needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pyshacl.constraints import CONSTRAINT_PARAMETERS_MAP
from pyshacl.constraints.constraint_component import ConstraintComponent
from pyshacl.constraints.core.property_pair_constraints import (
    LessThanConstraintComponent,
    LessThanOrEqualsConstraintComponent,
)
from pyshacl.constraints.core.string_based_constraints import LanguageInConstraintComponent, PatternConstraintComponent
from pyshacl.constraints.core.value_constraints import DatatypeConstraintComponent
from pyshacl.constraints.core.value_range_constraints import (
    MaxExclusiveConstraintComponent,
    MaxInclusiveConstraintComponent,
    MinExclusiveConstraintComponent,
    MinInclusiveConstraintComponent,
)
from pyshacl.shape import Shape

from hpc_explorer.annotate.validation.literals import compares, is_of_datatype
from hpc_explorer.annotate.validation.rdflib_terms import from_rdflib, to_rdflib
from hpc_explorer.rdf.namespaces import SH
from hpc_explorer.rdf.regular_expressions import pattern_of
from hpc_explorer.rdf.terms import NamedNode, Term

_Values = Mapping[Any, Iterable[Any]]
_Outcome = tuple[bool, list[Any]]


def _results(component: ConstraintComponent, graph: Any, nodes: _Values, is_wrong: Callable[[Term], bool]) -> _Outcome:
    """The results of a component that tests each value separately."""
    reports = [
        component.make_v_result(graph, focus, value_node=value)
        for focus, values in nodes.items()
        for value in values
        if is_wrong(from_rdflib(value))
    ]
    return not reports, reports


class _Datatype(DatatypeConstraintComponent):
    """`sh:datatype` by the lexical spaces of XML Schema."""

    def evaluate(self, executor: Any, target_graph: Any, focus_value_nodes: Any, _evaluation_path: Any) -> Any:
        datatype = NamedNode(str(self.datatype_rule))
        return _results(self, target_graph, focus_value_nodes, lambda value: not is_of_datatype(value, datatype))


def _comparing(
    base: type[ConstraintComponent],
    others: Callable[[Any, Any, Any], Iterable[Any]],
    is_right: Callable[[Term, Term], bool],
) -> type[ConstraintComponent]:
    """A component that compares values with others, with a result for each failing pair.

    Args:
        base: pySHACL's component, which reads the shape.
        others: returns the values to compare with for the component, the graph and the focus node.
        is_right: whether a pair conforms.
    """

    def evaluate(self: Any, executor: Any, target_graph: Any, focus_value_nodes: _Values, _path: Any) -> _Outcome:
        reports = []
        for focus, values in focus_value_nodes.items():
            terms = [from_rdflib(one) for one in others(self, target_graph, focus)]
            for value in values:
                wrong = sum(not is_right(from_rdflib(value), one) for one in terms)
                reports += [self.make_v_result(target_graph, focus, value_node=value) for _ in range(wrong)]
        return not reports, reports

    return type(base.__name__, (base,), {"evaluate": evaluate})


def _least(component: Any, graph: Any, focus: Any) -> Iterable[Any]:
    bounds: Iterable[Any] = component.min_vals
    return bounds


def _greatest(component: Any, graph: Any, focus: Any) -> Iterable[Any]:
    bounds: Iterable[Any] = component.max_vals
    return bounds


def _of_other_property(component: Any, graph: Any, focus: Any) -> Iterable[Any]:
    return [one for other in component.property_compare_set for one in graph.objects(focus, other)]


class _LanguageIn(LanguageInConstraintComponent):
    """`sh:languageIn` by SPARQL's `langMatches`: `de-CH` allows `de-CH-1996`."""

    def evaluate(self, executor: Any, target_graph: Any, focus_value_nodes: Any, _evaluation_path: Any) -> Any:
        ranges = [str(one).lower() for head in self.string_rules for one in self.shape.sg.graph.items(head)]

        def is_wrong(value: Term) -> bool:
            tag = (getattr(value, "language", None) or "").lower()
            return not any(tag and (of == "*" or tag == of or tag.startswith(f"{of}-")) for of in ranges)

        return _results(self, target_graph, focus_value_nodes, is_wrong)


class _BoundedPatterns(PatternConstraintComponent):
    """`sh:pattern` without Python's engine, which cannot be interrupted."""

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        flags = "" if self.flags is None else "".join(flag for flag in "imsx" if flag in str(self.flags))
        begin = f"(?{flags})" if flags else ""
        self.compiled_cache = {rule: _Search(f"{begin}{rule}") for rule in self.string_rules}  # type: ignore[misc]  # not re's


class _Search:
    """The interface of a compiled pattern that pySHACL uses."""

    def __init__(self, text: str) -> None:
        self._pattern = pattern_of(text)

    def match(self, text: str) -> None:
        """Always None: matching happens later."""

    def search(self, text: str) -> bool:
        return self._pattern.is_found_in(text)


def install() -> None:
    """Register the components with pySHACL."""
    for parameter, component in (
        (SH.datatype, _Datatype),
        (
            SH.minInclusive,
            _comparing(MinInclusiveConstraintComponent, _least, lambda value, bound: compares(bound, "<=", value)),
        ),
        (
            SH.minExclusive,
            _comparing(MinExclusiveConstraintComponent, _least, lambda value, bound: compares(bound, "<", value)),
        ),
        (
            SH.maxInclusive,
            _comparing(MaxInclusiveConstraintComponent, _greatest, lambda value, bound: compares(value, "<=", bound)),
        ),
        (
            SH.maxExclusive,
            _comparing(MaxExclusiveConstraintComponent, _greatest, lambda value, bound: compares(value, "<", bound)),
        ),
        (
            SH.lessThan,
            _comparing(
                LessThanConstraintComponent, _of_other_property, lambda value, other: compares(value, "<", other)
            ),
        ),
        (
            SH.lessThanOrEquals,
            _comparing(
                LessThanOrEqualsConstraintComponent,
                _of_other_property,
                lambda value, other: compares(value, "<=", other),
            ),
        ),
        (SH.languageIn, _LanguageIn),
        (SH.pattern, _BoundedPatterns),
    ):
        CONSTRAINT_PARAMETERS_MAP[to_rdflib(parameter)] = component
