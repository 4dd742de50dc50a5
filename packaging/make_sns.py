"""Write the sample graph sns and its measurements: `python packaging/make_sns.py [FOLDER]`.

The workflow is that of A. Mandal et al., "Toward an End-to-end Framework for Modeling, Monitoring and Anomaly Detection
for Scientific Workflows" (2016), Section V: a reference database is unpacked; for each value of a parameter NAMD
equilibrates and simulates, cpptraj removes rotations, Sassena computes coherent and incoherent scattering. As in the
paper, a disk is under stress in one run. Times, hosts and values are invented; a seed makes them the same each time.
"""

from __future__ import annotations

import random
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hpc_explorer.app.monitor.finding import find_in_run
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.terms import NamedNode

SEED = 20160523
VALUES = (230, 250, 270, 290, 310)
"""The temperatures in kelvin."""

HOSTS = ("compute01", "compute02", "compute03", "compute04")
DAYS = (
    datetime(2016, 5, 16, 8, tzinfo=UTC),
    datetime(2016, 5, 17, 8, tzinfo=UTC),
    datetime(2016, 5, 18, 8, tzinfo=UTC),
)
LAST = datetime(2016, 5, 23, 8, tzinfo=UTC)
STRESS = (LAST + timedelta(minutes=15), LAST + timedelta(minutes=100))
"""When the disk of `SLOW` is under stress."""

SLOW = "compute03"
SLOWDOWN = 3.0
MEASURED = (LAST - timedelta(minutes=30), LAST + timedelta(minutes=150))
STEP = timedelta(seconds=30)

HEAD = """# SNS: a workflow of the Spallation Neutron Source, watched while the disk of one node is slow.
#
# Four runs refine a model of a molecule with neutron data. For each temperature NAMD equilibrates and simulates it,
# cpptraj removes rotations, and Sassena computes the scattering; a surrogate model is trained on the results of each
# run. In the last run the disk of compute03 was under stress. The measurements of that day are in sns-series.csv. The
# anomalies at the end are what the program found in both.
#
# After A. Mandal et al., IPDPS Workshops 2016, Section V. Times, hosts and values are invented. Written by
# packaging/make_sns.py; do not edit.

@prefix aimodel:  <http://example.org/AIModel/> .
@prefix computer: <http://example.org/computer/> .
@prefix dcat:     <http://www.w3.org/ns/dcat#> .
@prefix dcterms:  <http://purl.org/dc/terms/> .
@prefix hpc:      <https://hpc-fair.github.io/ontology#> .
@prefix prov:     <http://www.w3.org/ns/prov#> .
@prefix provlake: <https://example.org/provlake#> .
@prefix qudt:     <http://qudt.org/schema/qudt/> .
@prefix quantity: <http://example.org/quantity/> .
@prefix rdfs:     <http://www.w3.org/2000/01/rdf-schema#> .
@prefix series:   <http://example.org/series/> .
@prefix sns:      <http://example.org/sns/> .
@prefix sosa:     <http://www.w3.org/ns/sosa/> .
@prefix unit:     <http://qudt.org/vocab/unit/> .
@prefix workflow: <http://example.org/workflow/> .
@prefix rdf:      <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix time:     <http://www.w3.org/2006/time#> .
@prefix xsd:      <http://www.w3.org/2001/XMLSchema#> .

workflow:SNS a hpc:Workflow ;
    rdfs:label "SNS refinement" ;
    rdfs:comment "Molecular dynamics and scattering for each temperature, then a surrogate model."@en .
"""


class _Run:
    """One run: its jobs, each as soon as its inputs are there and its host is free."""

    def __init__(self, number: int, began: datetime, chance: random.Random) -> None:
        self.key, self.began = f"r{number}", began
        self.chance = chance
        self.free = dict.fromkeys(HOSTS, began)
        self.made: dict[str, datetime] = {"database.tar.gz": began}
        self.texts: list[str] = []
        self.files: list[tuple[str, str, int]] = []

    def job(self, name: str, task: str, host: str, seconds: float, used: list[str], made: dict[str, int]) -> None:
        """Run a job on a host; `made` are its files with their sizes in bytes."""
        begin = max(self.free[host], *(self.made[file] for file in used)) + timedelta(seconds=self.chance.randint(2, 9))
        end = self._end(host, begin, seconds * self.chance.gauss(1, 0.03))
        self.free[host] = end
        self.made.update(dict.fromkeys(made, end))
        self.files += [(self.file(file), file, size) for file, size in made.items()]
        self.texts.append(
            f"sns:{self.key}-{name} a prov:Activity, hpc:Experiment ;\n"
            f'    rdfs:label "{name}" ;\n'
            f"    dcterms:isPartOf sns:{self.key} ;\n"
            f'    provlake:tag "{task}" ;\n'
            f"    prov:startedAtTime {_time(begin)} ;\n"
            f"    prov:endedAtTime {_time(end)} ;\n"
            f"    hpc:executionTime [ a qudt:QuantityValue ;"
            f" qudt:numericValue {(end - begin).total_seconds():.1f} ; qudt:unit unit:SEC ] ;\n"
            f"    hpc:wasAWH computer:sns-{host} ;\n"
            f"    hpc:exitCode 0 ;\n"
            f"    prov:used {', '.join(self.file(file) for file in used)} ;\n"
            f"    prov:generated {', '.join(self.file(file) for file in made)} .\n"
        )

    def file(self, name: str) -> str:
        """The name of a file in Turtle; the database is one for all runs."""
        if name == "database.tar.gz":
            return "sns:database"
        if name.endswith(".onnx"):
            return f"aimodel:sns-surrogate-{self.key}"
        return f"sns:{self.key}-{name.replace('.', '-')}"

    def _end(self, host: str, begin: datetime, seconds: float) -> datetime:
        """The end of some work that goes slower while the disk is under stress."""
        now, left = begin, seconds
        first, last = STRESS
        if host != SLOW:
            return _whole(now + timedelta(seconds=left))
        before = max((first - now).total_seconds(), 0.0)
        if left <= before:
            return _whole(now + timedelta(seconds=left))
        now, left = now + timedelta(seconds=before), left - before
        slow = max((last - now).total_seconds(), 0.0)
        if left * SLOWDOWN <= slow:
            return _whole(now + timedelta(seconds=left * SLOWDOWN))
        return _whole(now + timedelta(seconds=slow + left - slow / SLOWDOWN))

    def turtle(self) -> str:
        """All of the run."""
        for number, value in enumerate(VALUES):
            host = HOSTS[number % len(HOSTS)]
            if number == 0:
                self.job("untar", "untar", HOSTS[0], 60, ["database.tar.gz"], {"reference.psf": 48_000_000})
            at = f"{value}K"
            self.job(f"namd_eq_{at}", "namd_eq", host, 620, ["reference.psf"], {f"eq-{at}.coor": 31_000_000})
            self.job(f"namd_prod_{at}", "namd_prod", host, 1750, [f"eq-{at}.coor"], {f"prod-{at}.dcd": 9_400_000_000})
            self.job(f"ptraj_{at}", "ptraj", host, 240, [f"prod-{at}.dcd"], {f"ptraj-{at}.dcd": 9_100_000_000})
            self.job(f"sassena_inc_{at}", "sassena_inc", host, 420, [f"ptraj-{at}.dcd"], {f"inc-{at}.hd5": 2_100_000})
            self.job(f"sassena_coh_{at}", "sassena_coh", host, 510, [f"prod-{at}.dcd"], {f"coh-{at}.hd5": 2_300_000})
        results = [f"{kind}-{value}K.hd5" for value in VALUES for kind in ("inc", "coh")]
        self.job("train", "train", HOSTS[3], 600, results, {"surrogate.onnx": 5_200_000})
        end = max(self.made.values())
        head = (
            f"sns:{self.key} a prov:Activity, hpc:Experiment ;\n"
            f'    rdfs:label "SNS run {self.key[1:]}" ;\n'
            f"    prov:startedAtTime {_time(self.began)} ;\n"
            f"    prov:endedAtTime {_time(end)} ;\n"
            f"    hpc:usedWorkflow workflow:SNS .\n"
        )
        files = [self._file_text(*file) for file in self.files]
        return "\n".join([head, *self.texts, *files])

    def _file_text(self, own: str, name: str, size: int) -> str:
        if own.startswith("aimodel:"):
            kind, label = "hpc:AIModel", f"surrogate-{self.key}.onnx"
        else:
            kind, label = "hpc:File", f"{self.key}/{name}"
        return f'{own} a prov:Entity, {kind} ;\n    hpc:name "{label}" ;\n    dcat:byteSize {size} .\n'


def _whole(moment: datetime) -> datetime:
    return moment.replace(microsecond=0)


def _time(moment: datetime) -> str:
    return f'"{moment:%Y-%m-%dT%H:%M:%S}Z"^^xsd:dateTime'


def _series_text(name: str, label: str, unit: str, host: str) -> str:
    return (
        f"series:sns-{name}-{host} a hpc:TimeSeries, prov:Entity ;\n"
        f'    rdfs:label "{label} of {host}" ;\n'
        f'    dcterms:identifier "{name} (host={host})" ;\n'
        f"    sosa:observedProperty quantity:{name} ;\n"
        f"    sosa:hasFeatureOfInterest computer:sns-{host} ;\n"
        f"    qudt:unit {unit} ;\n"
        f'    dcat:downloadURL "sns-series.csv"^^xsd:anyURI .\n'
    )


def turtle() -> str:
    """The graph."""
    chance = random.Random(SEED)
    parts = [HEAD]
    parts += [f'computer:sns-{host} a hpc:Hardware ;\n    rdfs:label "{host}" .\n' for host in HOSTS]
    parts.append(
        'sns:database a prov:Entity, hpc:File ;\n    hpc:name "database.tar.gz" ;\n    dcat:byteSize 21000000 .\n'
    )
    parts += [_Run(number, began, chance).turtle() for number, began in enumerate((*DAYS, LAST), 1)]
    parts.append(
        "sns:fit a prov:Activity, hpc:Experiment ;\n"
        '    rdfs:label "fine-tuning for lithium chloride" ;\n'
        f"    prov:startedAtTime {_time(LAST + timedelta(days=2))} ;\n"
        f"    prov:endedAtTime {_time(LAST + timedelta(days=2, minutes=42))} ;\n"
        "    prov:used aimodel:sns-surrogate-r4 ;\n"
        "    prov:generated aimodel:sns-licl .\n\n"
        'aimodel:sns-licl a prov:Entity, hpc:AIModel ;\n    hpc:name "licl.onnx" ;\n    dcat:byteSize 5200000 .\n'
    )
    parts += [
        f'quantity:{name} a sosa:ObservableProperty ;\n    rdfs:label "{label}" .\n'
        for name, label in (("iowait", "I/O wait"), ("write", "disk write rate"))
    ]
    for host in HOSTS:
        parts.append(_series_text("iowait", "I/O wait", "unit:PERCENT", host))
        parts.append(_series_text("write", "disk write rate", "unit:MegaBYTE-PER-SEC", host))
    return "\n".join(parts)


def measurements() -> str:
    """The measurements, as CSV."""
    chance = random.Random(SEED + 1)
    levels = {host: [0.0, 0.0] for host in HOSTS}
    lines = ["time,host,iowait [%],write [MB/s]"]
    moment = MEASURED[0]
    while moment <= MEASURED[1]:
        for host in HOSTS:
            noise = levels[host]
            noise[0] = 0.5 * noise[0] + chance.gauss(0, 0.35)
            noise[1] = 0.5 * noise[1] + chance.gauss(0, 2.6)
            stressed = host == SLOW and STRESS[0] <= moment < STRESS[1]
            wait = max(0.0, (38.0 if stressed else 3.0) + noise[0] * (6 if stressed else 1))
            write = max(0.0, (14.0 if stressed else 62.0) + noise[1])
            lines.append(f"{moment:%Y-%m-%dT%H:%M:%SZ},{host},{wait:.1f},{write:.1f}")
        moment += STEP
    return "\n".join(lines) + "\n"


def anomalies(file: Path) -> str:
    """What the program finds in the last run of the graph."""
    session = Session.new()
    try:
        open_sources(session, [str(file)])
        found = find_in_run(session, "http://example.org/sns/r4")
    finally:
        session.close()
    about: dict[str, list[str]] = {}
    for quad in found.statements:
        about.setdefault(_short(quad.subject), []).append(f"{_short(quad.predicate)} {_short(quad.object)}")
    return "\n".join(subject + " " + " ;\n    ".join(dict.fromkeys(lines)) + " .\n" for subject, lines in about.items())


_PREFIXES = tuple(line.split()[1:3] for line in HEAD.splitlines() if line.startswith("@prefix"))


def _short(term: object) -> str:
    """A term in Turtle, by a prefix if the rest is a plain name."""
    if isinstance(term, NamedNode):
        for prefix, namespace in _PREFIXES:
            rest = term.value.removeprefix(namespace[1:-1])
            if rest != term.value and rest.replace("-", "").replace("_", "").isalnum():
                return f"{prefix}{rest}"
    return str(term)


def main(folder: Path) -> None:
    """Write both files."""
    (folder / "sns-series.csv").write_text(measurements(), encoding="utf-8")
    file, graph = folder / "sns.ttl", turtle()
    file.write_text(graph, encoding="utf-8")
    file.write_text(f"{graph}\n{anomalies(file)}", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1] / "sample_graphs")
