"""Time series as statements: what was measured, in which unit, of what, and the file of the points."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from hpc_explorer.monitor.graph import digest
from hpc_explorer.monitor.series_points import NamedSeries
from hpc_explorer.rdf.namespaces import DCAT, DCTERMS, HPC, PROV, PROVLAKE, QUDT, RDF, RDFS, SCHEMA, SOSA
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad, Term
from hpc_explorer.stores.base import NO_LIMITS, Limits, Row, Store

SERIES_GRAPH = NamedNode("urn:hpc-explorer:monitor:series")
"""The named graph of imported series."""

_SHA256 = NamedNode("https://w3id.org/ro/terms/workflow-run#sha256")


@dataclass(frozen=True)
class StatedSeries:
    """A series that a graph states.

    Args:
        label: its name, with the host if it has one.
        quantity: the name of the observed property.
        unit: its symbol or name; empty if it is not known.
        about: what was measured, such as hosts or jobs.
        file: where the points were read from: an address, or a path beside the source; empty if it is not known.
        key: the name of the series in that file.
    """

    iri: NamedNode
    label: str
    quantity: str
    unit: str
    about: tuple[NamedNode, ...]
    file: str
    key: str


@dataclass(frozen=True)
class SeriesOrigin:
    """Where series come from.

    Args:
        iri: of the file, or the address of a server and what is read there.
        label: its name.
        checksum: the SHA-256 of the file, in hexadecimal; empty for a server.
    """

    iri: str
    label: str
    checksum: str = ""

    @classmethod
    def of_file(cls, path: Path, checksum: str = "") -> SeriesOrigin:
        """A file."""
        return cls(path.absolute().as_uri(), path.name, checksum)


def series_iri(origin: SeriesOrigin, series: NamedSeries) -> NamedNode:
    """The IRI of a series.

    A series of a host is named by host and quantity, so that files of several days make one series. Others are named
    by their origin.
    """
    place = "" if series.host else origin.iri
    return NamedNode(f"urn:hpc-explorer:monitor:series:{digest(place, str(series))}")


def series_statements(
    origin: SeriesOrigin,
    series: Iterable[NamedSeries],
    machines: Mapping[str, tuple[NamedNode, ...]],
    data_stores: Mapping[str, tuple[NamedNode, ...]],
    unit: Callable[[str], NamedNode | None],
) -> tuple[Quad, ...]:
    """The statements about series, in `SERIES_GRAPH`; the points stay outside.

    Args:
        machines: the machines of the graph by name; a host that is not among them is described.
        data_stores: those of the graph by name; a series without a host is about the ones that its labels name.
        unit: finds a unit by its text.
    """
    quads: dict[Quad, None] = {}

    def add(subject: NamedNode, predicate: NamedNode, *values: Term) -> None:
        for value in values:
            quads[Quad(subject, predicate, value, SERIES_GRAPH)] = None

    source = NamedNode(origin.iri)
    add(source, RDF.type, PROV.Entity)
    add(source, RDFS.label, Literal(origin.label))
    if origin.checksum:
        add(source, RDF.type, HPC.File)
        add(source, _SHA256, Literal(origin.checksum))
    for one in series:
        own = series_iri(origin, one)
        add(own, RDF.type, HPC.TimeSeries, PROV.Entity)
        add(own, RDFS.label, Literal(_label(one)))
        add(own, DCTERMS.identifier, Literal(str(one)))
        add(own, PROV.wasDerivedFrom, source)
        add(own, DCAT.downloadURL, source)
        quantity = NamedNode(f"urn:hpc-explorer:monitor:property:{quote(one.name, safe='')}")
        add(own, SOSA.observedProperty, quantity)
        add(quantity, RDF.type, SOSA.ObservableProperty)
        add(quantity, RDFS.label, Literal(one.name))
        if one.unit:
            known = unit(one.unit)
            add(own, *((QUDT.unit, known) if known is not None else (SCHEMA.unitText, Literal(one.unit))))
        add(own, SOSA.hasFeatureOfInterest, *about_of(one, machines, data_stores))
        if one.host and one.host not in machines:
            add(_machine(one.host), RDF.type, HPC.Hardware)
            add(_machine(one.host), RDFS.label, Literal(one.host))
    return tuple(quads)


def _label(series: NamedSeries) -> str:
    others = {key: text for key, text in series.labels.items() if re.sub(r":\d+\Z", "", text) != series.host}
    tags = ", ".join(f"{key} {others[key]}" for key in sorted(others))
    return series.name + (f", {tags}" if tags else "") + (f" of {series.host}" if series.host else "")


_MACHINE = "urn:hpc-explorer:monitor:host:"


def _machine(name: str) -> NamedNode:
    return NamedNode(_MACHINE + quote(name, safe=""))


def machine_name(machine: NamedNode) -> str | None:
    """The name of a machine that `series_statements` describes; None for another resource."""
    return unquote(machine.value.removeprefix(_MACHINE)) if machine.value.startswith(_MACHINE) else None


def checksums_in(store: Store, origin: SeriesOrigin, *, limits: Limits = NO_LIMITS) -> tuple[Quad, ...]:
    """The statements of the checksum of a file, as `series_statements` makes them."""
    file = NamedNode(origin.iri)
    query = f"SELECT ?sum WHERE {{ GRAPH <{SERIES_GRAPH.value}> {{ <{file.value}> <{_SHA256.value}> ?sum }} }}"
    sums = (row.get("sum") for row in store.select(query, limits=limits))
    return tuple(Quad(file, _SHA256, one, SERIES_GRAPH) for one in sums if isinstance(one, Literal))


def about_of(
    series: NamedSeries, machines: Mapping[str, tuple[NamedNode, ...]], data_stores: Mapping[str, tuple[NamedNode, ...]]
) -> tuple[NamedNode, ...]:
    """What a series of a file is about: its host, or the data stores that its labels name."""
    if series.host:
        return machines.get(series.host) or (_machine(series.host),)
    return tuple(dict.fromkeys(one for label in series.labels.values() for one in data_stores.get(label, ())))


def machines_in(store: Store, *, limits: Limits = NO_LIMITS) -> dict[str, tuple[NamedNode, ...]]:
    """The machines of a graph by name."""
    return _by_name(store, f"?thing a <{HPC.Hardware.value}> ; <{RDFS.label.value}> ?name", limits)


def data_stores_in(store: Store, *, limits: Limits = NO_LIMITS) -> dict[str, tuple[NamedNode, ...]]:
    """The data stores of a graph by name, or by IRI without one: what is called one, and where data is said to lie."""
    stated = f"?thing a <{PROVLAKE.DataStoreInstance.value}>"
    lies = f"?data <{PROVLAKE.isInStore.value}>|<{PROV.atLocation.value}> ?thing"
    name = f"OPTIONAL {{ ?thing <{RDFS.label.value}> ?label }} BIND(STR(COALESCE(?label, ?thing)) AS ?name)"
    return _by_name(store, f"{{ SELECT DISTINCT ?thing WHERE {{ {{ {stated} }} UNION {{ {lies} }} }} }} {name}", limits)


def _by_name(store: Store, pattern: str, limits: Limits) -> dict[str, tuple[NamedNode, ...]]:
    """What is bound to `?thing`, by what is bound to `?name`."""
    found: dict[str, list[NamedNode]] = defaultdict(list)
    for row in store.select(f"SELECT DISTINCT ?thing ?name WHERE {{ {pattern} }}", limits=limits):
        thing, name = row.get("thing"), row.get("name")
        if isinstance(thing, NamedNode) and isinstance(name, Literal):
            found[name.value].append(thing)
    return {name: tuple(sorted(things, key=str)) for name, things in found.items()}


_SERIES = f"""SELECT ?series ?label ?quantity ?unit ?symbol ?about ?file ?key WHERE {{
  ?series a <{HPC.TimeSeries.value}> .
  OPTIONAL {{ ?series <{RDFS.label.value}> ?label }}
  OPTIONAL {{ ?series <{SOSA.observedProperty.value}> ?property
    OPTIONAL {{ ?property <{RDFS.label.value}> ?quantity }} }}
  OPTIONAL {{ ?series <{QUDT.unit.value}> ?unit }}
  OPTIONAL {{ ?series <{SCHEMA.unitText.value}> ?symbol }}
  OPTIONAL {{ ?series <{SOSA.hasFeatureOfInterest.value}> ?about }}
  OPTIONAL {{ ?series <{DCAT.downloadURL.value}> ?file }}
  OPTIONAL {{ ?series <{DCTERMS.identifier.value}> ?key }} }}"""


def series_in(
    store: Store, symbol: Callable[[NamedNode], str] = lambda unit: unit.value, *, limits: Limits = NO_LIMITS
) -> tuple[StatedSeries, ...]:
    """The series that a graph states, by name.

    Args:
        symbol: the symbol of a unit.
    """
    rows: dict[NamedNode, Row] = {}
    about: dict[NamedNode, dict[NamedNode, None]] = defaultdict(dict)
    for row in store.select(_SERIES, limits=limits):
        series, of = row.get("series"), row.get("about")
        if isinstance(series, NamedNode):
            rows.setdefault(series, row)
            if isinstance(of, NamedNode):
                about[series][of] = None
    found = []
    for series, cells in rows.items():
        texts = {name: getattr(term, "value", "") for name, term in cells.items()}
        unit = cells.get("unit")
        found.append(
            StatedSeries(
                series,
                texts.get("label") or series.value,
                texts.get("quantity") or texts.get("label") or series.value,
                symbol(unit) if isinstance(unit, NamedNode) else texts.get("symbol", ""),
                tuple(about[series]),
                texts.get("file", ""),
                texts.get("key", ""),
            )
        )
    return tuple(sorted(found, key=lambda one: (one.quantity, one.label, one.iri.value)))
