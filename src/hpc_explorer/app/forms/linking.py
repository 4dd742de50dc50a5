"""What a field can link to: resources by name, similar resources, new IRIs, and units."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from hpc_explorer.annotate.forms.kinds import ValueKind
from hpc_explorer.annotate.forms.values import Value
from hpc_explorer.annotate.minting import IriTemplate, Minting, mint, template_like
from hpc_explorer.annotate.units import units_called
from hpc_explorer.app.explore.finding import naming_store, references, resource_of_key
from hpc_explorer.app.forms.views import Alike, UnitChoice
from hpc_explorer.app.settings import settings_file
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import DamagedSettings, WrongEntry
from hpc_explorer.ontology.labels import fallback_label, label_order, labels_of, search_words
from hpc_explorer.ontology.sampling import some_members
from hpc_explorer.rdf.identifiers import IdentifierKind, recognise
from hpc_explorer.rdf.namespaces import DC, DCTERMS, HPC, RDF, SCHEMA, SCHEMAS, XSD
from hpc_explorer.rdf.quantities import UNIT_PREDICATES, known_units
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource, Term, iri_text, typed_iri
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.names.label_index import MatchQuality

# The members of a class of so many are looked at each; those of a larger one are found by the index of names.
_FEW = 500

# Of a larger class so many members are looked at besides.
_FIRST = 200

# So many resources whose names fit are looked at, to find those of the class.
_MOST_NAMED = 400

# Of longer names only the beginnings are compared.
_LONGEST_NAME = 200

_NUMBERS = re.compile(r"[0-9]+")

# Names that share so much of their letters are nearly the same.
_NEARLY = 0.86


# --- linked resources


def link_candidates(
    session: Session, kind: ValueKind, text: str, limit: int = 20, *, limits: Limits = NO_LIMITS
) -> tuple[ResourceRef, ...]:
    """The resources that a field can link to and that match a text, best first.

    Args:
        kind: the field's kind; its class and those below it are looked among, or everything if it has none.
        text: what was typed; empty: the first ones by name.
    """
    text = " ".join(text.split())
    if kind.cls is None:
        return tuple(references(session, _by_name(session, text, None, limit, limits), limits=limits).values())
    schema = session.form_schema(limits=limits)
    below = {cls for cls in schema.classes if kind.cls in schema.superclasses(cls)} | {kind.cls}
    members: Sequence[Resource] = some_members(session.store, below, _FEW + 1, limits=limits)
    found: dict[Resource, None] = {}
    if len(members) > _FEW and text:
        found = dict.fromkeys(_by_name(session, text, below, limit, limits))
        # The index ranks no more than some of the names that fit; what it left out may be among the first members.
        members = members[:_FIRST]
    if len(found) < limit:
        found |= dict.fromkeys(_fitting(session, members, text, limits))
    return tuple(references(session, list(found)[:limit], limits=limits).values())


def _fitting(session: Session, resources: Sequence[Resource], text: str, limits: Limits) -> Iterator[Resource]:
    """The resources that match a text, best first."""
    labels = labels_of(naming_store(session, limits=limits), resources, limits=limits)
    names = {resource: labels.get(resource) or fallback_label(resource) for resource in resources}
    ranked = ((_rank(session, resource, name, text), resource, name) for resource, name in names.items())
    fitting = sorted((rank, label_order(name), iri_text(resource), resource) for rank, resource, name in ranked if rank)
    return (resource for *_, resource in fitting)


def _rank(session: Session, resource: Resource, name: str, text: str) -> int:
    """How a name matches a text: 1 equal, 2 as a prefix, 3 in each word, 0 not at all."""
    typed, name = text.casefold(), name.casefold()
    if not typed or typed == name:
        return 1
    if name.startswith(typed):
        return 2
    iri = iri_text(resource)
    if ":" in typed and text in (iri, f"<{iri}>", session.prefixes.short(iri)):
        return 1
    parts = f"{name} {fallback_label(resource).casefold()}"
    return 3 if all(word in parts for word in typed.split()) else 0


def _by_name(session: Session, text: str, classes: set[NamedNode] | None, limit: int, limits: Limits) -> list[Resource]:
    """The resources of some classes that the label index finds for a text."""
    matches, _ = session.label_index(limits=limits).search(text, _MOST_NAMED if classes else limit, limits=limits)
    named = [resource_of_key(match.iri) for match in matches]
    if classes is None:
        return named[:limit]
    found: list[Resource] = []
    for start in range(0, len(named), 100):
        some = named[start : start + 100]
        types = session.store.match_many(subjects=some, predicates=(RDF.type,), limits=limits)
        fitting = {quad.subject for quad in types if quad.object in classes}
        found += [one for one in some if one in fitting]
        if len(found) >= limit:
            break
    return found[:limit]


# --- what is there already

# Where identifiers and checksums stand.
_IDENTIFIERS = frozenset(
    {
        HPC.id, DCTERMS.identifier, DC.identifier, SCHEMA.identifier, SCHEMAS.identifier, HPC.md5, SCHEMA.sha256,
        SCHEMAS.sha256,
    }
)  # fmt: skip

_ADDRESSES = {
    IdentifierKind.DOI: ("doi:", "http://doi.org/", "http://dx.doi.org/", "https://dx.doi.org/"),
    IdentifierKind.ORCID: ("http://orcid.org/",),
    IdentifierKind.ROR: ("ror.org/",),
    IdentifierKind.SWHID: (),
}


def like_it(
    session: Session,
    cls: NamedNode,
    name: str,
    values: Mapping[NamedNode, Sequence[Value]] | None = None,
    *,
    limit: int = 5,
    limits: Limits = NO_LIMITS,
) -> tuple[Alike, ...]:
    """The resources that may be the one described, certain ones first.

    Args:
        cls: its class.
        name: what it is called so far.
        values: what else is entered: the same identifier or checksum tells that it is the same thing.
    """
    found: dict[Resource, tuple[str, bool]] = {}
    for predicate, given in (values or {}).items():
        if predicate in _IDENTIFIERS:
            for value in given:
                if isinstance(value, (Literal, NamedNode)) and value.value.strip():
                    for one in _identified(session, value.value.strip(), limits):
                        found.setdefault(one, (f"the same {session.form_schema().property_label(predicate)}", True))
    for one, why in _called_alike(session, cls, name, limits):
        found.setdefault(one, (why, False))
    refs = references(session, list(found)[:limit], limits=limits)
    return tuple(Alike(ref, *found[resource]) for resource, ref in refs.items())


def _identified(session: Session, text: str, limits: Limits) -> Iterator[Resource]:
    """The resources with an identifier or a checksum, in any spelling."""
    spellings = {text}
    try:
        identifier = recognise(text)
    except WrongEntry:
        identifier = None
    if identifier is not None:
        spellings |= {identifier.text, identifier.iri.value}
        spellings |= {f"{start}{identifier.text}" for start in _ADDRESSES[identifier.kind]}
    else:
        spellings |= {text.lower(), text.upper()}
    store = session.store
    terms: list[Term] = [Literal(one, datatype=kind) for one in sorted(spellings) for kind in (XSD.string, XSD.anyURI)]
    nodes = [node for one in sorted(spellings) if (node := typed_iri(one)) is not None]
    for quad in store.match_many(objects=[*terms, *nodes], predicates=_IDENTIFIERS, limits=limits):
        yield quad.subject  # type: ignore[misc]  # no quoted subjects
    for node in nodes:
        if next(store.match(node, limits=limits), None) is not None:
            yield node


def _called_alike(session: Session, cls: NamedNode, name: str, limits: Limits) -> Iterator[tuple[Resource, str]]:
    """The members of a class, its superclasses and subclasses with a similar name."""
    name = " ".join(name.split())
    if len(name) < 2:
        return
    schema = session.form_schema(limits=limits)
    related = {one for one in schema.classes if cls in schema.superclasses(one)} | schema.superclasses(cls)
    matches, _ = session.label_index(limits=limits).search(name, _MOST_NAMED, limits=limits)
    close: list[tuple[float, Resource]] = []
    for match in matches:
        share = 1.0 if match.fit is MatchQuality.EXACT else _likeness(name, match.text)
        if share >= _NEARLY:
            close.append((share, resource_of_key(match.iri)))
    close = sorted(close, key=lambda one: -one[0])[:100]
    types = session.store.match_many(subjects=[one for _, one in close], predicates=(RDF.type,), limits=limits)
    fitting = {quad.subject for quad in types if quad.object in related}
    for share, one in close:
        if one in fitting:
            yield one, "the same name" if share == 1.0 else "nearly the same name"


def _likeness(one: str, other: str) -> float:
    """The share of letters that two names have in common, without separators; 1 if all."""
    first, second = (" ".join(_words(name[:_LONGEST_NAME])) for name in (one, other))
    if first == second:
        return 1.0
    if _NUMBERS.findall(first) != _NUMBERS.findall(second):
        return 0.0  # models 7 and 8 are two
    compared = SequenceMatcher(None, first, second, autojunk=False)
    if compared.quick_ratio() < _NEARLY:
        return 0.0
    return min(compared.ratio(), 0.999)


def _words(name: str) -> list[str]:
    """The words of a name, also in a form such as `decisionTree.onnx`."""
    return search_words(name).casefold().split()


# --- new IRIs, units


def minted(session: Session, cls: NamedNode, name: str, *, limits: Limits = NO_LIMITS) -> NamedNode:
    """An IRI for a new member of a class, by its template (`iri_templates`), that the graph does not speak of yet.

    Args:
        name: what it is called; may be empty.

    Raises:
        DamagedSettings, InvalidIri: the templates that were kept cannot be read.
    """
    template = template_for(session, cls, limits=limits)
    taken = template.last_number(iris_of_members(session, cls, limits=limits)) if template.counts else 0
    return mint(session.store, template, cls, name, after=taken, limits=limits)


# So many amounts are looked at to tell in which units a property is given.
_AMOUNTS_LOOKED_AT = 50


def unit_candidates(
    session: Session, text: str = "", *, predicate: NamedNode | None = None, limits: Limits = NO_LIMITS
) -> tuple[UnitChoice, ...]:
    """The units that a text may be the beginning of: a symbol, a UCUM code, a QUDT name or a label.

    Args:
        text: what was typed; empty: all units.
        predicate: the property whose amount it is; units of the kind that its other amounts are in come first.
    """
    kinds, used = set(), set()
    if predicate is not None:
        either = "|".join(map(str, UNIT_PREDICATES))
        asked = f"SELECT ?unit WHERE {{ ?s {predicate} ?amount . ?amount {either} ?unit }} LIMIT {_AMOUNTS_LOOKED_AT}"
        used = {row["unit"] for row in session.store.select(asked, limits=limits)}
        kinds = {unit.kind for iri, unit in known_units().items() if iri in used}
    found = sorted(units_called(text), key=lambda unit: (unit.iri not in used, unit.kind not in kinds))
    return tuple(UnitChoice(unit.iri, unit.label, unit.symbol, unit.ucum) for unit in found if unit.iri is not None)


_FILE = "iri_templates.json"

# Members of a class whose IRIs are compared to derive a template.
_LOOKED_AT = 200

_UNIQUE = IriTemplate("urn:uuid:{uuid}")


def templates_file(session: Session | None) -> Path:
    """The file of templates: in the workspace of a session, else beside the settings."""
    if session is not None and session.workspace is not None:
        return session.workspace.folder / _FILE
    return settings_file().with_name(_FILE)


def kept_templates(file: Path) -> dict[str, IriTemplate]:
    """The templates of a file by class IRI; empty if there is no file.

    Raises:
        DamagedSettings: the file is not a JSON object of texts.
        InvalidIri: a text is not a valid template.
    """
    try:
        values: Any = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise DamagedSettings(f"the IRI templates cannot be read ({error})", str(file), "fix or remove it") from None
    if not isinstance(values, dict) or not all(isinstance(text, str) for text in values.values()):
        raise DamagedSettings("the IRI templates are no object of texts", str(file), "fix or remove it")
    return {cls: IriTemplate(text) for cls, text in values.items()}


def template_for(session: Session, cls: NamedNode, *, limits: Limits = NO_LIMITS) -> IriTemplate:
    """The template for the IRI of a new member of a class.

    The order is: the template of the class or its nearest superclass (workspace, then settings); a template derived
    from the IRIs of its members; the template of ""; a UUID.

    Raises:
        DamagedSettings, InvalidIri: as `kept_templates`.
    """
    schema = session.form_schema(limits=limits)
    kept = [kept_templates(file) for file in dict.fromkeys((templates_file(session), templates_file(None)))]
    for templates in kept:
        chosen = Minting(_UNIQUE, _by_class(templates)).template(cls, schema)
        if chosen is not _UNIQUE:
            return chosen
    like = template_like(iris_of_members(session, cls, limits=limits))
    if like is not None:
        return like
    for templates in kept:
        if "" in templates:
            return templates[""]
    return _UNIQUE


def iris_of_members(session: Session, cls: NamedNode, *, limits: Limits = NO_LIMITS) -> list[str]:
    """The IRIs of members of a class; a sample if it is large."""
    return [one.value for one in some_members(session.store, (cls,), _LOOKED_AT, limits=limits)]


def _by_class(templates: Mapping[str, IriTemplate]) -> dict[NamedNode, IriTemplate]:
    return {NamedNode(cls): template for cls, template in templates.items() if cls}
