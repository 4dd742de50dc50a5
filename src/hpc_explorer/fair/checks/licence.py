"""The tests of R1.1: a licence, a standard licence, a machine-readable licence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from hpc_explorer.fair.checks.finding import Check, found
from hpc_explorer.fair.checks.words import listed, short, term
from hpc_explorer.fair.lists import access_term
from hpc_explorer.fair.subject import Node, Subject
from hpc_explorer.fair.surroundings import Surroundings
from hpc_explorer.fair.terms import CC, FairFact, Role, terms_of
from hpc_explorer.fair.values import Basis, Finding, Verdict
from hpc_explorer.ontology.common_terms import SPDX, Fact
from hpc_explorer.ontology.licences import Licence, Named, licence_of
from hpc_explorer.rdf.namespaces import DC, DCTERMS
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad

_OFFERED = (DCTERMS.license,)
_RIGHTS = (DCTERMS.rights, DC.rights)
_NAMED_AT_MOST = 3

# How registries, workflow systems and SPDX write "no licence": letters only, lower case.
_NO_LICENCE = frozenset(
    {
        "notspecified", "licensenotspecified", "nolicensespecified", "unspecified", "nolicense", "nolicence",
        "unknown", "unknownlicense", "unknownlicence", "licenseunknown", "noassertion", "none", "notprovided",
        "na", "notapplicable", "notavailable", "notset", "null", "nil", "undefined", "tbd", "tba", "tobedetermined",
        "todo", "unlicensed",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Stated:
    """A stated licence.

    Args:
        words: its text or IRI.
        licence: None if not recognised.
    """

    words: str
    licence: Licence | None
    evidence: tuple[Quad, ...]


def licences_of(subject: Subject) -> tuple[Stated, ...]:
    """The licences of the resource and its distributions, the most certain first."""
    readings = [each for quad in _quads(subject) for each in _readings(subject, quad)]
    # The literals of an unrecognised node are more informative than the node.
    return tuple(sorted(readings, key=lambda each: (-(each.licence.named if each.licence else 0), not each.words)))


def _quads(subject: Subject) -> tuple[Quad, ...]:
    return tuple(
        quad
        for quad in subject.stated(FairFact.LICENCE, of=(Role.DISTRIBUTION,))
        # dcterms:rights has many uses; an access level is not a licence.
        if (quad.predicate not in _RIGHTS or access_term(_text(quad)) is None) and not _says_there_is_none(quad)
    )


def _says_there_is_none(quad: Quad) -> bool:
    """Whether the value is a placeholder for an unknown licence: "notspecified", #unknown-license."""
    if isinstance(quad.object, Literal) and not any(map(str.isalnum, quad.object.value)):
        return True  # "-", "?"
    return "".join(filter(str.isalpha, _last_part(quad))).lower() in _NO_LICENCE


def _last_part(quad: Quad) -> str:
    text = _text(quad)
    is_address = isinstance(quad.object, NamedNode) or "://" in text
    return re.split("[/#]", text.rstrip("/#"))[-1] if is_address else text


def _no_licence(test: str, subject: Subject) -> Finding:
    """The finding without a stated licence, including explicit placeholders."""
    empty = tuple(filter(_says_there_is_none, subject.stated(FairFact.LICENCE, of=(Role.DISTRIBUTION,))))
    told = f" “{short(_last_part(empty[0]))}” is a placeholder." if empty else ""
    return found(test, Verdict.FAIL, f"No licence is stated.{told}", empty[:1], missing=_OFFERED)


def _text(quad: Quad) -> str:
    return quad.object.value if isinstance(quad.object, (Literal, NamedNode)) else ""


def _readings(subject: Subject, quad: Quad) -> Iterator[Stated]:
    yield Stated(_text(quad), licence_of(_text(quad)), (quad,))
    if (identifier := _written_as_address(quad)) is not None:
        yield Stated(identifier, licence_of(identifier), (quad,))
    node = subject.node(quad.object)
    for inner in node.quads if node is not None else ():
        if inner.predicate in _NAMING and _text(inner):
            yield Stated(_text(inner), licence_of(_text(inner)), (quad, inner))


def _written_as_address(quad: Quad) -> str | None:
    """The identifier that JSON-LD turned into a file name, because schema.org's context makes licences addresses."""
    if not isinstance(quad.object, NamedNode) or not quad.object.value.startswith("file:"):
        return None
    name = _as_written(quad.object.value)
    known = licence_of(name)
    return name if known is not None and known.named is Named.BY_IDENTIFIER else None


def _as_written(text: str) -> str:
    """An address, or the word that was resolved to a file next to the document: "Public", "LICENSE"."""
    return unquote(text.rpartition("/")[2]) or text if text.startswith("file:") else text


_NAMING = frozenset(
    {
        *(
            each
            for fact in (Fact.NAME, Fact.IDENTIFIER, Fact.SAME_AS, Fact.URL, Fact.ALTERNATE_NAME)
            for each in terms_of(fact)
        ),
        CC.legalcode,
        SPDX.licenseId,
    }
)


def licence_is_stated(subject: Subject, surroundings: Surroundings) -> Finding:
    """R1.1-01M: any licence of the resource or of a distribution is stated."""
    test = "licence_is_stated"
    stated = _quads(subject)
    if not stated:
        return _no_licence(test, subject)
    words = short(_as_written(_text(stated[0]))) or "a node of the graph"
    sentence = f"{term(stated[0].predicate)} states the licence: {words}{_of_files(subject, stated)}."
    return found(test, Verdict.PASS, sentence, stated)


def _of_files(subject: Subject, stated: tuple[Quad, ...]) -> str:
    """How many files have a licence, if only files have one, and which have none."""
    if any(quad.subject == subject.resource for quad in stated):
        return ""
    licensed = {quad.subject for quad in stated}
    without = [node for node in subject.distributions if node.resource not in licensed]
    if not without:
        return ", of each distribution" if len(subject.distributions) > 1 else ", of its distribution"
    names = [_name(node) for node in without[:_NAMED_AT_MOST]]
    if (more := len(without) - _NAMED_AT_MOST) > 0:
        names.append(f"{more} more")
    of_how_many = f"{len(licensed)} of {len(subject.distributions)} distributions"
    return f", of {of_how_many}; {listed(names)} {'states' if len(without) == 1 else 'state'} none"


def _name(node: Node) -> str:
    """The name of a file: its label, or the end of its address or IRI."""
    for quad in node.stated(Fact.NAME, FairFact.FILE_NAME, FairFact.DOWNLOAD_URL, FairFact.ACCESS_URL):
        if text := _text(quad):
            return short(text.rstrip("/#").rpartition("/")[2] or text)
    if isinstance(node.resource, NamedNode):
        return short(re.split("[/#]", node.resource.value.rstrip("/#"))[-1])
    return "one without a name"


def licence_is_standard(subject: Subject, surroundings: Surroundings) -> Finding:
    """R1.1-02M: the licence is in the SPDX License List or of Creative Commons, in any spelling."""
    test = "licence_is_standard"
    stated = licences_of(subject)
    if not stated:
        return _no_licence(test, subject)
    best = stated[0]
    if best.licence is None:
        sentence = f"{_shown(best)} is not a licence of the SPDX License List or of Creative Commons."
        return found(test, Verdict.FAIL, sentence, best.evidence, basis=Basis.VERIFIED, missing=_OFFERED)
    others = _others(stated, lambda each: each.licence is not None, "and is none", "and are none")
    sentence = f"The licence is {best.licence.id}, a standard one{others}."
    return found(test, Verdict.PASS, sentence, best.evidence, basis=Basis.VERIFIED)


def licence_is_machine_readable(subject: Subject, surroundings: Surroundings) -> Finding:
    """R1.1-03M: the licence is given by an address or an SPDX identifier, not only in words."""
    test = "licence_is_machine_readable"
    stated = licences_of(subject)
    if not stated:
        return _no_licence(test, subject)
    best = stated[0]
    if best.licence is None:
        sentence = f"The licence {_shown(best)} is not machine-readable."
        return found(test, Verdict.FAIL, sentence, best.evidence, basis=Basis.VERIFIED, missing=_OFFERED)
    if _is_exact(best):
        by = "its address" if best.licence.named is Named.BY_ADDRESS else "its SPDX identifier"
        older = "; SPDX advises a newer identifier" if best.licence.deprecated else ""
        others = _others(stated, _is_exact, "and no program can tell it", "and no program can tell them")
        sentence = f"The licence is named by {by}: {short(best.words)}{older}{others}."
        return found(test, Verdict.PASS, sentence, best.evidence, basis=Basis.VERIFIED)
    what = "leaves its version open" if best.licence.named is Named.FAMILY else "is in words"
    sentence = f"The licence {_shown(best)} {what}: a program can only guess that it is {best.licence.id}."
    return found(test, Verdict.PARTIAL, sentence, best.evidence, basis=Basis.VERIFIED, missing=_OFFERED)


def _is_exact(stated: Stated) -> bool:
    return stated.licence is not None and stated.licence.is_exact


def _others(stated: tuple[Stated, ...], holds: Callable[[Stated], bool], one: str, several: str) -> str:
    """The other stated licences, mostly of other files, that do not pass."""
    good = {each.evidence[0] for each in stated if holds(each)}
    bad = {
        _shown(each)
        for each in stated
        if len(each.evidence) == 1 and each.evidence[0] not in good and each.evidence[0].predicate not in _RIGHTS
    }
    if not bad:
        return ""
    verb = f"is stated too, {one}" if len(bad) == 1 else f"are stated too, {several}"
    return f"; {listed(sorted(bad)[:_NAMED_AT_MOST])} {verb}"


def _shown(stated: Stated) -> str:
    return f"“{short(_as_written(stated.words))}”" if stated.words else "a node without a name"


CHECKS: Mapping[str, Check] = {
    each.__name__: each for each in (licence_is_stated, licence_is_standard, licence_is_machine_readable)
}
