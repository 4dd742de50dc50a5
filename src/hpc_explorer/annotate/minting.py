"""New IRIs for new resources, made from a template for each class and never equal to an existing IRI.

    http://example.org/{class}/{name}             http://example.org/Dataset/datarace-bench
    http://example.org/dataset/DA{number:6}       http://example.org/dataset/DA000005

Values are reduced to plain path segments, so that they cannot change the location.
"""

from __future__ import annotations

import re
import unicodedata
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote, urlsplit

from hpc_explorer.errors import InvalidIri
from hpc_explorer.ontology.labels import local_name, words
from hpc_explorer.ontology.schema import SchemaIndex
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store

_BLANK = re.compile(r"\{([^{}]*)\}")
_NUMBER = re.compile(r"number(?::(\d{1,2}))?")

_LONGEST_NAME = 80

# Authorities whose IRIs cannot be minted here.
_OTHERS = frozenset(
    {
        "doi.org", "dx.doi.org", "orcid.org", "ror.org", "archive.softwareheritage.org", "www.wikidata.org",
        "dbpedia.org", "spdx.org", "w3id.org", "n2t.net", "hdl.handle.net", "github.com", "gitlab.com", "zenodo.org",
        "huggingface.co", "www.kaggle.com", "openml.org", "www.openml.org",
    }
)  # fmt: skip

# Longer digit sequences are not numbering.
_MOST_DIGITS = 12


@dataclass(frozen=True)
class IriTemplate:
    """A template for new IRIs.

    Args:
        text: an absolute IRI with any of `{class}`, `{name}`, `{number}`, `{number:6}` (at least six digits) and
            `{uuid}`.

    Raises:
        InvalidIri: unknown placeholder, placeholder before the path, or not an absolute IRI.
    """

    text: str

    def __post_init__(self) -> None:
        for blank in _BLANK.findall(self.text):
            if blank not in ("class", "name", "uuid") and not _NUMBER.fullmatch(blank):
                raise InvalidIri(
                    f"unknown placeholder: {{{blank}}}", self.text, "use {class}, {name}, {number} or {uuid}"
                )
        fixed = self.text.partition("{")[0]
        parts = urlsplit(fixed)
        if not parts.scheme or (fixed.startswith(("http:", "https:")) and (not parts.netloc or not parts.path)):
            raise InvalidIri(
                "a template must start with an absolute IRI", self.text, "write https://example.org/{name}"
            )
        try:
            NamedNode(_BLANK.sub("x", self.text))
        except ValueError:
            raise InvalidIri("a template with characters that are invalid in IRIs", self.text, "encode them") from None

    def filled(self, cls: str, name: str, number: int) -> NamedNode:
        """The IRI for these values, each converted to a path segment."""

        def value(blank: re.Match[str]) -> str:
            if blank[1] == "class":
                return quote(cls, safe="")
            if blank[1] == "name":
                return path_name(name)
            if blank[1] == "uuid":
                return str(uuid.uuid4())
            counting = _NUMBER.fullmatch(blank[1])
            return f"{number:0{int(counting[1] or 1) if counting else 1}}"

        return NamedNode(_BLANK.sub(value, self.text))

    def last_number(self, iris: Iterable[str]) -> int:
        """The highest number in IRIs made by this template; 0 if there is none."""
        parts = _BLANK.split(self.text)
        pattern = "".join(
            re.escape(part) if at % 2 == 0 else f"({'[0-9]{1,12}' if _NUMBER.fullmatch(part) else '.*?'})"
            for at, part in enumerate(parts)
        )
        place = next((at for at, blank in enumerate(parts[1::2], 1) if _NUMBER.fullmatch(blank)), None)
        if place is None:
            return 0
        made = (re.fullmatch(pattern, iri) for iri in iris)
        return max((int(found[place]) for found in made if found is not None), default=0)

    @property
    def counts(self) -> bool:
        """Whether the template has a number."""
        return "{number" in self.text


@dataclass(frozen=True)
class Minting:
    """The templates of a workspace.

    Args:
        default: the template for other classes.
        by_class: templates of classes, which apply to their subclasses too.
    """

    default: IriTemplate
    by_class: Mapping[NamedNode, IriTemplate] = field(default_factory=dict)

    def template(self, cls: NamedNode, schema: SchemaIndex) -> IriTemplate:
        """The template of a class, or of its most specific superclass with a template."""
        if cls in self.by_class:
            return self.by_class[cls]
        above = [one for one in schema.superclasses(cls) if one in self.by_class]
        nearest = schema.most_specific(above)
        return self.by_class[nearest[0]] if nearest else self.default


def template_like(iris: Sequence[str]) -> IriTemplate | None:
    """Guess the template of existing IRIs; None if they have no common location.

    IRIs from an authority, such as DOIs, are ignored.

    >>> template_like(["http://example.org/dataset/DA000005", "http://example.org/dataset/DA000012"]).text
    'http://example.org/dataset/DA{number:6}'
    >>> template_like(["http://example.org/person/ada", "http://example.org/person/grace"]).text
    'http://example.org/person/{name}'
    """
    places: Counter[str] = Counter()
    numbered: Counter[tuple[str, int]] = Counter()
    own = [iri for iri in iris if urlsplit(iri).hostname not in _OTHERS]
    for iri in own:
        place = iri[: max(iri.rfind("/"), iri.rfind("#")) + 1]
        places[place] += 1
        digits = re.search(r"[0-9]+\Z", iri)
        if digits is not None and len(digits[0]) <= _MOST_DIGITS:
            numbered[iri[: digits.start()], len(digits[0]) if digits[0].startswith("0") else 1] += 1
    # Padded numbers can exceed their width: numbers with the same prefix count together.
    stems: Counter[str] = Counter()
    for (stem, _), times in numbered.items():
        stems[stem] += times
    stem, times = next(iter(stems.most_common(1)), ("", 0))
    if times > len(own) / 2:
        width = max(width for (of, width) in numbered if of == stem)
        return _template_or_none(f"{stem}{{number:{width}}}" if width > 1 else f"{stem}{{number}}")
    place, times = next(iter(places.most_common(1)), ("", 0))
    return _template_or_none(f"{place}{{name}}") if times > len(own) / 2 else None


def _template_or_none(text: str) -> IriTemplate | None:
    """The template, or None if the text has invalid parts before its path."""
    try:
        return IriTemplate(text)
    except InvalidIri:
        return None


def label_of_name(name: str) -> str:
    """Turn a file name or the end of an IRI into words.

    >>> label_of_name("xplacer_kernelData.csv"), label_of_name("decisionTree.onnx"), label_of_name("MO000001")
    ('xplacer kernel data', 'decision tree', 'MO000001')
    """
    stem = re.sub(r"(?<=.)(?:\.[A-Za-z][A-Za-z0-9]{0,9})+\Z", "", name)
    return words(re.sub(r"[_\s]+", "_", stem.strip())) or name


def path_name(label: str) -> str:
    """Turn a label into a path segment: lower-case letters and digits joined by hyphens.

    >>> path_name("DataRaceBench: micro-benchmarks"), path_name("Zürich 2"), path_name("../..")
    ('dataracebench-micro-benchmarks', 'zurich-2', 'unnamed')
    """
    plain = "".join(one for one in unicodedata.normalize("NFKD", label) if not unicodedata.combining(one))
    words = re.findall(r"\w+", plain.casefold().replace("_", " "))
    return quote("-".join(words)[:_LONGEST_NAME].strip("-"), safe="") or "unnamed"


def mint(
    store: Store,
    template: IriTemplate,
    cls: NamedNode,
    name: str,
    *,
    after: int = 0,
    limits: Limits = NO_LIMITS,
) -> NamedNode:
    """A new IRI that the graph does not use yet.

    A template with a number gets the next free number; otherwise a suffix such as "-2" is added if needed.

    Args:
        cls: the class of the resource.
        name: its name; may be empty.
        after: the number must be higher than this.
    """
    class_name = local_name(cls.value)

    def candidate(number: int) -> NamedNode:
        if template.counts or number == 1:
            return template.filled(class_name, name, after + number)
        return NamedNode(f"{template.filled(class_name, name, 1).value}-{number}")

    last_taken, free = 0, 0
    for number in _doubling():
        limits.check("looking for a free IRI")
        if is_taken(store, candidate(number), limits=limits):
            last_taken = number
        else:
            free = number
            break
    while free - last_taken > 1:
        middle = (free + last_taken) // 2
        if is_taken(store, candidate(middle), limits=limits):
            last_taken = middle
        else:
            free = middle
    return candidate(free)


def _doubling() -> Iterator[int]:
    number = 1
    while True:
        yield number
        number *= 2


def is_taken(store: Store, iri: NamedNode, *, limits: Limits = NO_LIMITS) -> bool:
    """Whether a graph uses an IRI as subject, property, object or graph name."""
    return (
        any(True for _ in store.match(iri, limits=limits))
        or any(True for _ in store.match(None, None, iri, limits=limits))
        or any(True for _ in store.match(None, iri, limits=limits))
        or any(True for _ in store.match(graph=iri, limits=limits))
    )
