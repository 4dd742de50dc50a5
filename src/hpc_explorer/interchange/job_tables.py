"""Read tables with a row for each job: the runs of Flow-Bench and FlowGAD, and what Slurm's `sacct` prints.

Flow-Bench (https://github.com/PoSeiDon-Workflows/FlowBench) has a CSV file for each run of a Pegasus workflow. `sacct`
is read as `sacct --parsable2` prints it, with at least JobID, JobName, Start and End.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from hpc_explorer.errors import SourceSyntaxError
from hpc_explorer.interchange.statements import Findings, Node, attribute, identified, job, moment_of, part
from hpc_explorer.rdf.namespaces import DCTERMS, HPC, PROV, PROVLAKE
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.terms import NamedNode, Quad

_MOST_REPORTED = 20

_MEASURES = (
    "stage_in_delay", "stage_in_bytes", "stage_out_delay", "stage_out_bytes", "stage_in_effective_bytes_per_sec",
    "stage_out_effective_bytes_per_sec", "queue_delay", "wms_delay", "kickstart_executables_cpu_time",
    "kickstart_online_iowait", "kickstart_online_bytes_read", "kickstart_online_bytes_written",
    "kickstart_online_utime", "kickstart_online_stime",
)  # fmt: skip

_SLURM_TIMES = re.compile(r"(?:(?P<days>\d+)-)?(?:(?P<hours>\d+):)?(?P<minutes>\d+):(?P<seconds>\d+(?:\.\d+)?)\Z")
_SLURM_SIZE = re.compile(r"(?P<number>\d+(?:\.\d+)?)(?P<unit>[KMGTP]?)[nc]?\Z")
_SLURM_MEASURES = {
    "MaxRSS": "maximum memory in bytes", "MaxDiskRead": "bytes read", "MaxDiskWrite": "bytes written",
    "AveDiskRead": "average bytes read", "AveDiskWrite": "average bytes written", "NNodes": "nodes",
    "NCPUS": "processors",
}  # fmt: skip


def is_flowbench(text: str) -> bool:
    """Whether a text begins as a run of Flow-Bench or FlowGAD."""
    head = text.partition("\n")[0].split(",")
    return {"execute_start", "execute_end", "runtime", "stage_in_delay"} <= set(head)


def is_sacct(text: str) -> bool:
    """Whether a text begins as `sacct --parsable2` or `--parsable` prints it."""
    return {"JobID", "JobName", "Start", "End"} <= set(text.partition("\n")[0].rstrip("\r|").split("|"))


def read_flowbench(document: Document, base: str, findings: Findings) -> Iterator[Quad]:
    """The statements of a run: its jobs with times, host and measurements.

    Raises:
        InputError: the document cannot be read.
    """
    start = f"{base}#"
    run = part(start, "run")
    hosts: dict[str, None] = {}
    repeated: Counter[str] = Counter()
    moments: list[float] = []
    for line, row in _rows(document, ",", findings):
        name = row.get("") or row.get("job") or ""
        if not name:
            findings.lost("a row without a job name", f"{document.where}:{line}")
            continue
        own = _own(part(start, "job", name), repeated)
        seconds = findings.duration(name, _number(row.get("runtime")), f"{document.where}:{line}")
        began = _number(row.get("stage_in_start")) or _number(row.get("execute_start"))
        ended = _number(row.get("stage_out_end")) or _number(row.get("execute_end"))
        if began and seconds is not None:
            ended = began + seconds
        elif began and ended and ended < began:
            findings.lost(f"{name} ended before it began", f"{document.where}:{line}")
            ended = None
        node = identified(job(own, name, moment_of(began or None), moment_of(ended or None)), name)
        moments += [one for one in (began, ended) if one]
        node.link(PROV.wasInformedBy, run).link(DCTERMS.isPartOf, run).seconds(HPC.executionTime, seconds)
        node.text(PROVLAKE.tag, row.get("kickstart_transformations") or row.get("type"))
        code = _number(row.get("kickstart_executables_exitcode"))
        if code is not None:
            node.value(int(code), HPC.exitCode)
        if host := row.get("kickstart_hostname"):
            hosts[host] = None
            node.link(HPC.wasAWH, part(start, "machine", host))
        for measure in _MEASURES:
            value = _number(row.get(measure))
            if value is not None:
                yield from attribute(own, part(own.value, measure), measure, value)
        if (label := row.get("anomaly_type")) and label != "None":
            yield from attribute(own, part(own.value, "anomaly_type"), "anomaly_type", label)
        yield from node
    label = re.sub(r"\.csv\Z", "", base.rpartition("/")[2])
    yield from job(run, f"run {label}", moment_of(min(moments, default=None)), moment_of(max(moments, default=None)))
    yield from _machines(start, hosts)


def read_sacct(document: Document, base: str, findings: Findings) -> Iterator[Quad]:
    """The statements of a listing: jobs, and their steps as parts of them.

    Times without a zone are taken as UTC. A job that was put into the queue again has a row with the same JobID for
    each time that it ran. What a step executes is named with its job, because each job may have a step `batch` or `0`.

    Raises:
        InputError: the document cannot be read.
    """
    start = f"{base}#"
    hosts: dict[str, None] = {}
    users: dict[str, None] = {}
    names: dict[str, str] = {}
    last: dict[str, NamedNode] = {}
    repeated: Counter[str] = Counter()
    seen: set[tuple[str, ...]] = set()
    for line, row in _rows(document, "|", findings):
        key = row.get("JobID", "")
        if not key:
            findings.lost("a row without JobID", f"{document.where}:{line}")
            continue
        if tuple(row.values()) in seen:
            findings.lost(f"a row of {key} that is there twice", f"{document.where}:{line}")
            continue
        seen.add(tuple(row.values()))
        own = last[key] = _own(part(start, "job", key), repeated)
        name = names[key] = row.get("JobName") or key
        began, ended = _slurm_moment(row.get("Start")), _slurm_moment(row.get("End"))
        if began and ended and ended < began:
            findings.lost(f"{key} ended before it began", f"{document.where}:{line}")
            ended = None
        node = identified(job(own, name, began, ended), key)
        seconds = _slurm_seconds(row.get("Elapsed"))
        if seconds is None and began and ended:
            seconds = (ended - began).total_seconds()
        parent = key.partition(".")[0]
        is_step = parent != key and parent in names
        node.seconds(HPC.executionTime, seconds).text(PROVLAKE.tag, f"{names[parent]}: {name}" if is_step else name)
        code = _slurm_exit_code(row.get("ExitCode") or "")
        if code is not None:
            node.value(code, HPC.exitCode)
        if is_step:
            node.link(PROV.wasInformedBy, last[parent])
        for host in _slurm_hosts(row.get("NodeList") or ""):
            hosts[host] = None
            node.link(HPC.wasAWH, part(start, "machine", host))
        if user := row.get("User"):
            users[user] = None
            node.link(PROV.wasAssociatedWith, part(start, "user", user))
        for word in ("State", "Account", "Partition"):
            if row.get(word):
                yield from attribute(own, part(own.value, word), word, row[word])
        for word, measure in _SLURM_MEASURES.items():
            value = _slurm_size(row.get(word))
            if value is not None:
                yield from attribute(own, part(own.value, word), measure, value)
        yield from node
    yield from _machines(start, hosts)
    for user in users:
        yield from Node(part(start, "user", user), PROV.Person).label(user)


def _rows(document: Document, separator: str, findings: Findings) -> Iterator[tuple[int, Mapping[str, str]]]:
    """The rows with the number of their line; those with too few or too many fields are reported and left out."""
    with document.errors_named(), document.open() as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace", newline="")
        # Slurm does not quote: a quotation mark is one of the name.
        is_quoted = separator != "|"
        reader = csv.reader(text, delimiter=separator, quoting=csv.QUOTE_MINIMAL if is_quoted else csv.QUOTE_NONE)
        head = [name.strip() for name in next(reader, [])]
        lost = 0
        try:
            for row in reader:
                if len(row) == len(head):
                    yield reader.line_num, dict(zip(head, (field.strip() for field in row), strict=True))
                elif row:
                    lost += 1
                    if lost <= _MOST_REPORTED:
                        what = f"a row of {len(row)} fields instead of {len(head)}"
                        findings.lost(what, f"{document.where}:{reader.line_num}")
        except csv.Error as error:
            raise SourceSyntaxError(f"not a table ({error})", f"{document.where}:{reader.line_num}", "") from None
        if lost > _MOST_REPORTED:
            findings.lost(f"{lost - _MOST_REPORTED:,} more rows of a wrong number of fields", document.where)


def _own(iri: NamedNode, repeated: Counter[str]) -> NamedNode:
    """The IRI of a job; numbered from the second of a name or JobID on."""
    repeated[iri.value] += 1
    return iri if repeated[iri.value] == 1 else part(iri.value, repeated[iri.value])


def _machines(start: str, hosts: Mapping[str, None]) -> Iterator[Quad]:
    for host in hosts:
        yield from Node(part(start, "machine", host), HPC.Hardware).label(host)


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _slurm_moment(text: str | None) -> datetime | None:
    moment = moment_of(text) if text else None
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment


def _slurm_seconds(text: str | None) -> float | None:
    found = _SLURM_TIMES.match(text or "")
    if found is None:
        return None
    days, hours = int(found["days"] or 0), int(found["hours"] or 0)
    return ((days * 24 + hours) * 60 + int(found["minutes"])) * 60 + float(found["seconds"])


def _slurm_exit_code(text: str) -> int | None:
    """The code of `CODE:SIGNAL`; that of a signal is negative."""
    code, _, signal = text.partition(":")
    if not code.isdecimal():
        return None
    return -int(signal) if code == "0" and signal.isdecimal() and int(signal) else int(code)


def _slurm_size(text: str | None) -> float | int | None:
    found = _SLURM_SIZE.match(text or "")
    if found is None:
        return None
    value = float(found["number"]) * 1024 ** " KMGTP".index(found["unit"] or " ")
    return int(value) if value.is_integer() else value


def _slurm_hosts(text: str) -> Iterator[str]:
    """The hosts of a list such as `n[01-03,7],login1`."""
    if text in ("", "None assigned"):
        return
    for name in re.findall(r"(?:[^,\[]|\[[^\]]*\])+", text):
        found = re.fullmatch(r"([^\[]*)\[([^\]]*)\](.*)", name)
        if found is None:
            yield name
            continue
        for piece in found[2].split(","):
            low, dash, high = piece.partition("-")
            if dash and low.isdecimal() and high.isdecimal() and int(high) - int(low) < 100_000:
                for number in range(int(low), int(high) + 1):
                    yield f"{found[1]}{number:0{len(low)}}{found[3]}"
            else:
                yield f"{found[1]}{piece}{found[3]}"
