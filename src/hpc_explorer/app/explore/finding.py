"""Finds resources by what a user types, and names them for display."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from urllib.parse import quote, urljoin

from hpc_explorer.app.explore.links import first_statements
from hpc_explorer.app.explore.naming import better_names
from hpc_explorer.app.views import ResourceRef, SearchHit, SearchResult
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.kinds import look_key_of
from hpc_explorer.errors import InputError, InvalidIri, UnknownPrefix, UnknownResource
from hpc_explorer.ontology.labels import LABEL_PREDICATES, fallback_label, labels_of, local_name
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.ontology.schema import SchemaIndex
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.syntax.reading import base_of
from hpc_explorer.rdf.terms import BlankNode, NamedNode, Resource, iri_text, resource_of
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits, Store
from hpc_explorer.stores.cached import CachedStore, PrefetchedStore
from hpc_explorer.stores.columns.columns import Columns
from hpc_explorer.stores.columns.layout import QUOTED, PredicateFacts
from hpc_explorer.stores.columns.relation import NotByColumns
from hpc_explorer.stores.names.label_index import LabelMatch, MatchQuality


def key_of(resource: Resource) -> str:
    """The key of a resource in a scene: its IRI, or `_:label`."""
    return iri_text(resource)


def resource_of_key(key: str) -> Resource:
    """The resource of a key in a scene."""
    return resource_of(key)


def references(
    session: Session, resources: Collection[Resource], *, limits: Limits = NO_LIMITS
) -> dict[Resource, ResourceRef]:
    """The names and classes of resources for display."""
    schema = session.schema(limits=limits)
    store = naming_store(session, limits=limits)
    columns = session.columns
    by_columns = None
    if columns is not None and len(resources) >= WORTH_FROM:
        by_columns = whom_to_ask(columns, resources, limits=limits)
    labels = labels_of(store, resources if by_columns is None else by_columns.labelled, limits=limits)
    typed = resources if by_columns is None else set(by_columns.like.values())
    types: dict[Resource, list[NamedNode]] = {}
    inferred: dict[Resource, list[NamedNode]] = {}
    for quad in store.match_many(subjects=typed, predicates=(RDF.type,), limits=limits):
        if isinstance(quad.object, NamedNode):
            of_its_kind = inferred if quad.graph_name == INFERRED else types
            of_its_kind.setdefault(quad.subject, []).append(quad.object)  # type: ignore[arg-type]  # asked for resources
    # Stated classes take precedence over inferred ones.
    types = {**inferred, **types}
    kinds: dict[tuple[NamedNode, ...], tuple[str, str]] = {}
    found: dict[Resource, ResourceRef] = {}
    for resource in resources:
        its = tuple(types.get(resource if by_columns is None else by_columns.like[resource], ()))
        if its not in kinds:
            kinds[its] = _kind_and_look(session, schema, its)
        found[resource] = _reference(session, schema, resource, labels, *kinds[its])
    named = {one: "" if _is_unnamed(one, labels) else ref.label for one, ref in found.items()}
    better = better_names(session, store, named, {one: ref.kind for one, ref in found.items()}, limits=limits)
    return found | {one: replace(found[one], label=name) for one, name in better.items()}


def _is_unnamed(resource: Resource, labels: Mapping[Resource, str]) -> bool:
    return isinstance(resource, BlankNode) and resource not in labels


def naming_store(session: Session, *, limits: Limits = NO_LIMITS) -> Store:
    """A store for names and classes; for an endpoint, one that fetched both in one request."""
    store = session.store
    if not store.capabilities.remote:
        return CachedStore(store)
    return session.derived.get("names", lambda: PrefetchedStore(store, (*LABEL_PREDICATES, RDF.type)), limits)


def told_apart(refs: Mapping[Resource, ResourceRef]) -> dict[Resource, ResourceRef]:
    """Replace labels that several resources share by the different ends of their IRIs."""
    shared = {label for label, number in Counter(ref.label for ref in refs.values()).items() if number > 1}
    start = common_start([ref.iri for ref in refs.values() if ref.label in shared])
    return {
        resource: replace(ref, label=ref.iri[start:]) if ref.label in shared else ref for resource, ref in refs.items()
    }


def common_start(iris: Sequence[str]) -> int:
    """The length of the common prefix of IRIs up to its last `/` or `#`."""
    if not iris:
        return 0
    first, last = min(iris), max(iris)
    same = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    return max(first.rfind("/", 0, same), first.rfind("#", 0, same)) + 1


def reference(session: Session, resource: Resource) -> ResourceRef:
    """The name and class of one resource for display."""
    return references(session, [resource])[resource]


def _reference(
    session: Session,
    schema: SchemaIndex,
    resource: Resource,
    labels: dict[Resource, str],
    kind: str,
    look: str,
) -> ResourceRef:
    info = schema.classes.get(resource) or schema.properties.get(resource) if isinstance(resource, NamedNode) else None
    iri = iri_text(resource)
    return ResourceRef(
        resource=resource,
        label=labels.get(resource) or (info.label if info else fallback_label(resource)),
        iri=iri,
        curie=session.prefixes.short(iri) if isinstance(resource, NamedNode) else iri,
        kind=kind,
        colour_key=colour_key(schema, resource, session.styled) if resource in schema.classes else look,
    )


def _kind_and_look(session: Session, schema: SchemaIndex, types: Sequence[NamedNode]) -> tuple[str, str]:
    """The label of the most specific class, and the key of its look."""
    specific = schema.most_specific(types)
    if not specific:
        return "", colour_key(schema, None, session.styled)
    return schema.class_label(specific[0]), colour_key(schema, specific[0], session.styled)


def colour_key(schema: SchemaIndex, cls: Resource | None, styled: Collection[str] = ()) -> str:
    """The key of a class's look (`look_key_of`), by its superclasses.

    Args:
        styled: the IRIs of classes with a look of their own.
    """
    if not isinstance(cls, NamedNode):
        return "other"

    def parents(iri: str) -> Iterator[str]:
        info = schema.classes.get(NamedNode(iri))
        return (parent.value for parent in (*info.parents, *info.equivalents)) if info else iter(())

    return look_key_of(cls.value, parents, styled)


def search(session: Session, text: str, *, limit: int = 50, limits: Limits = NO_LIMITS) -> SearchResult:
    """Search for resources by words of their names, prefixed name or IRI.

    An exact IRI, prefixed name or name in an open file comes first. If there are few results, similar names follow.
    """
    text = text.strip()
    if not text:
        return SearchResult((), Count(0))
    exact = _exactly_named(session, text, limits)
    matches, total = session.label_index(limits=limits).search(text, limit, limits=limits)
    found: dict[Resource, LabelMatch] = {}
    for resource in exact:
        found[resource] = LabelMatch(iri_text(resource), text, MatchQuality.EXACT)
    for match in matches:
        found.setdefault(resource_of_key(match.iri), match)
    beyond = set(map(iri_text, exact)) - {match.iri for match in matches}
    if beyond:
        # It is unknown whether the unlisted matches include these.
        is_whole = total.value <= len(matches)
        total = Count(total.value + len(beyond), total.kind) if is_whole else Count(total.value, CountKind.AT_LEAST)
    refs = references(session, list(found)[:limit], limits=limits)
    hits = tuple(
        SearchHit(refs[resource], match.text, _span(match.text, text), match.fit is MatchQuality.SIMILAR)
        for resource, match in list(found.items())[:limit]
    )
    return SearchResult(hits, total)


def _span(matched: str, text: str) -> tuple[int, int]:
    """The range of the text or its first word in a match; (0, 0) if absent."""
    for part in (text, text.split()[0]):
        start = matched.casefold().find(part.casefold())
        if start >= 0:
            return start, start + len(part)
    return 0, 0


def _exactly_named(session: Session, text: str, limits: Limits) -> list[Resource]:
    named: list[Resource] = []
    if ":" in text:
        with suppress(InputError):
            named.append(_parsed(session, text))
    known = [resource for resource in named if _is_known(session, resource, limits)]
    return known or _relative(session, text, limits)


def _relative(session: Session, text: str, limits: Limits) -> list[Resource]:
    """Resources with a name relative to an open file, such as `data/a.csv` in a crate (RFC 3986, section 5.2)."""
    if session.store.capabilities.remote:
        return []
    bases = {source.summary.graph.value for source in session.opened}
    bases |= {base_of(source.path) for source in session.opened if source.path is not None}
    # A crate writes `my%20data.csv` for `my data.csv`.
    names = dict.fromkeys((text, quote(text, safe="/#?%:@!$&'()*+,;=~")))
    found: dict[Resource, None] = {}
    for base in sorted(bases):
        for name in names:
            with suppress(ValueError):
                resource = NamedNode(urljoin(base, name))
                if resource.value != base and _is_known(session, resource, limits):
                    found[resource] = None
    return list(found)


def _parsed(session: Session, text: str) -> Resource:
    if not text.startswith("_:"):
        return session.prefixes.resolve(text)
    try:
        return resource_of_key(text)
    except ValueError:
        raise InvalidIri("not a valid identifier", text, "write an IRI, a prefixed name or _:label") from None


def _is_known(session: Session, resource: Resource, limits: Limits = NO_LIMITS) -> bool:
    if any(first_statements(session, resource, None, outgoing, 1, limits) for outgoing in (True, False)):
        return True
    schema = session.schema(limits=limits)
    return resource in schema.classes or resource in schema.properties


def resolve(session: Session, text: str, *, limits: Limits = NO_LIMITS) -> Resource:
    """The resource of an IRI, `<IRI>`, prefixed name, or unique name.

    A name is a label, or an IRI relative to an open file.

    Raises:
        UnknownPrefix, InvalidIri: the text cannot be parsed.
        UnknownResource: the graph has no such resource, or the name is ambiguous.
    """
    text = text.strip()
    problem: InputError | None = None
    try:
        resource = _parsed(session, text)
        if _is_known(session, resource, limits):
            return resource
    except (UnknownPrefix, InvalidIri) as error:
        problem = error
    matches, _ = session.label_index(limits=limits).search(text, limit=20, limits=limits)
    labelled = {resource_of_key(match.iri) for match in matches if match.text.casefold() == text.casefold()}
    relative = _relative(session, text, limits)
    if len(relative) == 1 and labelled.issuperset(relative):
        return relative[0]
    named = sorted({*labelled, *relative}, key=iri_text)
    if len(named) == 1:
        return named[0]
    if len(named) > 1:
        raise UnknownResource(
            f"{len(named)} resources have this name",
            text,
            f"give one's IRI, such as {session.prefixes.short(iri_text(named[0]))}",
        )
    # A text without a colon was meant as a name, so the parser's error would be misleading.
    if problem is not None and ":" in text and (isinstance(problem, UnknownPrefix) or not matches):
        raise problem
    near = [(match.text, match.iri) for match in matches] or _nearly(session, text, limits)
    told = list(dict.fromkeys(f"{name!r} ({session.prefixes.short(iri)})" for name, iri in near))[:_MOST_NEAR]
    remedy = f"did you mean {' or '.join(told)}?" if told else "search for it by its name"
    raise UnknownResource("the graph says nothing about this resource", text, remedy)


# Maximum number of similar names in an error.
_MOST_NEAR = 3

# Maximum number of characters at the end of an IRI that may be wrong.
_WRONG_END = 3


def _nearly(session: Session, text: str, limits: Limits) -> list[tuple[str, str]]:
    """Names and IRIs of classes, properties and other resources whose IRI is similar."""
    try:
        iri = iri_text(_parsed(session, text))
    except InputError:
        return []
    own = local_name(iri)
    schema = session.schema(limits=limits)
    terms: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for one in schema.classes:
        terms[local_name(one.value)].append((schema.class_label(one), one.value))
    for one in schema.properties:
        terms[local_name(one.value)].append((schema.property_label(one), one.value))
    found = [term for name in get_close_matches(own, terms, _MOST_NEAR, 0.8) for term in terms[name]]
    index = session.label_index(limits=limits)
    for cut in range(1, min(_WRONG_END, len(own) - 1) + 1):
        if found:
            break
        matches, _ = index.search(iri[:-cut], limit=_MOST_NEAR, limits=limits)
        found = [(match.text, match.iri) for match in matches if match.iri.startswith(iri[:-cut])]
    return found


WORTH_FROM = 500
"""The number of resources from which columns are faster than triples."""


@dataclass(frozen=True)
class Asked:
    """The resources to query.

    Args:
        labelled: the resources with a label.
        like: for each resource, one with the same classes.
    """

    labelled: tuple[Resource, ...]
    like: Mapping[Resource, Resource]


def whom_to_ask(columns: Columns, resources: Collection[Resource], *, limits: Limits = NO_LIMITS) -> Asked | None:
    """Find the resources to query for labels and classes; None if the columns cannot answer."""
    labels = [facts for term in LABEL_PREDICATES if (facts := columns.predicate(term)) is not None]
    types = columns.predicate(RDF.type)
    if any(QUOTED in facts.kinds for facts in (*labels, *([types] if types is not None else []))):
        return None
    numbers = columns.ids_of(resources)
    known = {number: resource for resource, number in numbers.items() if number is not None}
    try:
        with columns.work(limits) as work:
            work.run("CREATE TEMP TABLE named AS SELECT CAST(unnest(?) AS UINTEGER) AS id", [list(known)])
            labelled = {number for facts in labels for (number,) in work.run(_said(facts, "d", "value"))}
            pairs = [] if types is None else work.run(_said(types, "o", "link", with_what=True))
    except NotByColumns:
        return None
    classes: dict[int, set[int]] = defaultdict(set)
    for number, cls in pairs:
        classes[number].add(cls)
    first: dict[frozenset[int], Resource] = {}
    like = {
        resource: resource if number is None else first.setdefault(frozenset(classes.get(number, ())), resource)
        for resource, number in numbers.items()
    }
    ask = [resource for resource, number in numbers.items() if number is None or number in labelled]
    return Asked(tuple(ask), like)


def _said(facts: PredicateFacts, part: str, table: str, *, with_what: bool = False) -> str:
    """A SELECT of the members of `named` with this predicate, and optionally the objects."""
    if not (facts.values if part == "d" else facts.links):
        return f"SELECT id{', id' if with_what else ''} FROM named WHERE false"
    if facts.wide:
        column = facts.column(part)
        what = f", {column}" if with_what else ""
        return f"SELECT id{what} FROM node WHERE {column} IS NOT NULL AND id IN (SELECT id FROM named)"
    what = ", o" if with_what else ""
    return f"SELECT s{what} FROM {table} WHERE p = {facts.id} AND s IN (SELECT id FROM named)"


def known_resources(session: Session, iris: Sequence[str], *, limits: Limits = NO_LIMITS) -> tuple[ResourceRef, ...]:
    """The resources that the graph still describes, with their names, in the given order."""
    resources = [resource_of(iri) for iri in iris]
    named = (RDF.type, *LABEL_PREDICATES)
    known = {quad.subject for quad in session.store.match_many(subjects=resources, predicates=named, limits=limits)}
    others = (one for one in resources if one not in known)
    known |= {one for one in others if next(iter(session.store.match(one, None, None, limits=limits)), None)}
    refs = references(session, [one for one in resources if one in known], limits=limits)
    return tuple(refs.values())
