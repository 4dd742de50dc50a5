"""What people say about anomalies: confirmed or a false alarm, and why. Each is a W3C Web Annotation."""

from __future__ import annotations

from datetime import UTC, datetime

from hpc_explorer.monitor.graph import digest
from hpc_explorer.rdf.namespaces import DCTERMS, HPC, RDF, RDFS, XSD, Namespace
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store
from hpc_explorer.stores.changes.changes import ChangeSet

OA = Namespace("http://www.w3.org/ns/oa#")

TRIAGE_GRAPH = NamedNode("urn:hpc-explorer:monitor:triage")
"""The named graph of verdicts."""

CONFIRMED, FALSE_ALARM = "confirmed", "false alarm"
VERDICTS = (CONFIRMED, FALSE_ALARM)


def triage_change(
    store: Store, anomaly: NamedNode, label: str, verdict: str, why: str = "", *, limits: Limits = NO_LIMITS
) -> ChangeSet:
    """The change that replaces the verdict on an anomaly.

    Args:
        label: that of the anomaly, for the words of the edit.
        verdict: one of `VERDICTS`; empty to withdraw the verdict.
        why: the reason; may be empty.
    """
    own = NamedNode(f"urn:hpc-explorer:monitor:triage:{digest(anomaly.value)}")
    old = tuple(Quad(own, quad.predicate, quad.object, TRIAGE_GRAPH) for quad in store.match(own, limits=limits))
    added: list[Quad] = []
    if verdict:
        now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        for predicate, value in (
            (RDF.type, OA.Annotation),
            (RDFS.label, Literal(f"{verdict}: {label}")),
            (OA.hasTarget, anomaly),
            (OA.motivatedBy, OA.assessing),
            (HPC.verdict, Literal(verdict)),
            (DCTERMS.created, Literal(now, datatype=XSD.dateTime)),
            *(((OA.bodyValue, Literal(why)),) if why else ()),
        ):
            added.append(Quad(own, predicate, value, TRIAGE_GRAPH))
    return ChangeSet(
        removed=old, added=tuple(added), words=f"{(verdict or 'no verdict').capitalize()}: {label}", why=why
    )


def verdicts_in(store: Store, *, limits: Limits = NO_LIMITS) -> dict[str, tuple[str, str]]:
    """The verdict and its reason, by the IRI of the anomaly."""
    query = f"""SELECT ?anomaly ?verdict ?why WHERE {{
      ?note <{OA.hasTarget.value}> ?anomaly ; <{HPC.verdict.value}> ?verdict .
      OPTIONAL {{ ?note <{OA.bodyValue.value}> ?why }} }}"""
    found = {}
    for row in store.select(query, limits=limits):
        texts = {name: getattr(term, "value", "") for name, term in row.items()}
        found[texts["anomaly"]] = (texts["verdict"], texts.get("why", ""))
    return found
