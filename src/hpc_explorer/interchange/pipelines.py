"""Read what two build systems remember: DVC (`dvc.yaml`, `dvc.lock`) and Snakemake (`.snakemake/metadata`).

A stage or rule is a job that used and generated files. Files are named by their paths below the project's folder.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hpc_explorer.errors import SourceUnreadable
from hpc_explorer.interchange.statements import (
    LONGEST_VALUE,
    Findings,
    Node,
    attribute,
    file_iri,
    job,
    local_file,
    moment_of,
    part,
    too_long,
)
from hpc_explorer.rdf.namespaces import HPC, PROV, PROVLAKE, PROVML, RDF
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.terms import Quad

_LARGEST_YAML = 64 * 1024 * 1024
DVC_FILES = ("dvc.yaml", "dvc.lock")
SNAKEMAKE = Path(".snakemake") / "metadata"


# --- DVC


def is_dvc(path: Path | None, text: str) -> bool:
    """Whether a file is DVC's pipeline or lock file."""
    return path is not None and path.name in DVC_FILES and ("stages:" in text or "schema:" in text)


def read_dvc(document: Document, base: str, findings: Findings) -> Iterator[Quad]:
    """The statements of a pipeline: its stages as planned (`dvc.yaml`), and as they ran last (`dvc.lock`)."""
    assert document.path is not None
    folder = document.path.absolute().parent
    # The pipeline is the same, whichever of its files was named.
    start = f"{folder.as_uri()}/dvc.yaml#"
    planned = _stages(folder / "dvc.yaml", findings)
    ran = _stages(folder / "dvc.lock", findings)
    for name, fields in planned.items():
        plan = part(start, "plan", name)
        rest = dict(fields)
        node = Node(plan, PROV.Plan, HPC.Workflow).label(name)
        command = rest.pop("cmd", None)
        if command:
            yield from attribute(plan, part(plan.value, "cmd"), "cmd", command)
        node.text(HPC.description, rest.pop("desc", None))
        if name.partition("@")[0] not in {one.partition("@")[0] for one in ran}:
            findings.notes.append(f"the stage {name} has not run: dvc.lock does not have it")
            for word, way in (("deps", PROV.used), ("outs", None)):
                for path in _paths(rest.get(word)):
                    file = file_iri(path, folder)
                    yield from local_file(file, path)
                    if way is not None:
                        node.link(PROVLAKE.refersTo, file)
        for word in ("deps", "outs", "params", "metrics", "plots"):
            rest.pop(word, None)
        yield from node.keep("stage", rest, findings)
    for name, fields in ran.items():
        yield from _dvc_run(start, folder, name, dict(fields), planned, findings)


def _dvc_run(
    start: str, folder: Path, name: str, rest: dict[str, Any], planned: Mapping[str, Any], findings: Findings
) -> Iterator[Quad]:
    own = part(start, "stage", name)
    node = job(own, name)
    plan = name if name in planned else name.partition("@")[0]
    if plan in planned:
        node.link(HPC.usedWorkflow, part(start, "plan", plan))
    command = rest.pop("cmd", None)
    if command:
        yield from attribute(own, part(own.value, "cmd"), "cmd", command)
    metrics = set(_paths(dict(planned.get(plan, {})).get("metrics")))
    for word in ("deps", "outs"):
        for one in rest.pop(word, None) or ():
            facts = dict(one) if isinstance(one, dict) else {"path": one}
            path = str(facts.pop("path", ""))
            iri = file_iri(path, folder)
            file = local_file(iri, path, facts.pop("size", None))
            algorithm = facts.pop("hash", "md5")
            digest = facts.pop(algorithm, None) or facts.pop("md5", None)
            if isinstance(digest, str) and digest.endswith(".dir"):
                # DVC's digest of a folder is that of its own list of files.
                yield from attribute(iri, part(f"{iri.value}#", "dvc-md5"), "DVC's checksum of the folder", digest)
            else:
                file.checksum(str(algorithm), digest)
            if word == "deps":
                node.link(PROV.used, iri)
            else:
                file.link(PROV.wasGeneratedBy, own)
                if path in metrics:
                    file.link(RDF.type, PROVML.ModelEvaluation)
            facts.pop("nfiles", None)
            yield from file.keep("file", facts, findings)
    for source, params in (rest.pop("params", None) or {}).items():
        iri = file_iri(str(source), folder)
        yield from local_file(iri, str(source))
        for key, value in params.items() if isinstance(params, dict) else ():
            param = part(own.value, "param", source, key)
            yield from (
                Node(param, PROVML.LearningHyperparameterValue).label(key).value(value).link(PROV.wasDerivedFrom, iri)
            )
            node.link(PROV.used, param)
    yield from node.keep("stage", rest, findings)


def _stages(path: Path, findings: Findings) -> dict[str, dict[str, Any]]:
    import yaml

    if not path.is_file():
        return {}
    try:
        if path.stat().st_size > _LARGEST_YAML:
            raise SourceUnreadable(f"more than {_LARGEST_YAML:,} bytes of YAML", str(path), "split the pipeline")
        content = yaml.load(path.read_bytes(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except OSError as error:
        findings.lost(f"the file cannot be read ({error.strerror})", path)
        return {}
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = path if mark is None else f"{path}:{mark.line + 1}:{mark.column + 1}"
        findings.lost("half-written or damaged YAML", place)
        return {}
    stages = content.get("stages") if isinstance(content, dict) else None
    # Schema 1.0 of the lock file has the stages at its top.
    if stages is None and isinstance(content, dict) and path.name == "dvc.lock" and "schema" not in content:
        stages = content
    found = stages if isinstance(stages, dict) else {}
    return {str(name): fields for name, fields in found.items() if isinstance(fields, dict)}


def _paths(items: Any) -> list[str]:
    """The paths of a list, whose items are paths or objects with one key."""
    found: list[str] = []
    for one in items if isinstance(items, list) else ():
        found += [str(key) for key in one] if isinstance(one, dict) else [str(one)]
    return found


# --- Snakemake


def is_snakemake(folder: Path) -> bool:
    """Whether a folder is Snakemake's metadata."""
    return folder.name == "metadata" and folder.parent.name == ".snakemake"


def read_snakemake(document: Document, base: str, findings: Findings) -> Iterator[Quad]:
    """The statements of Snakemake's metadata, which has a record for each file that a rule generated."""
    assert document.path is not None
    metadata = document.path.absolute()
    project = metadata.parent.parent
    for path in sorted(one for one in metadata.rglob("*") if one.is_file()):
        name = _decoded(path.relative_to(metadata).as_posix())
        if name is None:
            findings.lost("a record whose name is not a file", path)
            continue
        try:
            if (size := path.stat().st_size) > LONGEST_VALUE * 16:
                findings.lost(too_long("a record", size), path)
                continue
            record = json.loads(path.read_bytes())
        except OSError as error:
            findings.lost(f"the file cannot be read ({error.strerror})", path)
            continue
        except (ValueError, RecursionError):
            findings.lost("a half-written record", path)
            continue
        if isinstance(record, dict):
            yield from _snakemake_job(project, name, record, findings)
        else:
            findings.lost("a record that is not an object", path)


def _snakemake_job(project: Path, output: str, record: dict[str, Any], findings: Findings) -> Iterator[Quad]:
    rest = dict(record)
    started, ended = moment_of(rest.pop("starttime", None)), moment_of(rest.pop("endtime", None))
    rule, number = str(rest.pop("rule", "") or "rule"), rest.pop("job_hash", None)
    # The files of one job share its rule, hash and time of starting.
    start = f"{project.as_uri()}/Snakefile#"
    own = part(start, "job", rule, number if number is not None else output, started.isoformat() if started else "")
    node = job(own, rule, started, ended).link(HPC.usedWorkflow, part(start, "rule", rule))
    yield from Node(part(start, "rule", rule), PROV.Plan, HPC.Workflow).label(rule)
    checksums = rest.pop("input_checksums", None) or {}
    for path in rest.pop("input", None) or ():
        iri = file_iri(str(path), project)
        node.link(PROV.used, iri)
        file = local_file(iri, str(path))
        algorithm, _, digest = str(checksums.get(path, "")).partition(":")
        yield from file.checksum(algorithm, digest)
    made = file_iri(output, project)
    yield from local_file(made, output).link(PROV.wasGeneratedBy, own)
    for path in rest.pop("log", None) or ():
        yield from (
            local_file(file_iri(str(path), project), str(path))
            .link(RDF.type, HPC.LogFile)
            .link(PROV.wasGeneratedBy, own)
        )
    for position, value in enumerate(rest.pop("params", None) or ()):
        param = part(own.value, "param", position)
        yield from Node(param, PROVLAKE.AttributeValue).label(f"parameter {position + 1}").text(PROV.value, value)
        node.link(PROV.used, param)
    for word, key in (("shellcmd", "command"), ("conda_env", "conda environment"), ("container_img_url", "container")):
        if value := rest.pop(word, None):
            yield from attribute(own, part(own.value, key), key, value)
    if rest.pop("incomplete", False):
        findings.lost("a file whose job did not end", project / output)
    for word in ("code", "version", "record_format_version", "software_stack_hash", "external_jobid"):
        if rest.get(word) in (None, "") or word in ("record_format_version", "software_stack_hash", "code"):
            rest.pop(word, None)
    yield from node.keep("job", rest, findings)


def _decoded(name: str) -> str | None:
    """The file that a record is about: Snakemake encodes its path in the name, in base64."""
    try:
        text = base64.b64decode(name.replace("/", "").replace("@", ""), altchars=b"-_", validate=True)
        return text.decode("utf-8")
    except (binascii.Error, ValueError, UnicodeDecodeError):
        return None
