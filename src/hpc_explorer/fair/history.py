"""The history of assessments: a file to which one JSON line is appended per assessment.

A line is {"kept": moment, "who": text, "reading": name, "answers": [answer], "assessment": document} (`document.py`).
Invalid lines are reported and left in place.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from hpc_explorer.errors import DamagedAssessment
from hpc_explorer.fair.answers import Answers
from hpc_explorer.fair.assessment import Assessment
from hpc_explorer.fair.document import answers_document, answers_of, assessment_of, document_of, json_of_text
from hpc_explorer.fair.readings import HYBRID, READINGS, Reading
from hpc_explorer.fair.scoring import Decided, Score, decided, score_of
from hpc_explorer.rdf.syntax.files import input_error, output_error
from hpc_explorer.rdf.terms import NamedNode


@dataclass(frozen=True)
class Kept:
    """A saved assessment with everything that its score depends on.

    Args:
        when: the time of saving, with time zone.
    """

    when: datetime
    who: str
    assessment: Assessment
    answers: Answers
    reading: Reading = HYBRID

    @property
    def decided(self) -> tuple[Decided, ...]:
        """The result of each indicator."""
        return decided(self.assessment, self.answers, self.reading)

    @property
    def score(self) -> Score:
        """The score at that time."""
        return score_of(self.decided)


@dataclass(frozen=True)
class History:
    """The content of a history file.

    Args:
        problems: one message per invalid line.
    """

    kept: tuple[Kept, ...]
    problems: tuple[DamagedAssessment, ...]

    def of(self, resource: NamedNode) -> tuple[Kept, ...]:
        """The saved assessments of one resource, oldest first."""
        return tuple(one for one in self.kept if one.assessment.subject == resource.value)


def read_history(path: Path) -> History:
    """Read a history file; a missing file is empty.

    Raises:
        SourceUnreadable: the file cannot be read.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return History((), ())
    except OSError as error:
        raise input_error(error, path, "history") from None
    kept, problems = [], []
    for number, line in enumerate(content.decode("utf-8", errors="replace").split("\n"), 1):
        if not line.strip():
            continue
        try:
            kept.append(_kept(line, str(path), number))
        except DamagedAssessment as problem:
            problems.append(problem)
    return History(tuple(kept), tuple(problems))


def keep(path: Path, kept: Kept) -> None:
    """Append an assessment to a file, which is created if necessary.

    Raises:
        OutputNotWritable: the file cannot be written.
    """
    document = {
        "kept": kept.when.isoformat(),
        "who": kept.who,
        "reading": kept.reading.name,
        "answers": answers_document(kept.answers),
        "assessment": document_of(kept.assessment),
    }
    line = json.dumps(document, ensure_ascii=False) + "\n"
    try:
        with open(path, "ab+") as stream:
            # Separate a line that was truncated by a crash from the new one.
            if stream.tell() and _last_byte(stream) != b"\n":
                line = "\n" + line
            stream.write(line.encode())
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise output_error(error, path) from None


def _last_byte(stream: BinaryIO) -> bytes:
    stream.seek(-1, os.SEEK_END)
    return stream.read(1)


def _kept(line: str, file: str, number: int) -> Kept:
    said = json_of_text(line, file, number)
    name = f"{file}:{number}"
    if not isinstance(said, Mapping) or not {"kept", "who", "answers", "assessment"} <= set(said):
        raise DamagedAssessment("this line keeps no assessment", name, "the other lines are read; fix or remove it")
    assessment = assessment_of(said["assessment"], name)
    try:
        when, resource = datetime.fromisoformat(str(said["kept"])), NamedNode(assessment.subject)
    except ValueError as error:
        raise DamagedAssessment(f"the line is damaged ({error})", name, "fix or remove it") from None
    reading = next((one for one in READINGS if one.name == said.get("reading")), HYBRID)
    return Kept(when, str(said["who"]), assessment, answers_of(said["answers"], resource, name), reading)
