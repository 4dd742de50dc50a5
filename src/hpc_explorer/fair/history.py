"""The assessments of a resource that were kept: a file of lines, one for each, to which lines are only added.

A line is JSON: {"kept": moment, "who": text, "reading": name, "answers": [answer], "assessment": document}
(`document.py`). A line that cannot be read is told and left where it is; the others are read all the same.
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
    """An assessment that was kept, with all that its score stands on.

    Args:
        when: when it was kept, with time zone.
        who: who kept it; may be empty.
        assessment: what the tests found, with the statements.
        answers: what people had answered.
        reading: how the paper was read.
    """

    when: datetime
    who: str
    assessment: Assessment
    answers: Answers
    reading: Reading = HYBRID

    @property
    def decided(self) -> tuple[Decided, ...]:
        """What each indicator came to."""
        return decided(self.assessment, self.answers, self.reading)

    @property
    def score(self) -> Score:
        """The score it had."""
        return score_of(self.decided)


@dataclass(frozen=True)
class History:
    """What a file keeps.

    Args:
        kept: all that can be read, in the order it was kept.
        problems: why each of the other lines cannot be read.
    """

    kept: tuple[Kept, ...]
    problems: tuple[DamagedAssessment, ...]

    def of(self, resource: NamedNode) -> tuple[Kept, ...]:
        """What was kept of one resource, the oldest first."""
        return tuple(one for one in self.kept if one.assessment.subject == resource.value)


def read_history(path: Path) -> History:
    """All that a file keeps; nothing where there is no such file.

    Raises:
        SourceUnreadable: it may not be read.
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
    """Add an assessment to a file, which is made if it is not there.

    Raises:
        OutputNotWritable: it cannot be written.
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
            # A line that was cut off when the power went stays what it is, and takes no other with it.
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
        raise DamagedAssessment("this line keeps no assessment", name, "the other lines are read; mend or remove it")
    assessment = assessment_of(said["assessment"], name)
    try:
        when, resource = datetime.fromisoformat(str(said["kept"])), NamedNode(assessment.subject)
    except ValueError as error:
        raise DamagedAssessment(f"the line is damaged ({error})", name, "mend or remove it") from None
    reading = next((one for one in READINGS if one.name == said.get("reading")), HYBRID)
    return Kept(when, str(said["who"]), assessment, answers_of(said["answers"], resource, name), reading)
