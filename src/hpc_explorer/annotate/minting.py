"""New IRIs for new resources: by a template for each class, and never one that the graph has already.

    http://example.org/{class}/{name}             http://example.org/Dataset/datarace-bench
    http://example.org/dataset/DA{number:6}       http://example.org/dataset/DA000005

What is put into a template is made a plain part of a path, so that no value can lead to another place.
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

# Who gives out IRIs that nobody else can make.
_OTHERS = frozenset(
    {
        "doi.org", "dx.doi.org", "orcid.org", "ror.org", "archive.softwareheritage.org", "www.wikidata.org",
        "dbpedia.org", "spdx.org", "w3id.org", "n2t.net", "hdl.handle.net", "github.com", "gitlab.com", "zenodo.org",
        "huggingface.co", "www.kaggle.com", "openml.org", "www.openml.org",
    }
)  # fmt: skip

# What is longer is no count of things.
_MOST_DIGITS = 12


@dataclass(frozen=True)
class IriTemplate:
    """How the IRIs of new resources are made.

    Args:
        text: an absolute IRI with any of `{class}`, `{name}`, `{number}`, `{number:6}` (with at least six digits) and
            `{uuid}`.

    Raises:
        InvalidIri: another blank, a blank before the path, or no absolute IRI.
    """

    text: str

    def __post_init__(self) -> None:
        for blank in _BLANK.findall(self.text):
            if blank not in ("class", "name", "uuid") and not _NUMBER.fullmatch(blank):
                raise InvalidIri(f"no such blank: {{{blank}}}", self.text, "use {class}, {name}, {number} or {uuid}")
        fixed = self.text.partition("{")[0]
        parts = urlsplit(fixed)
        if not parts.scheme or (fixed.startswith(("http:", "https:")) and (not parts.netloc or not parts.path)):
            raise InvalidIri("a template begins with an absolute IRI", self.text, "write https://example.org/{name}")
        try:
            NamedNode(_BLANK.sub("x", self.text))
        except ValueError:
            raise InvalidIri("a template with characters that IRIs may not have", self.text, "encode them") from None

    def filled(self, cls: str, name: str, number: int) -> NamedNode:
        """The IRI for these values, each made a part of a path."""

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
        """The highest number that IRIs made by it have; 0 for none."""
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
        """Whether a number stands in it."""
        return "{number" in self.text


@dataclass(frozen=True)
class Minting:
    """The templates of a workspace.

    Args:
        default: that of the classes that have none of their own.
        by_class: those of some classes; they count for the classes below too.
    """

    default: IriTemplate
    by_class: Mapping[NamedNode, IriTemplate] = field(default_factory=dict)

    def template(self, cls: NamedNode, schema: SchemaIndex) -> IriTemplate:
        """The template of a class: its own, else that of the most specific class above it that has one."""
        if cls in self.by_class:
            return self.by_class[cls]
        above = [one for one in schema.superclasses(cls) if one in self.by_class]
        nearest = schema.most_specific(above)
        return self.by_class[nearest[0]] if nearest else self.default


def template_like(iris: Sequence[str]) -> IriTemplate | None:
    """The template that IRIs look as if they were made by; None where they have no place in common.

    IRIs that an authority gives out, such as DOIs, are none to be made here.

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
    # Numbers that were filled up to a width outgrow it: those of one beginning count together.
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
    """A template, unless the text has what templates may not have before their path."""
    try:
        return IriTemplate(text)
    except InvalidIri:
        return None


def label_of_name(name: str) -> str:
    """The name of a file or the end of an IRI as words for a person.

    >>> label_of_name("xplacer_kernelData.csv"), label_of_name("decisionTree.onnx"), label_of_name("MO000001")
    ('xplacer kernel data', 'decision tree', 'MO000001')
    """
    stem = re.sub(r"(?<=.)(?:\.[A-Za-z][A-Za-z0-9]{0,9})+\Z", "", name)
    return words(re.sub(r"[_\s]+", "_", stem.strip())) or name


def path_name(label: str) -> str:
    """A label as a part of an IRI's path: small letters and digits joined by hyphens.

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
    """An IRI for a new resource that the graph says nothing of yet.

    Where the template has a number, one behind those taken is found in few steps, the first if they have no gaps;
    otherwise such a number is added: "-2".

    Args:
        cls: the class of the resource.
        name: what it is called; may be empty.
        after: the number that the one of a template is to be higher than.
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
    """Whether a graph speaks of an IRI, as what it is about, as a property, as a value or as the name of a graph."""
    return (
        any(True for _ in store.match(iri, limits=limits))
        or any(True for _ in store.match(None, None, iri, limits=limits))
        or any(True for _ in store.match(None, iri, limits=limits))
        or any(True for _ in store.match(graph=iri, limits=limits))
    )
