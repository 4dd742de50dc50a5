"""Run a script that a graph describes: without a shell, from an approved copy, within limits.

The command comes from the graph (`hpc:runCommand`) and is not trusted. It is split into words first; then `{input}` and
`{output}` are replaced. The interpreter must be Python, the script must lie in the folder that the user named, and its
content must be the one that the user approved. The script runs as a copy in a temporary folder, with limits on time,
memory and file size, an empty environment and no input. Where the kernel has Landlock (Linux 5.13 or later), it can
write in that folder only and can start no program; from Linux 6.7 on it cannot use TCP, and from 6.12 on it cannot
signal other processes.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from hpc_explorer.errors import ExplorerError, WrongParameter
from hpc_explorer.language.expressions import CSV, JSON
from hpc_explorer.language.scripts import GraphScript
from hpc_explorer.stores.base import NO_LIMITS, Limits

INTERPRETERS = frozenset(("python", "python3"))
_OPTION = re.compile(r"[A-Za-z0-9_.,=+-]+\Z")
_MOST_WORDS = 20
_LARGEST_SCRIPT = 1 << 20
_MOST_PRINTED = 2_000

_EVERY = 0.1
"""Seconds between two looks at whether the run was cancelled."""

_PATIENCE = 5.0
"""Seconds in which what a script started is ended, before the whole group is killed."""

# Runs before the script. The first process only waits, and ends what the script left behind: as the reaper of its
# descendants it knows them also where they left its group. The second sets the limits, gives up rights by Landlock,
# and runs the script.
_LIMITED = """
import ctypes, os, resource, runpy, signal, struct, sys
seconds, memory, size = map(int, sys.argv[1:4])
libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
if libc:
    libc.prctl(36, 1, 0, 0, 0)
child = os.fork()
if child:
    signal.signal(signal.SIGTERM, lambda *_: os.kill(child, signal.SIGKILL))
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    while libc:
        try:
            with open(f"/proc/self/task/{os.getpid()}/children") as left:
                for number in left.read().split():
                    os.kill(int(number), signal.SIGKILL)
            os.wait()
        except (ChildProcessError, FileNotFoundError):
            break
    os._exit(code if code >= 0 else 128 - code)
for limit, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, memory), (resource.RLIMIT_FSIZE, size),
                    (resource.RLIMIT_CORE, 0), (resource.RLIMIT_NOFILE, 64)):
    resource.setrlimit(limit, (most, most))
version = libc.syscall(444, None, ctypes.c_size_t(0), 1) if libc else 0
if version > 0:
    writing = sum(1 << bit for bit in (1, 4, 5, 6, 7, 8, 9, 10, 11, 12))
    writing |= (1 << 13 if version > 1 else 0) | (1 << 14 if version > 2 else 0)
    rights = struct.pack("=QQQ", writing | 1, 3 if version > 3 else 0, 3 if version > 5 else 0)
    rules = libc.syscall(444, rights, ctypes.c_size_t(8 if version < 4 else 16 if version < 6 else 24), 0)
    for path, allowed in ((os.getcwd(), writing), ("/dev/null", 1 << 1)):
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
        if libc.syscall(445, rules, 1, struct.pack("=Qi", allowed, handle), 0):
            raise SystemExit("the script cannot be confined")
        os.close(handle)
    if libc.prctl(38, 1, 0, 0, 0) or libc.syscall(446, rules, 0):
        raise SystemExit("the script cannot be confined")
    os.close(rules)
del sys.argv[:4]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def landlock_version() -> int:
    """The version of Landlock of this system, which confines scripts to their folder; 0 where there is none.

    From version 4 on it also refuses TCP, from version 6 on signals to other processes.
    """
    if sys.platform != "linux":
        return 0
    found: int = ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), 1)
    return max(found, 0)


@dataclass(frozen=True)
class RunLimits:
    """Limits of a script.

    Args:
        seconds: of processor time, and of waiting.
        memory: address space in bytes.
        file_size: the largest file in bytes.
    """

    seconds: int = 60
    memory: int = 4 << 30
    file_size: int = 1 << 30


@dataclass(frozen=True)
class ScriptCommand:
    """The command of a script, ready to be shown, approved and run.

    Args:
        words: the command as the user sees it, with `{input}` and `{output}`.
        file: the script.
        sha256: of its content.
        ending: of the output file.
        text: its content, to be read before it is approved.
    """

    name: str
    words: tuple[str, ...]
    file: Path
    sha256: str
    ending: str
    text: str = field(default="", repr=False, compare=False)

    @property
    def shown(self) -> str:
        """The command as one would type it."""
        return shlex.join(self.words)


def script_command(script: GraphScript, folder: Path) -> ScriptCommand:
    """The command of a script in a folder.

    Args:
        folder: where scripts may lie; named by the user.

    Raises:
        WrongParameter: the command is not of the allowed form, or the script does not lie in the folder.
    """
    try:
        words = shlex.split(script.command)
    except ValueError:
        words = []
    if not 2 <= len(words) <= _MOST_WORDS or words[0] not in INTERPRETERS:
        raise WrongParameter(
            "only Python scripts are run", script.command[:80], "write: python3 SCRIPT {input} {output}"
        )
    if words[1] != script.path:
        raise WrongParameter("the command does not name the script", script.command[:80], f"it must run {script.path}")
    for word in words[2:]:
        if word not in ("{input}", "{output}") and not _OPTION.match(word):
            raise WrongParameter("the command has a word that is not allowed", word[:80], "use plain options only")
    if words.count("{input}") != 1 or words.count("{output}") != 1:
        raise WrongParameter("the command needs {input} and {output} once each", script.command[:80], "")
    file = _within(words[1], folder)
    content = _content(file)
    ending = {CSV: ".csv", JSON: ".json"}.get(script.operation.output, ".log")
    return ScriptCommand(
        script.operation.name,
        tuple(words),
        file,
        hashlib.sha256(content).hexdigest(),
        ending,
        content.decode(errors="replace"),
    )


def _within(path: str, folder: Path) -> Path:
    root = folder.resolve()
    refused = WrongParameter("the script does not lie in the folder", path[:120], f"put it into {root}")
    if "\0" in path or Path(path).is_absolute():
        raise refused
    try:
        file = (root / path).resolve(strict=True)
    except (OSError, RuntimeError):
        raise WrongParameter("the script does not exist", path[:120], f"put it into {root}") from None
    if not file.is_relative_to(root) or not file.is_file():
        raise refused
    return file


def _content(file: Path) -> bytes:
    with file.open("rb") as stream:
        content = stream.read(_LARGEST_SCRIPT + 1)
    if len(content) > _LARGEST_SCRIPT:
        raise WrongParameter("the script is too large", file.name, "scripts have at most 1 MiB")
    return content


def run_script(
    command: ScriptCommand,
    input: Path,
    folder: Path,
    run_limits: RunLimits | None = None,
    *,
    limits: Limits = NO_LIMITS,
) -> Path:
    """Run a script that was approved with its present content.

    Args:
        input: copied, so that the script cannot change it.
        folder: a temporary folder of its own.
        limits: when they end, the script is ended.

    Returns:
        The output file, in that folder.

    Raises:
        WrongParameter: the script has changed since.
        ExplorerError: it failed, took too long, or wrote no output.
        Cancelled: the run was cancelled.
    """
    most = run_limits or RunLimits()
    content = _content(command.file)
    if hashlib.sha256(content).hexdigest() != command.sha256:
        raise WrongParameter("the script has changed since it was approved", command.file.name, "look at it again")
    copy = folder / "script.py"
    copy.write_bytes(content)
    given = folder / f"input{input.suffix}"
    shutil.copyfile(input, given)
    output = folder / f"output{command.ending}"
    names = {"{input}": str(given), "{output}": str(output)}
    words = [str(copy), *(names.get(word, word) for word in command.words[2:])]
    numbers = (str(most.seconds), str(most.memory), str(most.file_size))
    printed = folder / "printed.txt"
    with printed.open("wb") as stream:
        process = subprocess.Popen(
            [sys.executable, "-I", "-B", "-c", _LIMITED, *numbers, *words],
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env={"PATH": "/usr/bin:/bin", "HOME": str(folder), "TMPDIR": str(folder), "LANG": "C.UTF-8"},
            start_new_session=True,
        )
        try:
            code = _waited(process, most.seconds + 5, limits)
        finally:
            _end(process)
    if code != 0 or not output.is_file() or output.is_symlink():
        said = printed.read_bytes()[-_MOST_PRINTED:].decode(errors="replace").strip().splitlines()
        ended = (None, 128 + signal.SIGXCPU, 128 + signal.SIGKILL)
        what = "the script took too long" if code in ended else "the script failed"
        raise ExplorerError(what, command.file.name, said[-1] if said else "it wrote no output")
    return output


def _waited(process: subprocess.Popen[bytes], seconds: float, limits: Limits) -> int | None:
    """The exit code; None if the script does not end in time."""
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        with suppress(subprocess.TimeoutExpired):
            return process.wait(_EVERY)
        limits.check("the script")
    return None


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the script and whatever it started."""
    if process.poll() is None:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(_PATIENCE)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
