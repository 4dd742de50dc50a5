"""What a run took place in: command line, host, software, commit, and the job of a batch system."""

from __future__ import annotations

import getpass
import os
import platform
import re
import shlex
import socket
import subprocess
import sys
from collections.abc import Collection
from importlib import metadata

_SECRET = re.compile("password|passwd|secret|token|credential|api.?key", re.IGNORECASE)

# What each batch system says in the environment: the job's id, and its allocation.
_JOBS: tuple[tuple[str, str, dict[str, str]], ...] = (
    (
        "Slurm",
        "SLURM_JOB_ID",
        {
            "account": "SLURM_JOB_ACCOUNT",
            "cluster": "SLURM_CLUSTER_NAME",
            "name": "SLURM_JOB_NAME",
            "nodes": "SLURM_JOB_NUM_NODES",
            "node list": "SLURM_JOB_NODELIST",
            "partition": "SLURM_JOB_PARTITION",
            "tasks": "SLURM_NTASKS",
            "CPUs per task": "SLURM_CPUS_PER_TASK",
            "GPUs": "SLURM_GPUS",
        },
    ),
    ("PBS", "PBS_JOBID", {"name": "PBS_JOBNAME", "queue": "PBS_QUEUE", "nodes": "PBS_NUM_NODES", "tasks": "PBS_NP"}),
    (
        "LSF",
        "LSB_JOBID",
        {"name": "LSB_JOBNAME", "queue": "LSB_QUEUE", "node list": "LSB_HOSTS", "tasks": "LSB_DJOB_NUMPROC"},
    ),
    ("Flux", "FLUX_JOB_ID", {"nodes": "FLUX_JOB_NNODES", "tasks": "FLUX_JOB_SIZE"}),
)

# The rank of this process, the number of ranks, and what identifies their common start.
_RANKS = (
    ("SLURM_PROCID", "SLURM_NTASKS", ("SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_RESTART_COUNT")),
    ("FLUX_TASK_RANK", "FLUX_JOB_SIZE", ("FLUX_JOB_ID",)),
    (
        "OMPI_COMM_WORLD_RANK",
        "OMPI_COMM_WORLD_SIZE",
        ("OMPI_MCA_ess_base_jobid", "PMIX_NAMESPACE", "PBS_JOBID", "LSB_JOBID"),
    ),
    ("PMIX_RANK", "PMIX_SIZE", ("PMIX_NAMESPACE",)),
    ("PMI_RANK", "PMI_SIZE", ("PMI_JOBID", "PMI_KVSNAME", "PBS_JOBID", "LSB_JOBID")),
    ("RANK", "WORLD_SIZE", ("TORCHELASTIC_RUN_ID", "MASTER_ADDR", "MASTER_PORT")),
)


def job() -> dict[str, str]:
    """The job of Slurm, PBS, LSF or Flux that this process runs in, and its allocation; empty without one."""
    for system, identity, more in _JOBS:
        if number := os.environ.get(identity):
            found = {name: value for name, variable in more.items() if (value := os.environ.get(variable))}
            return {"system": system, "id": number, **found}
    return {}


def rank() -> tuple[int, int, str] | None:
    """The rank of this process, the number of ranks, and an identity that all ranks share; None without ranks."""
    for own, size, identities in _RANKS:
        number, ranks = os.environ.get(own, ""), os.environ.get(size, "")
        if number.isdecimal() and (not ranks or ranks.isdecimal()):
            shared = [f"{name}={value}" for name in identities if (value := os.environ.get(name))]
            if (int(ranks or 0) > 1 or int(number) > 0) and shared:
                return int(number), int(ranks or 0), " ".join(shared)
    return None


def commit(folder: str) -> dict[str, str]:
    """The git commit of a folder, and whether files differ from it; empty without git."""

    def ask(*words: str) -> str:
        try:
            done = subprocess.run(
                ["git", "-C", folder, *words],
                capture_output=True,
                text=True,
                timeout=5,
                check=True,
                stdin=subprocess.DEVNULL,
            )
        except (OSError, subprocess.SubprocessError):
            return ""
        return done.stdout.strip()

    found = ask("rev-parse", "HEAD")
    if not found:
        return {}
    changed = "yes" if ask("status", "--porcelain", "--untracked-files=no") else "no"
    address = ask("config", "--get", "remote.origin.url")
    # An address may hold a password.
    if "@" in address and "://" in address:
        scheme, _, rest = address.partition("://")
        address = f"{scheme}://{rest.rpartition('@')[2]}"
    return {"git commit": found, "git changes": changed, **({"git repository": address} if address else {})}


def process() -> dict[str, str]:
    """What is known without a search: command line, folder, host, Python and system."""
    return {
        "command line": _without_secrets(sys.orig_argv),
        "working folder": os.getcwd(),
        "host": socket.gethostname(),
        "Python": platform.python_version(),
        "operating system": f"{platform.system()} {platform.release()}",
        "processors": str(os.cpu_count() or ""),
    }


def _without_secrets(words: list[str]) -> str:
    """A command line, with `***` for the values of options that are named like secrets."""
    told: list[str] = []
    hide = False
    for word in words:
        option, sign, _ = word.partition("=")
        secret = option.startswith("-") and _SECRET.search(option) is not None
        told.append(f"{option}=***" if secret and sign else "***" if hide else word)
        hide = secret and not sign
    return shlex.join(told)


def user() -> str:
    """The name of the user; empty if unknown."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return ""


def imported_software() -> dict[str, str]:
    """The distributions whose modules are imported, with their versions.

    `metadata.packages_distributions` would parse the lists of files of all installed distributions, which takes half a
    second beside a large library.
    """
    modules = {name.partition(".")[0] for name in list(sys.modules)}
    modules = {name for name in modules if not name.startswith("_")} - sys.stdlib_module_names
    if new := modules - _searched:
        _software.update(_owners(new))
        _searched.update(new)
    return dict(_software)


_searched: set[str] = set()
"""The modules whose distributions were searched for."""
_software: dict[str, str] = {}
_NAME = re.compile(r"^Name:[ \t]*(\S+)", re.MULTILINE)
_VERSION = re.compile(r"^Version:[ \t]*(\S+)", re.MULTILINE)


def _owners(modules: set[str]) -> dict[str, str]:
    """The installed distributions that have one of these top-level modules, with their versions."""
    found: dict[str, str] = {}
    words = {_as_word(module): module for module in modules}
    for distribution in metadata.distributions():
        told = distribution.read_text("METADATA") or distribution.read_text("PKG-INFO") or ""
        name, version = _NAME.search(told), _VERSION.search(told)
        if name is None or version is None or name[1] in found:
            continue
        likely = words.get(_as_word(name[1]))
        if _has_module(distribution, [likely, *modules] if likely else modules):
            found[name[1]] = version[1]
    return found


def _has_module(distribution: metadata.Distribution, modules: Collection[str]) -> bool:
    if top_level := distribution.read_text("top_level.txt"):
        return any(module in modules for module in top_level.split())
    files = "\n" + (distribution.read_text("RECORD") or "")
    return any(f"\n{module}/" in files or f"\n{module}." in files for module in modules)


def _as_word(name: str) -> str:
    """A name in which case and separators do not matter."""
    return re.sub(r"[-_.]+", "-", name).lower()
