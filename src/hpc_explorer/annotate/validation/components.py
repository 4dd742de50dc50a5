"""Constraint components of SHACL that pySHACL is given in place of its own, where those depart from the recommendation.

Its own go by Python's values of literals: a text that Python can read counts as well formed, IRIs are compared as
texts, a number is less than a date, and a blank node ends the whole validation. Imported where it is needed.
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
    """The results of a component that looks at each value by itself."""
    reports = [
        component.make_v_result(graph, focus, value_node=value)
        for focus, values in nodes.items()
        for value in values
        if is_wrong(from_rdflib(value))
    ]
    return not reports, reports


class _Datatype(DatatypeConstraintComponent):
    """`sh:datatype`, by what XML Schema allows to be written."""

    def evaluate(self, executor: Any, target_graph: Any, focus_value_nodes: Any, _evaluation_path: Any) -> Any:
        datatype = NamedNode(str(self.datatype_rule))
        return _results(self, target_graph, focus_value_nodes, lambda value: not is_of_datatype(value, datatype))


def _compared(
    component: ConstraintComponent,
    graph: Any,
    nodes: _Values,
    others: Callable[[Any], Iterable[Any]],
    is_right: Callable[[Term, Term], bool],
) -> _Outcome:
    """The results of a component that compares each value with others: one for each pair that is not as it should be.

    Args:
        others: what the values of a focus node are compared with.
    """
    reports = []
    for focus, values in nodes.items():
        terms = [from_rdflib(one) for one in others(focus)]
        for value in values:
            wrong = sum(not is_right(from_rdflib(value), one) for one in terms)
            reports += [component.make_v_result(graph, focus, value_node=value) for _ in range(wrong)]
    return not reports, reports


class _MinInclusive(MinInclusiveConstraintComponent):
    def evaluate(self, executor: Any, target_graph: Any, focus_value_nodes: Any, _evaluation_path: Any) -> Any:
        return _compared(
            self,
            target_graph,
            focus_value_nodes,
            lambda _: self.min_vals,
            lambda value, bound: compares(bound, "<=", value),
        )


class _MinExclusive(MinExclusiveConstraintComponent):
    def evaluate(self, executor: Any, target_graph: Any, focus_value_nodes: Any, _evaluation_path: Any) -> Any:
        return _compared(
            self,
            target_graph,
            focus_value_nodes,
            lambda _: self.min_vals,
            lambda value, bound: compares(bound, "<", value),
        )


class _MaxInclusive(MaxInclusiveConstraintComponent):
    def evaluate(self, executor: Any, target_graph: Any, focus_value_nodes: Any, _evaluation_path: Any) -> Any:
        return _compared(
            self,
            target_graph,
            focus_value_nodes,
            lambda _: self.max_vals,
            lambda value, bound: compares(value, "<=", bound),
        )


class _MaxExclusive(MaxExclusiveConstraintComponent):
    def evaluate(self, executor: Any, target_graph: Any, focus_value_nodes: Any, _evaluation_path: Any) -> Any:
        return _compared(
            self,
            target_graph,
            focus_value_nodes,
            lambda _: self.max_vals,
            lambda value, bound: compares(value, "<", bound),
        )


class _LessThan(LessThanConstraintComponent):
    def evaluate(self, executor: Any, target_graph: Any, focus_value_nodes: Any, _evaluation_path: Any) -> Any:
        return _compared(
            self,
            target_graph,
            focus_value_nodes,
            lambda focus: [one for of in self.property_compare_set for one in target_graph.objects(focus, of)],
            lambda value, other: compares(value, "<", other),
        )


class _LessThanOrEquals(LessThanOrEqualsConstraintComponent):
    def evaluate(self, executor: Any, target_graph: Any, focus_value_nodes: Any, _evaluation_path: Any) -> Any:
        return _compared(
            self,
            target_graph,
            focus_value_nodes,
            lambda focus: [one for of in self.property_compare_set for one in target_graph.objects(focus, of)],
            lambda value, other: compares(value, "<=", other),
        )


class _LanguageIn(LanguageInConstraintComponent):
    """`sh:languageIn` as `langMatches` of SPARQL has it: `de-CH` allows `de-CH-1996`."""

    def evaluate(self, executor: Any, target_graph: Any, focus_value_nodes: Any, _evaluation_path: Any) -> Any:
        ranges = [str(one).lower() for head in self.string_rules for one in self.shape.sg.graph.items(head)]

        def is_wrong(value: Term) -> bool:
            tag = (getattr(value, "language", None) or "").lower()
            return not any(tag and (of == "*" or tag == of or tag.startswith(f"{of}-")) for of in ranges)

        return _results(self, target_graph, focus_value_nodes, is_wrong)


class _BoundedPatterns(PatternConstraintComponent):
    """`sh:pattern` without Python's engine, which nothing can stop."""

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        flags = "" if self.flags is None else "".join(flag for flag in "imsx" if flag in str(self.flags))
        begin = f"(?{flags})" if flags else ""
        self.compiled_cache = {rule: _Search(f"{begin}{rule}") for rule in self.string_rules}  # type: ignore[misc]  # not re's


class _Search:
    """What pySHACL wants of a compiled pattern."""

    def __init__(self, text: str) -> None:
        self._pattern = pattern_of(text)

    def match(self, text: str) -> None:
        """Nothing: it is searched for afterwards."""

    def search(self, text: str) -> bool:
        return self._pattern.is_found_in(text)


def install() -> None:
    """Have pySHACL use these."""
    for parameter, component in (
        (SH.datatype, _Datatype),
        (SH.minInclusive, _MinInclusive),
        (SH.minExclusive, _MinExclusive),
        (SH.maxInclusive, _MaxInclusive),
        (SH.maxExclusive, _MaxExclusive),
        (SH.lessThan, _LessThan),
        (SH.lessThanOrEquals, _LessThanOrEquals),
        (SH.languageIn, _LanguageIn),
        (SH.pattern, _BoundedPatterns),
    ):
        CONSTRAINT_PARAMETERS_MAP[to_rdflib(parameter)] = component
