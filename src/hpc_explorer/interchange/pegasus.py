"""Read what Pegasus records of a workflow run: its submit folder, or one record of kickstart.

The folder has `braindump.yml` (the run), `jobstate.log` (when each job was submitted and ended), `*.static.bp` (the
plan), and a record of kickstart for each attempt of a job (`*.out.NNN`), in YAML or, up to Pegasus 4, in XML. A job
that Pegasus clustered has several invocations in its record: each becomes an activity of its own, a part of the job.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from hpc_explorer.interchange.statements import (
    Findings,
    Node,
    attribute,
    identified,
    job,
    local_file,
    moment_of,
    part,
)
from hpc_explorer.rdf.namespaces import DCTERMS, HPC, PROV, PROVLAKE
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.syntax.files import input_error
from hpc_explorer.rdf.terms import NamedNode, Quad

JOBSTATE, BRAINDUMP = "jobstate.log", "braindump.yml"

_RECORD = re.compile(r"(?P<name>.+)\.out(?:\.(?P<attempt>\d{3}))?\Z")
_BEFORE_NAME = re.compile(r"\A(?:.*\.\d{3}_)?(?:\d\d_)+")
_PART = re.compile(r"^-+pegasus-multipart.*$", re.MULTILINE)
_STREAMS = frozenset({"stdin", "stdout", "stderr", "metadata", "kickstart", "logfile", "trace"})
_CLUSTER = re.compile(r"^\[(?:cluster|seqexec)-(\w+) .*$\n?", re.MULTILINE)
_TASKS = re.compile(r"^\[(?:cluster|seqexec)-summary .*?\btasks=(\d+)", re.MULTILINE)
_XML_RECORD = re.compile(r"<invocation\b.*?(?:</invocation>|(?=<\?xml)|(?=<invocation\b)|\Z)", re.DOTALL)
_EVENT = re.compile(r'([\w.]+)=(?:"([^"]*)"|(\S+))')


def is_pegasus_folder(folder: Path) -> bool:
    """Whether a folder is the submit folder of a run."""
    return (folder / JOBSTATE).is_file() and (folder / BRAINDUMP).is_file()


def is_kickstart(text: str) -> bool:
    """Whether a text is a record of kickstart."""
    text = _CLUSTER.sub("", text)
    return text.startswith("- invocation:") or (text.startswith("<") and "<invocation " in text[:2000])


def read_pegasus(document: Document, base: str, findings: Findings) -> Iterator[Quad]:
    """The statements of a run, or of one record of kickstart.

    Args:
        base: the IRI of the document, below which jobs, files and machines are named.

    Raises:
        InputError: a file cannot be read.
    """
    run = _Run(f"{base}#", findings)
    if document.path is None or not document.path.is_dir():
        run.record(document.path.name if document.path else document.where, _text(document.path, document))
        yield from run.quads()
        return
    folder = document.path
    for file in sorted(folder.iterdir()):
        if not file.is_file():
            continue
        if file.name == BRAINDUMP:
            run.braindump(_text(file), str(file))
        elif file.name == JOBSTATE:
            run.jobstate(_text(file), str(file))
        elif file.name.endswith(".static.bp"):
            run.plan(_text(file))
        elif _RECORD.match(file.name):
            run.record(file.name, _text(file), str(file))
    yield from run.quads()


def _text(path: Path | None, document: Document | None = None) -> str:
    if path is None:
        assert document is not None
        assert document.data is not None
        return document.data.decode("utf-8", errors="replace")
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise input_error(error, path) from None


@dataclass
class _Attempt:
    """An attempt to run a job, from kickstart, the log, or both.

    Attributes:
        invocations: what kickstart recorded; a clustered job has one for each of its tasks.
    """

    name: str
    number: int
    where: str = ""
    invocations: list[dict[str, Any]] = field(default_factory=list)
    verified: list[dict[str, Any]] = field(default_factory=list)
    started: datetime | None = None
    ended: datetime | None = None
    exit_code: int | None = None
    site: str = ""


class _Run:
    def __init__(self, base: str, findings: Findings) -> None:
        self._base = base
        self._findings = findings
        self._about: dict[str, Any] = {}
        self._attempts: dict[tuple[str, int], _Attempt] = {}
        self._parents: dict[str, set[str]] = {}
        self._tasks: dict[str, str] = {}

    # Reading

    def braindump(self, text: str, where: str) -> None:
        content = self._yaml(text, where)
        self._about = content if isinstance(content, dict) else {}

    def jobstate(self, text: str, where: str) -> None:
        """Take times and exit codes of the attempts from the log; each submission is an attempt."""
        last: dict[str, int] = {}
        for number, line in enumerate(text.splitlines(), 1):
            words = line.split()
            if len(words) < 4 or not words[0].isdecimal():
                if line.strip():
                    self._findings.lost("a line that is not a job state", f"{where}:{number}")
                continue
            time, name, state, value = words[:4]
            if name == "INTERNAL":
                continue
            if state == "SUBMIT":
                last[name] = last.get(name, -1) + 1
            attempt = self._attempt(name, last.setdefault(name, 0))
            attempt.where = attempt.where or f"{where}:{number}"
            moment = moment_of(int(time))
            if len(words) > 4 and words[4] not in ("-", "None"):
                attempt.site = words[4]
            if state == "EXECUTE":
                attempt.started = attempt.started or moment
            elif state in ("JOB_TERMINATED", "JOB_EVICTED", "JOB_ABORTED"):
                attempt.ended = moment
            elif state in ("JOB_SUCCESS", "JOB_FAILURE") and re.fullmatch(r"-?\d+", value):
                attempt.exit_code = int(value)

    def plan(self, text: str) -> None:
        """Read the order of the jobs and their commands from the plan."""
        names: dict[str, list[str]] = {}
        tasks: dict[str, str] = {}
        for line in text.splitlines():
            event = {key: quoted or plain for key, quoted, plain in _EVENT.findall(line)}
            match event.get("event"):
                case "job.edge":
                    self._parents.setdefault(event.get("child.job.id", ""), set()).add(event.get("parent.job.id", ""))
                case "task.info":
                    tasks[event.get("task.id", "")] = event.get("transformation", "")
                case "wf.map.task_job":
                    names.setdefault(event.get("job.id", ""), []).append(event.get("task.id", ""))
        for name, ids in names.items():
            self._tasks[name] = ", ".join(dict.fromkeys(tasks[one] for one in ids if tasks.get(one)))

    def record(self, name: str, text: str, where: str = "") -> None:
        """Take an attempt from a record of kickstart."""
        where = where or name
        found = _RECORD.match(name)
        key = _BEFORE_NAME.sub("", found["name"]) if found else name
        attempt = self._attempt(key, int(found["attempt"] or 0) if found else 0)
        attempt.where = where
        tasks, text = _TASKS.search(text), _CLUSTER.sub("", text)
        attempt.invocations = []
        if text.lstrip().startswith("<"):
            attempt.invocations = [self._xml(one, where) for one in _XML_RECORD.findall(text)] or [{}]
        else:
            self._take_yaml(attempt, text, where)
        read = len(attempt.invocations)
        if tasks is not None and int(tasks[1]) > read:
            self._findings.lost(f"{int(tasks[1]) - read} of the {tasks[1]} tasks of a clustered job", where)

    def _take_yaml(self, attempt: _Attempt, text: str, where: str) -> None:
        for piece in _PART.split(text):
            content = self._yaml(piece, where)
            for entry in content if isinstance(content, list) else []:
                if isinstance(entry, dict) and "invocation" in entry:
                    attempt.invocations.append(entry)
                    if not isinstance(entry.get("files"), dict):
                        self._findings.lost("a record of kickstart that is cut short", where)
                elif isinstance(entry, dict) and isinstance(entry.get("integrity_verification_attempts"), list):
                    attempt.verified += [
                        one for one in entry["integrity_verification_attempts"] if isinstance(one, dict)
                    ]

    def _yaml(self, text: str, where: str) -> Any:
        import yaml

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            return yaml.load(text, loader)
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            line = mark.line if mark else 0
            self._findings.lost("a record that is cut or damaged; the lines before were read", f"{where}:{line + 1}")
        lines = text.splitlines()[:line]
        # The last line before the damage may be cut itself.
        for end in range(len(lines), max(len(lines) - 4, 0), -1):
            try:
                return yaml.load("\n".join(lines[:end]), loader)
            except yaml.YAMLError:
                continue
        return None

    def _xml(self, text: str, where: str) -> dict[str, Any]:
        """The fields of a record in XML, under the names that they have in YAML."""
        text = text[text.index("<invocation") :] if "<invocation" in text else text
        if "<!DOCTYPE" in text or "<!ENTITY" in text:
            self._findings.lost("a record of kickstart with a DTD", where)
            return {}
        parser: Any = ElementTree.XMLPullParser(["start"])
        found: dict[str, Any] = {}
        try:
            parser.feed(text)
            parser.close()
        except ElementTree.ParseError as error:
            self._findings.lost("a record of kickstart that is cut short", f"{where}:{error.position[0]}")
        with suppress(ElementTree.ParseError):
            self._take_elements(parser, found)
        return found

    @staticmethod
    def _take_elements(parser: Any, found: dict[str, Any]) -> None:
        inside_main = False
        for _, element in parser.read_events():
            name, fields = element.tag.rpartition("}")[2], element.attrib
            if name == "invocation":
                found.update(fields)
            elif name == "mainjob":
                inside_main = True
                found["mainjob"] = dict(fields)
            elif name == "usage" and inside_main:
                found["mainjob"].setdefault("usage", dict(fields))
            elif name == "regular" and inside_main and "exitcode" in fields:
                found["mainjob"].setdefault("status", {"regular_exitcode": fields["exitcode"]})
            elif name == "statcall" and fields.get("lfn") and fields.get("id") in ("initial", "final"):
                files = found.setdefault("files", {})
                files[fields["lfn"]] = {"lfn": fields["lfn"], "output": fields["id"] == "final"}

    def _attempt(self, name: str, number: int) -> _Attempt:
        return self._attempts.setdefault((name, number), _Attempt(name, number))

    # Statements

    def quads(self) -> Iterator[Quad]:
        own = part(self._base, "run")
        if self._about:
            yield from self._workflow(own)
        hosts: dict[str, Mapping[str, Any]] = {}
        files: dict[str, dict[str, Any]] = {}
        several = {name for name, number in self._attempts if number}
        for attempt in self._attempts.values():
            parts = attempt.invocations
            if len(parts) < 2:
                yield from self._job(attempt, parts[0] if parts else {}, own, several, hosts, files)
                continue
            yield from self._clustered(attempt, own, several, files)
            for number, invocation in enumerate(parts, 1):
                yield from self._job(attempt, invocation, own, several, hosts, files, number)
        for name, machine in hosts.items():
            yield from self._machine(name, machine)
        for name, about in files.items():
            node = local_file(part(self._base, "file", name), name, about.get("size"))
            yield from node.checksum("sha256", about.get("sha256"))

    def _workflow(self, own: NamedNode) -> Iterator[Quad]:
        about = dict(self._about)
        label = about.pop("dax_label", None) or about.pop("pegasus_wf_name", "workflow")
        moments = [one for attempt in self._attempts.values() for one in (attempt.started, attempt.ended) if one]
        node = job(own, f"run of {label}", min(moments, default=None), max(moments, default=None))
        plan = part(self._base, "workflow")
        yield from Node(plan, PROV.Plan, HPC.Workflow).label(label)
        identified(node, about.pop("wf_uuid", None)).link(HPC.usedWorkflow, plan)
        user = about.pop("user", None)
        if user:
            person = part(self._base, "user", user)
            yield from Node(person, PROV.Person).label(user)
            node.link(PROV.wasAssociatedWith, person)
        software = part(self._base, "system", "Pegasus")
        described = Node(software, PROV.SoftwareAgent, HPC.Software).label("Pegasus")
        yield from described.text(HPC.version, about.pop("planner_version", None))
        node.link(PROV.wasAssociatedWith, software)
        yield from node.keep("run", about, self._findings)

    def _iri(self, attempt: _Attempt, several: set[str]) -> NamedNode:
        words = (str(attempt.number),) if attempt.name in several else ()
        return part(self._base, "job", attempt.name, *words)

    def _clustered(
        self, attempt: _Attempt, run: NamedNode, several: set[str], files: dict[str, dict[str, Any]]
    ) -> Iterator[Quad]:
        """A job of several tasks: it has their times, and no duration, so that none is counted twice.

        Files are verified for the whole job, so that they are its inputs, not those of a task.
        """
        own = self._iri(attempt, several)
        begins = [moment for one in attempt.invocations if (moment := moment_of(one.get("start")))]
        ends = [
            begin + timedelta(seconds=seconds)
            for one in attempt.invocations
            if (begin := moment_of(one.get("start"))) and (seconds := _number(one.get("duration"))) is not None
        ]
        started, ended = min(begins, default=attempt.started), max(ends, default=attempt.ended)
        node = identified(job(own, self._label(attempt, several), started, ended), attempt.name)
        for number in range(1, len(attempt.invocations) + 1):
            node.link(DCTERMS.hasPart, part(own.value, "task", str(number)))
        codes = [code for one in attempt.invocations if (code := _exit_code(one)) is not None]
        code = attempt.exit_code if not codes else next((one for one in codes if one), 0)
        if code is not None:
            node.value(code, HPC.exitCode)
        yield from self._files(attempt.verified, None, own, node, files)
        yield from self._order(node, attempt, run, several)

    def _label(self, attempt: _Attempt, several: set[str]) -> str:
        return attempt.name + (f" (attempt {attempt.number + 1})" if attempt.name in several else "")

    def _order(self, node: Node, attempt: _Attempt, run: NamedNode, several: set[str]) -> Node:
        """Add the run of a job, its earlier attempt, and the jobs before it."""
        if self._about:
            node.link(PROV.wasInformedBy, run)
        if attempt.number:
            node.link(PROV.wasInformedBy, part(self._base, "job", attempt.name, str(attempt.number - 1)))
        for parent in sorted(self._parents.get(attempt.name, ())):
            last = max((number for name, number in self._attempts if name == parent), default=None)
            if last is not None:
                node.link(PROV.wasInformedBy, self._iri(self._attempts[parent, last], several))
        return node

    def _job(
        self,
        attempt: _Attempt,
        invocation: Mapping[str, Any],
        run: NamedNode,
        several: set[str],
        hosts: dict[str, Mapping[str, Any]],
        files: dict[str, dict[str, Any]],
        number: int = 0,
    ) -> Iterator[Quad]:
        """A job, or one task of a clustered job.

        Args:
            number: that of the task, from 1; 0: the job has one.
        """
        rest, own = dict(invocation), self._iri(attempt, several)
        own = part(own.value, "task", str(number)) if number else own
        main = rest.pop("mainjob", None)
        main = dict(main) if isinstance(main, dict) else {}
        started = moment_of(rest.pop("start", None)) or (None if number else attempt.started)
        seconds = _number(rest.pop("duration", None))
        ended = None if number else attempt.ended
        if started is not None and seconds is not None:
            ended = started + timedelta(seconds=seconds)
        elif started is not None and ended is not None:
            seconds = (ended - started).total_seconds()
        label = self._label(attempt, several) + (f", task {number}" if number else "")
        if seconds is not None and self._findings.duration(label, seconds, attempt.where) is None:
            seconds, ended = None, None
        key = f"{attempt.name}/{number}" if number else attempt.name
        node = identified(job(own, label, started, ended), key).seconds(HPC.executionTime, seconds)
        task = rest.pop("transformation", None) or self._tasks.get(attempt.name)
        node.text(PROVLAKE.tag, task)
        code = _exit_code(invocation)
        code = attempt.exit_code if code is None and not number else code
        if code is not None:
            node.value(code, HPC.exitCode)
        self._order(node, attempt, run, several)
        host = str(rest.pop("hostname", "") or "")
        machine = rest.pop("machine", None)
        if host:
            hosts.setdefault(host, machine if isinstance(machine, dict) else {})
            node.link(HPC.wasAWH, part(self._base, "machine", host))
        verified = () if number else attempt.verified
        yield from self._files(verified, rest.pop("files", None), own, node, files)
        usage = main.get("usage")
        for key in ("utime", "stime", "maxrss", "inblock", "outblock"):
            value = _number(usage.get(key)) if isinstance(usage, dict) else None
            if value is not None:
                yield from attribute(own, part(own.value, key), key, value)
        arguments = main.get("argument_vector")
        if isinstance(arguments, list):
            yield from attribute(own, part(own.value, "arguments"), "arguments", " ".join(map(str, arguments)))
        site = rest.pop("resource", None) or attempt.site
        if site:
            yield from attribute(own, part(own.value, "site"), "site", str(site))
        yield from node

    def _files(
        self,
        verified: Sequence[dict[str, Any]],
        given: Any,
        own: NamedNode,
        node: Node,
        files: dict[str, dict[str, Any]],
    ) -> Iterator[Quad]:
        outputs: list[str] = []
        inputs = [str(one["lfn"]) for one in verified if one.get("lfn")]
        for one in verified:
            if one.get("lfn") and one.get("success"):
                files.setdefault(str(one["lfn"]), {}).setdefault("sha256", one.get("sha256"))
        for key, about in given.items() if isinstance(given, dict) else ():
            if key in _STREAMS or not isinstance(about, dict) or not about.get("lfn"):
                continue
            name = str(about["lfn"])
            entry = files.setdefault(name, {})
            entry.setdefault("size", about.get("size"))
            if about.get("sha256"):
                entry.setdefault("sha256", about["sha256"])
            (outputs if about.get("output") is True else inputs).append(name)
        for name in dict.fromkeys(inputs):
            files.setdefault(name, {})
            node.link(PROV.used, part(self._base, "file", name))
        for name in dict.fromkeys(outputs):
            yield Quad(part(self._base, "file", name), PROV.wasGeneratedBy, own)

    def _machine(self, name: str, machine: Mapping[str, Any]) -> Iterable[Quad]:
        node = Node(part(self._base, "machine", name), HPC.Hardware).label(name)
        node.text(HPC.operatingSystem, machine.get("uname_system"))
        node.text(HPC.cpuArchitecture, machine.get("uname_machine"))
        return node.value(machine.get("cpu_count"), HPC.cpuCoresPerNode)


def _exit_code(invocation: Mapping[str, Any]) -> int | None:
    main = invocation.get("mainjob")
    status = main.get("status") if isinstance(main, dict) else None
    code = _number(status.get("regular_exitcode")) if isinstance(status, dict) else None
    return None if code is None else int(code)


def _number(value: Any) -> float | None:
    try:
        return None if value is None or isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        return None
