"""Infers statements, kept apart from stated ones, and explains why a triple is in the graph."""

from __future__ import annotations

import re

from hpc_explorer.app.explore.finding import references, resolve
from hpc_explorer.app.views import ContradictionView, ProofStep
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import InputError, Unsupported, UsageError
from hpc_explorer.ontology import inference
from hpc_explorer.ontology.explanation import Proof, why
from hpc_explorer.ontology.inference import Contradiction, InferenceReport
from hpc_explorer.ontology.rules import INFERRED, RuleSet
from hpc_explorer.rdf.literals import literal_text
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.syntax.reading import read_bytes
from hpc_explorer.rdf.terms import GraphName, Literal, NamedNode, Resource, Term, Triple, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Progress, no_progress
from hpc_explorer.stores.local.local import LocalStore


def infer(
    session: Session,
    rule_set: RuleSet = RuleSet.COMMON,
    *,
    own_schema: bool = False,
    progress: Progress = no_progress,
    limits: Limits = NO_LIMITS,
) -> InferenceReport:
    """Infer statements by rules, replacing earlier ones.

    The result is withdrawn when sources are opened or closed.

    Args:
        rule_set: the common rules, or all of OWL 2 RL.
        own_schema: use only the schema in the graph, not the shipped ontology.
        progress: called for each round.

    Raises:
        Cancelled, DeadlineExceeded: by `limits`; nothing is inferred then.
        Unsupported: the session shows an endpoint.
        OutputNotWritable: the workspace folder is not writable.
    """
    if not isinstance(session.store, LocalStore):
        raise Unsupported("nothing is inferred over an endpoint", session.sources[0].name, "open its data as files")
    # A separate change: if the next one is cancelled, the graph has no inferred statements.
    if INFERRED in session.store.graphs():
        withdraw(session)
    with session.changing():
        background = None if own_schema else session.background(rule_set, limits=limits)
        workspace = session.workspace
        profile = None if workspace is None else workspace.profile
        with session.inferring() as store:
            report = inference.infer(store, background, rule_set, profile=profile, progress=progress, limits=limits)
            if workspace is not None and report.profile is not None:
                workspace.profile = report.profile
        session.inference = report
    return report


def withdraw(session: Session) -> None:
    """Remove the inferred statements."""
    with session.changing():
        session.inference = None
        session.take_back_inferred()


def read_triple(session: Session, subject: str, predicate: str, value: str) -> Triple:
    """Parse a triple from three texts.

    Args:
        subject: an IRI, a prefixed name, `_:label` or a unique name, as for `resolve`.
        predicate: an IRI or prefixed name; `a` is `rdf:type`.
        value: as `subject`, or a literal as in Turtle: `"text"@en`, `12`, `true`.

    Raises:
        InputError: one of them cannot be parsed or resolved.
    """
    about = resolve(session, subject)
    relation = RDF.type if predicate == "a" else session.prefixes.resolve(predicate)
    return Triple(about, relation, _literal(session, value) if _LITERAL.match(value) else resolve(session, value))


_LITERAL = re.compile(r"""["']|[+-]?\.?\d[\d.eE+-]*\Z|(?:true|false)\Z""")


def _literal(session: Session, text: str) -> Term:
    prefixes = "".join(f"@prefix {prefix}: <{namespace}> . " for prefix, namespace in session.prefixes.items())
    document = f"{prefixes}<urn:s> <urn:p> {text} ."
    try:
        quads = list(read_bytes(document.encode(), name="object.ttl", base="urn:base").quads())
    except InputError:
        quads = []
    if len(quads) != 1 or not isinstance(quads[0].object, Literal):
        raise UsageError("not a literal", text, 'write it as Turtle does: "text", "text"@en, "12"^^xsd:integer')
    return quads[0].object


def explain(session: Session, triple: Triple, *, limits: Limits = NO_LIMITS) -> Proof:
    """The proof of a triple, down to stated triples.

    Raises:
        UnknownStatement: it is neither stated nor inferred.
    """
    report = session.inference
    rule_set = RuleSet.COMMON if report is None else report.rule_set
    own_schema = report is not None and not report.with_background
    background = None if own_schema else session.background(rule_set, limits=limits)
    return why(session.store, triple, background, rule_set, limits=limits)


def explained(session: Session, triple: Triple, *, limits: Limits = NO_LIMITS) -> tuple[ProofStep, ...]:
    """The proof of a triple as a list of steps.

    Raises:
        UnknownStatement: it is neither stated nor inferred.
    """
    return proof_steps(session, explain(session, triple, limits=limits), limits=limits)


def proof_steps(session: Session, proof: Proof, *, limits: Limits = NO_LIMITS) -> tuple[ProofStep, ...]:
    """A proof as a list: each statement before its premises, whose depth is one more."""
    listed: list[tuple[int, Proof, bool]] = []
    unfolded: set[Triple] = set()
    work = [(0, proof)]
    while work:
        depth, one = work.pop()
        again = one.triple in unfolded and bool(one.premises)
        listed.append((depth, one, again))
        if not again:
            unfolded.add(one.triple)
            work.extend((depth + 1, premise) for premise in reversed(one.premises))
    schema = session.schema(limits=limits)
    named: list[Resource] = []
    for _, one, _ in listed:
        named += [term for term in (one.triple.subject, one.triple.object) if is_resource(term)]
    refs = references(session, named, limits=limits)
    steps = []
    for depth, one, again in listed:
        subject, predicate, value = one.triple.subject, one.triple.predicate, one.triple.object
        target = refs[value] if is_resource(value) else None
        steps.append(
            ProofStep(
                depth,
                refs[subject],  # type: ignore[index]  # subjects are resources
                "is of class" if predicate == RDF.type else schema.property_label(predicate),
                target.label if target is not None else literal_text(value) if isinstance(value, Literal) else "",
                target,
                f"follows by {one.rule}" if one.rule is not None else _where_stated(session, one),
                Origin.INFERRED if one.rule is not None else Origin.ASSERTED,
                again,
            )
        )
    return tuple(steps)


MOST_EXPLAINED = 100
"""How many contradictions are explained at once."""

_SENTENCES = {
    "eq-diff1": "{x} and {y} are different, but they are also the same.",
    "eq-diff2": "{one} and {other} are among things that are all different, but they are the same.",
    "prp-irp": "Nothing has itself as {p}, but {x} does.",
    "prp-asyp": "{p} leads one way only, but {x} and {y} have each other as {p}.",
    "prp-pdw": "{p} and {q} exclude each other, but {x} has {y} as both.",
    "prp-adp": "{one} and {other} exclude each other, but {x} has {y} as both.",
    "prp-npa1": "It is stated that {x} does not have {y} as {p}, but it does.",
    "prp-fp": "{x} can have one value of {p} only, but it has {y} and {z}.",
    "cls-nothing2": "{x} is of class Nothing, which has no members.",
    "cls-com": "{c} is all that is not {d}, but {x} is of both classes.",
    "cls-maxc1": "{x} can have no value of {p}, but it has {y}.",
    "cax-dw": "{c} and {d} have no members in common, but {x} is of both classes.",
    "cax-adc": "{one} and {other} have no members in common, but {x} is of both classes.",
    "dt-not-type": "The value {y} of {p} of {x} is not of its datatype {d}.",
}
_ALSO = {
    "eq-diff3": "eq-diff2",
    "prp-npa2": "prp-npa1",
    "cls-maxc2": "prp-fp",
    "cls-maxqc1": "cls-maxc1",
    "cls-maxqc2": "cls-maxc1",
    "cls-maxqc3": "prp-fp",
    "cls-maxqc4": "prp-fp",
}


def contradictions(
    session: Session, *, limit: int = MOST_EXPLAINED, limits: Limits = NO_LIMITS
) -> tuple[ContradictionView, ...]:
    """The contradictions that the inference found, as sentences, with the proof of each statement that takes part.

    Args:
        limit: the most to explain.
    """
    report = session.inference
    return tuple(
        ContradictionView(
            one.rule,
            _sentence(session, one, limits),
            tuple(step for triple in one.premises for step in explained(session, triple, limits=limits)),
        )
        for one in (() if report is None else report.contradictions[:limit])
    )


def _sentence(session: Session, contradiction: Contradiction, limits: Limits) -> str:
    refs = references(session, [one for one in contradiction.bindings.values() if is_resource(one)], limits=limits)
    words = {
        variable.value: literal_text(term) if isinstance(term, Literal) else refs[term].label
        for variable, term in contradiction.bindings.items()
    }
    return _SENTENCES[_ALSO.get(contradiction.rule, contradiction.rule)].format(**words)


def _where_stated(session: Session, proof: Proof) -> str:
    names: dict[GraphName, str] = {source.graph: source.name for source in session.sources}

    def name(graph: GraphName) -> str:
        return names.get(graph) or (graph.value if isinstance(graph, NamedNode) else "the default graph")

    where = ", ".join(sorted(name(graph) for graph in proof.graphs))
    return "stated in the shipped ontology" if proof.in_background else f"stated in {where}"
