"""What anomalies affected, as a graph states it."""

from __future__ import annotations

from collections import defaultdict

from hpc_explorer.rdf.namespaces import HPC, PROV
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store


def anomaly_links(store: Store, *, limits: Limits = NO_LIMITS) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """The jobs that each anomaly affected, and the series that it was found in, by its IRI."""
    found: list[dict[str, set[str]]] = []
    for pattern in (f"?one <{PROV.wasInfluencedBy.value}> ?anomaly", f"?anomaly <{PROV.wasDerivedFrom.value}> ?one"):
        links: dict[str, set[str]] = defaultdict(set)
        query = f"SELECT ?anomaly ?one WHERE {{ ?anomaly a <{HPC.Anomaly.value}> . {pattern} }}"
        for row in store.select(query, limits=limits):
            links[_value(row.get("anomaly"))].add(_value(row.get("one")))
        found.append(dict(links))
    return found[0], found[1]


def affected_by_anomalies(store: Store, *, limits: Limits = NO_LIMITS) -> frozenset[str]:
    """The IRIs of what anomalies affected, except those that a person called false alarms."""
    query = f"""SELECT DISTINCT ?one ?anomaly WHERE {{
      ?anomaly a <{HPC.Anomaly.value}> . ?one <{PROV.wasInfluencedBy.value}> ?anomaly .
      FILTER NOT EXISTS {{ ?note <http://www.w3.org/ns/oa#hasTarget> ?anomaly ; <{HPC.verdict.value}> "false alarm" }}
    }}"""
    return frozenset(_value(row.get("one")) for row in store.select(query, limits=limits))


def _value(term: object) -> str:
    return str(getattr(term, "value", term))
