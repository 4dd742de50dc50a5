"""Jobs read from a graph, and what detection and fitting found, written as statements.

A job is an activity with a duration. Its run is the activity that it is stated to be part of; without such a statement
it is the named graph of the job, as each run is a source of its own. Names are made from the content, so that the same
detection gives the same statements.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from hpc_explorer.monitor.aspen.writing import model_text
from hpc_explorer.monitor.events import Event
from hpc_explorer.monitor.fitting import Fit
from hpc_explorer.monitor.jobs import Job, SlowHost, run_name
from hpc_explorer.monitor.whole_runs import SlowRun
from hpc_explorer.rdf.namespaces import DCTERMS, HPC, PROV, PROVLAKE, QUDT, RDF, RDFS, SOSA, TIME, UNIT, XSD, Namespace
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store

if TYPE_CHECKING:
    from hpc_explorer.rdf.terms import Term

_NAMES = Namespace("urn:hpc-explorer:monitor:")

STAGING = ("stage_in_delay", "stage_out_delay")
"""The measures of a job that are seconds spent on moving files."""

INPUT_BYTES = "input_bytes"
"""The name of the size of all input files of a job, as a measure."""

_JOBS = f"""SELECT ?graph ?job ?seconds WHERE {{
  GRAPH ?graph {{ ?job <{HPC.executionTime.value}> ?took . ?took <{QUDT.numericValue.value}> ?seconds ;
    <{QUDT.unit.value}> <{UNIT.SEC.value}> . ?job a <{PROV.Activity.value}> }} }}"""

_RUNS = f"""SELECT ?job ?run WHERE {{
  ?job <{DCTERMS.isPartOf.value}> ?run . ?run a <{PROV.Activity.value}> }}"""

_NUMBERS = f"""SELECT ?job ?key ?value WHERE {{
  ?measure <{PROVLAKE.isCharacteristicOf.value}> ?job ; <{RDFS.label.value}> ?key ; <{PROV.value.value}> ?value .
  FILTER(isNumeric(?value)) }}"""

_COMMANDS = f"""SELECT ?job ?command WHERE {{
  ?measure <{PROVLAKE.isCharacteristicOf.value}> ?job ; <{RDFS.label.value}> "command" ;
    <{PROV.value.value}> ?command }}"""

_NUMBERED = re.compile(r"(?:[._-]?(?:ID)?\d+)+\Z")
"""The end of a name that numbers a job."""

_INPUTS = f"""SELECT ?job (SUM(?size) AS ?bytes) WHERE {{
  ?job <{PROV.used.value}> ?file . ?file <http://www.w3.org/ns/dcat#byteSize> ?size }} GROUP BY ?job"""


_STORES = f"""SELECT DISTINCT ?store ?job WHERE {{
  ?data <{PROVLAKE.isInStore.value}>|<{PROV.atLocation.value}> ?store .
  {{ ?job <{PROV.used.value}>|<{PROV.generated.value}> ?data }}
  UNION {{ ?data <{PROV.wasGeneratedBy.value}> ?job }} }}"""


def jobs_by_data_store(store: Store, *, limits: Limits = NO_LIMITS) -> dict[str, frozenset[str]]:
    """The jobs, and other activities, that used or made data which lies in a data store, by the IRI of that store."""
    found: dict[str, set[str]] = defaultdict(set)
    for place, job in _rows(store, _STORES, limits):
        found[_text(place)].add(_text(job))
    return {place: frozenset(jobs) for place, jobs in found.items()}


def jobs_in(store: Store, *, limits: Limits = NO_LIMITS) -> tuple[Job, ...]:
    """The jobs of a graph: activities with a duration in seconds, except whole runs."""
    runs: dict[Term, str] = {}
    seconds: dict[Term, float | None] = {}
    for row in _rows(store, _JOBS, limits):
        graph, job, took = row
        number = _number(took)
        runs[job], seconds[job] = _text(graph), None if number is not None and number < 0 else number
    if not runs:
        return ()
    runs |= {job: _text(run) for job, run in _rows(store, _RUNS, limits) if job in runs}
    measures: dict[Term, dict[str, float]] = defaultdict(dict)
    for job, key, value in _rows(store, _NUMBERS, limits):
        if job in runs and (number := _number(value)) is not None:
            measures[job][_text(key)] = number
    for job, size in _rows(store, _INPUTS, limits):
        if job in runs and (number := _number(size)) is not None:
            measures[job].setdefault(INPUT_BYTES, number)
    hosts, names = _pairs(store, HPC.wasAWH, limits), _pairs(store, RDFS.label, limits)
    keys, tasks = _pairs(store, DCTERMS.identifier, limits), _pairs(store, PROVLAKE.tag, limits)
    begins, ends = _pairs(store, PROV.startedAtTime, limits), _pairs(store, PROV.endedAtTime, limits)
    commands: dict[Term, Term] = dict(_rows(store, _COMMANDS, limits))  # type: ignore[arg-type]  # rows of two
    codes, plans = _pairs(store, HPC.exitCode, limits), _pairs(store, HPC.usedWorkflow, limits)
    found = []
    for job, run in runs.items():
        if job in plans:
            continue
        name = _text(keys.get(job) or names.get(job) or job)
        code = _number(codes.get(job))
        own = measures.get(job, {})
        if "stage_in_bytes" in own:
            own.setdefault(INPUT_BYTES, own["stage_in_bytes"])
        host = hosts.get(job)
        begin, end = _moment(begins.get(job)), _moment(ends.get(job))
        found.append(
            Job(
                _text(job),
                name,
                _text(tasks[job]) if job in tasks else _task(name, commands.get(job)),
                run,
                begin,
                None if begin is not None and end is not None and end < begin else end,
                seconds[job],
                sum(own.get(word, 0.0) for word in STAGING),
                "" if host is None else _text(names.get(host) or host),
                None if code is None else int(code),
                own,
            )
        )
    return tuple(sorted(found, key=lambda one: (one.run, one.started or 0.0, one.name)))


def _task(name: str, command: Term | None) -> str:
    """What a job executes where the source does not tell it: its program, or its name without a number."""
    words = "" if command is None else _text(command).split(maxsplit=1)[:1]
    return words[0].rpartition("/")[2] if words and words[0] else _NUMBERED.sub("", name) or name


def _pairs(store: Store, predicate: NamedNode, limits: Limits) -> Mapping[Term, Term]:
    query = f"SELECT ?subject ?value WHERE {{ ?subject <{predicate.value}> ?value }}"
    return dict(_rows(store, query, limits))  # type: ignore[arg-type]  # rows of two


def _rows(store: Store, query: str, limits: Limits) -> Iterator[list[Term]]:
    """The rows of a query in which all variables are bound, in the order of the variables."""
    rows = store.select(query, limits=limits)
    names = rows.variables
    for row in rows:
        values = [row.get(name) for name in names]
        if None not in values:
            yield values  # type: ignore[misc]  # none is None


def _text(term: Term) -> str:
    return getattr(term, "value", str(term))


def _number(term: Term | None) -> float | None:
    try:
        return None if term is None else float(_text(term))
    except ValueError:
        return None


def _moment(term: Term | None) -> float | None:
    try:
        moment = None if term is None else datetime.fromisoformat(_text(term))
    except ValueError:
        return None
    if moment is None:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


# Writing


def digest(*parts: object) -> str:
    """A name made from values; equal values give equal names."""
    return hashlib.sha256("\x1f".join(map(repr, parts)).encode()).hexdigest()[:32]


class _Writer:
    """Collects statements in one named graph."""

    def __init__(self, graph: NamedNode) -> None:
        self.graph = graph
        self.quads: dict[Quad, None] = {}

    def add(self, subject: Resource, predicate: NamedNode, *values: Term) -> None:
        for value in values:
            self.quads[Quad(subject, predicate, value, self.graph)] = None

    def procedure(self, name: str, version: str) -> NamedNode:
        """A detector, by name and version."""
        own = NamedNode(f"{_NAMES}detector:{name}:{version}")
        self.add(own, RDF.type, SOSA.Procedure, PROV.SoftwareAgent)
        self.add(own, RDFS.label, Literal(f"{name} {version}"))
        return own

    def interval(self, own: NamedNode, begin: float | None, end: float | None) -> None:
        """The time of an anomaly."""
        time = NamedNode(f"{own.value}:time")
        self.add(own, SOSA.phenomenonTime, time)
        self.add(time, RDF.type, TIME.Interval)
        ends = ("?" if moment is None else _time(moment).value for moment in (begin, end))
        self.add(time, RDFS.label, Literal(" – ".join(ends)))
        for name, moment in (("hasBeginning", begin), ("hasEnd", end)):
            if moment is not None:
                instant = NamedNode(f"{time.value}:{name}")
                self.add(time, TIME.term(name), instant)
                self.add(instant, RDF.type, TIME.Instant)
                self.add(instant, RDFS.label, Literal(_time(moment).value))
                self.add(instant, TIME.inXSDDateTimeStamp, _time(moment))


def _time(moment: float) -> Literal:
    text = datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return Literal(text, datatype=XSD.dateTimeStamp)


def _decimal(number: float, digits: int = 3) -> Literal:
    return Literal(f"{number:.{digits}f}", datatype=XSD.decimal)


def slow_host_statements(
    causes: Sequence[SlowHost], settings: Sequence[object], *, name: str = "slow-jobs", version: str = "1"
) -> tuple[NamedNode, tuple[Quad, ...]]:
    """What the detection of slow jobs found, in a named graph of its own.

    Each cause is an `hpc:Anomaly` of a host with one for each slow job as parts; each job was influenced by it, so that
    `lineage` and `impact` lead from an anomaly to the data and models that were made meanwhile.

    Args:
        settings: what else determines the result, such as limits; it is part of the name of the graph.
    """
    key = digest(name, version, *settings, sorted({job.job.run for cause in causes for job in cause.jobs}))
    writer = _Writer(NamedNode(f"{_NAMES}detection:{key}"))
    procedure = writer.procedure(name, version)
    for cause in causes:
        members = sorted(cause.jobs, key=lambda slow: slow.job.iri)
        own = NamedNode(f"{_NAMES}anomaly:{digest(key, cause.run, cause.host, [one.job.iri for one in members])}")
        label = f"slow host {cause.host}" if cause.host else f"slow job {members[0].job.name}"
        number = len(members)
        evidence = f"{number} slow {'job' if number == 1 else 'jobs'}, up to × {max(o.slowdown for o in members):.1f}"
        writer.add(own, RDF.type, HPC.Anomaly)
        writer.add(own, RDFS.label, Literal(label))
        writer.add(own, DCTERMS.description, Literal(evidence))
        writer.add(own, SOSA.usedProcedure, procedure)
        writer.add(own, HPC.anomalyScore, _decimal(cause.score))
        writer.add(own, HPC.severity, Literal(max(members, key=lambda slow: slow.score).severity))
        writer.interval(own, cause.begin, cause.end)
        if cause.host:
            writer.add(own, HPC.anomalousHost, Literal(cause.host))
        for slow in members:
            job = NamedNode(slow.job.iri)
            part = NamedNode(f"{own.value}:{digest(slow.job.iri)}")
            writer.add(part, RDF.type, HPC.Anomaly)
            writer.add(part, RDFS.label, Literal(f"slow job {slow.job.name}"))
            writer.add(part, DCTERMS.description, Literal(slow.evidence))
            writer.add(part, DCTERMS.isPartOf, own)
            writer.add(part, SOSA.hasFeatureOfInterest, job)
            writer.add(part, SOSA.usedProcedure, procedure)
            writer.add(part, HPC.anomalyScore, _decimal(slow.score))
            writer.add(part, HPC.severity, Literal(slow.severity))
            writer.interval(part, slow.job.started, slow.job.ended)
            writer.add(own, SOSA.hasFeatureOfInterest, job)
            writer.add(job, PROV.wasInfluencedBy, own)
    return writer.graph, tuple(writer.quads)


def slow_run_statements(slow: Sequence[SlowRun], settings: Sequence[object]) -> tuple[NamedNode, tuple[Quad, ...]]:
    """What the detection of slow runs found, in a named graph of its own; each job of a slow run was influenced.

    Args:
        settings: as in `slow_host_statements`.
    """
    key = digest("slow-runs", "1", *settings, sorted(one.run for one in slow))
    writer = _Writer(NamedNode(f"{_NAMES}detection:{key}"))
    procedure = writer.procedure("slow-runs", "1")
    for one in slow:
        own = NamedNode(f"{_NAMES}anomaly:{digest(key, one.run)}")
        writer.add(own, RDF.type, HPC.Anomaly)
        writer.add(own, RDFS.label, Literal(f"slow run {run_name(one.run)}"))
        writer.add(own, DCTERMS.description, Literal(one.evidence))
        writer.add(own, SOSA.usedProcedure, procedure)
        writer.add(own, HPC.anomalyScore, _decimal(one.score))
        writer.add(own, HPC.severity, Literal(one.severity))
        writer.interval(own, one.begin, one.end)
        for job in one.jobs:
            writer.add(own, SOSA.hasFeatureOfInterest, NamedNode(job.iri))
            writer.add(NamedNode(job.iri), PROV.wasInfluencedBy, own)
    return writer.graph, tuple(writer.quads)


def event_statements(
    series: NamedNode,
    label: str,
    events: Iterable[Event],
    jobs: Mapping[Event, Iterable[Job]],
    versions: Mapping[str, str],
    settings: Sequence[object] = (),
    *,
    hosts: Iterable[str] = (),
    data_stores: Iterable[NamedNode] = (),
) -> tuple[NamedNode, tuple[Quad, ...]]:
    """The events of a series, in a named graph of its own.

    Args:
        series: the IRI of the series.
        label: its name.
        jobs: the jobs that ran during each event.
        versions: the version of each detector by its name.
        hosts, data_stores: what the series is about; without both, an event is of the hosts of its jobs.
    """
    machines, places = tuple(hosts), tuple(data_stores)
    key = digest(series.value, sorted(versions.items()), *settings)
    writer = _Writer(NamedNode(f"{_NAMES}detection:{key}"))
    writer.add(series, RDF.type, HPC.TimeSeries)
    writer.add(series, RDFS.label, Literal(label))
    for event in events:
        own = NamedNode(f"{_NAMES}anomaly:{digest(key, event.begin, event.end)}")
        writer.add(own, RDF.type, HPC.Anomaly)
        writer.add(own, RDFS.label, Literal(f"{event.severity} anomaly of {label}"))
        writer.add(own, DCTERMS.description, Literal(event.evidence))
        writer.add(own, PROV.wasDerivedFrom, series)
        for detector in event.detectors:
            writer.add(own, SOSA.usedProcedure, writer.procedure(detector, versions[detector]))
        writer.add(own, HPC.anomalyScore, _decimal(event.score))
        writer.add(own, HPC.severity, Literal(event.severity))
        writer.interval(own, event.begin, event.end)
        for job in jobs.get(event, ()):
            node = NamedNode(job.iri)
            writer.add(own, SOSA.hasFeatureOfInterest, node)
            writer.add(node, PROV.wasInfluencedBy, own)
        of_jobs = () if machines or places else (job.host for job in jobs.get(event, ()) if job.host)
        writer.add(own, HPC.anomalousHost, *map(Literal, (*machines, *of_jobs)))
        writer.add(own, PROV.atLocation, *places)
    return writer.graph, tuple(writer.quads)


def model_statements(fit: Fit, task: str, runs: Iterable[str]) -> tuple[NamedNode, tuple[Quad, ...]]:
    """A fitted model as statements: its text, its parameters with intervals, and the runs that it was fitted to.

    Args:
        task: what it predicts.
        runs: the IRIs of the jobs.
    """
    sources = sorted(set(runs))
    text = model_text(fit.model)
    own = NamedNode(f"{_NAMES}model:{digest(task, text, sources)}")
    writer = _Writer(NamedNode(f"{own.value}:graph"))
    writer.add(own, RDF.type, HPC.PerformanceModel, PROV.Entity)
    writer.add(own, RDFS.label, Literal(f"performance model of {task}"))
    writer.add(own, HPC.modelText, Literal(text))
    if fit.declined:
        writer.add(own, DCTERMS.description, Literal(f"not usable: {fit.declined}"))
    for source in sources:
        writer.add(own, PROV.wasDerivedFrom, NamedNode(source))
    for parameter in fit.parameters:
        node = NamedNode(f"{own.value}:parameter:{parameter.name}")
        writer.add(node, RDF.type, HPC.ModelParameter)
        writer.add(node, RDFS.label, Literal(parameter.name))
        writer.add(node, DCTERMS.isPartOf, own)
        writer.add(node, PROV.value, _double(parameter.value))
        writer.add(node, HPC.lowerLimit, _double(parameter.low))
        writer.add(node, HPC.upperLimit, _double(parameter.high))
        writer.add(node, HPC.isIdentified, Literal(str(parameter.identified).lower(), datatype=XSD.boolean))
    return writer.graph, tuple(writer.quads)


def _double(number: float) -> Literal:
    return Literal(repr(float(number)), datatype=XSD.double)


def anomalies_query() -> str:
    """The query for anomalies that are no part of another: anomaly, label, description, severity, score, begin, end,
    host, the names of data stores, and the number of jobs that they influenced."""
    time = "".join(
        f"OPTIONAL {{ ?anomaly <{SOSA.phenomenonTime.value}>/<{TIME.term(name).value}>"
        f"/<{TIME.inXSDDateTimeStamp.value}> ?{short} }} "
        for name, short in (("hasBeginning", "begin"), ("hasEnd", "end"))
    )
    return f"""SELECT ?anomaly ?label ?evidence ?severity ?score ?begin ?end (SAMPLE(?on) AS ?host)
  (GROUP_CONCAT(DISTINCT ?place; separator=", ") AS ?stores) (COUNT(DISTINCT ?job) AS ?jobs) WHERE {{
  ?anomaly a <{HPC.Anomaly.value}> ; <{RDFS.label.value}> ?label ; <{DCTERMS.description.value}> ?evidence ;
    <{HPC.severity.value}> ?severity ; <{HPC.anomalyScore.value}> ?score .
  FILTER NOT EXISTS {{ ?anomaly <{DCTERMS.isPartOf.value}> ?whole . ?whole a <{HPC.Anomaly.value}> }}
  {time}
  OPTIONAL {{ ?anomaly <{HPC.anomalousHost.value}> ?on }}
  OPTIONAL {{ ?anomaly <{PROV.atLocation.value}> ?at .
    OPTIONAL {{ ?at <{RDFS.label.value}> ?name }} BIND(STR(COALESCE(?name, ?at)) AS ?place) }}
  OPTIONAL {{ ?job <{PROV.wasInfluencedBy.value}> ?anomaly }}
}} GROUP BY ?anomaly ?label ?evidence ?severity ?score ?begin ?end ORDER BY DESC(?score) ?anomaly"""
