"""The named errors of the program, each saying what happened, where, and what to do.

    ExplorerError
    ├── InputError                 the user gave something that cannot be used          exit code 2
    │   ├── UsageError             a wrong command line or option
    │   ├── SourceNotFound         no such file, folder or sample
    │   ├── SourceUnreadable       it is there, but may not or cannot be read
    │   ├── UnknownFormat          the content is no RDF syntax this program knows
    │   ├── UnsupportedSyntax      a syntax that is known, and known not to be read
    │   ├── SourceSyntaxError      the content breaks its syntax, at a line and column
    │   ├── RemoteContextRefused   a JSON-LD document names a context that is not known offline
    │   ├── UnknownPrefix          a prefixed name whose prefix nobody declared
    │   ├── InvalidIri             a text that should be an IRI and is not
    │   ├── UnknownResource        the graph says nothing about this resource
    │   ├── UnknownStatement       the graph neither states this nor was it inferred
    │   ├── QuerySyntaxError       a SPARQL text the engine cannot read
    │   ├── ServerNotAllowed       a query would ask another server, which nobody has allowed
    │   ├── UnknownQuestion        no ready question is called so, or it does not go with this graph
    │   ├── WrongParameter         a blank of a ready question is left open, or such a value cannot stand there
    │   ├── WrongEntry             a text typed into a form that its field cannot take
    │   ├── DamagedQuestions       a file of ready questions holds something else
    │   ├── DamagedMapping         a mapping for tables holds something else
    │   ├── DamagedShapes          a file of shapes holds none, or some that cannot be used
    │   ├── DamagedReport          a file that should be a report of F-UJI holds something else
    │   ├── DamagedSettings        the file of settings holds something else
    │   ├── WrongAnswers           answers about how FAIR something is that do not hold together
    │   ├── DamagedAssessment      a kept assessment cannot be read as one
    │   ├── UnusableModel          a performance model cannot be evaluated or fitted
    │   ├── DamagedSeries          a file of measurements cannot be read as one
    │   └── OutputNotWritable      the result cannot be written where it was asked for
    ├── StoreError                 the store cannot do what was asked                   exit code 3
    │   ├── StoreLocked            another program has this store open for writing
    │   ├── StoreDamaged           its files are not as they were written
    │   ├── DeadlineExceeded       it took longer than it was allowed
    │   ├── MemoryExceeded         it needed more memory than it was allowed
    │   ├── ReaderFailed           the process that answered a query ended by itself
    │   ├── Unsupported            this backend cannot do this at all
    │   ├── KeyringUnavailable     the system's keyring is missing, locked, or refuses
    │   └── ServerError            an endpoint or web server did not do what was asked
    │       ├── EndpointUnreachable    no connection, or the connection broke
    │       ├── TlsFailed              no trusted TLS connection
    │       ├── EndpointTooSlow        no answer, or not all of it, in time (a DeadlineExceeded too)
    │       ├── EndpointBusy           it asks to come back later (429, 503)
    │       ├── EndpointRefused        it rejected the request (other 4xx, endless redirects)
    │       │   └── LoginRequired          it wants credentials, or others (401, 403)
    │       ├── EndpointFailed         it failed at the request (other 5xx)
    │       ├── NotAnEndpoint          what answers is something else
    │       ├── AnswerDamaged          the answer is incomplete, or cannot be read
    │       └── AnswerLimited          the answer is only a part, by a limit of the server's or of this program
    └── Cancelled                  the user stopped it                                  exit code 3

The command line prints one line (`str(error)`) and returns `exit_code`; the window shows a message with the three parts
apart. A traceback that reaches a user is a bug.
"""

from __future__ import annotations


class ExplorerError(Exception):
    """What happened, where, and what the user can do about it.

    Args:
        what: the fact, in a few words, lower case and without a full stop.
        where: the file (with line and column), IRI, option or endpoint it is about; may be empty.
        remedy: what to do next; may be empty where nothing can be done.
    """

    exit_code = 2

    def __init__(self, what: str, where: str = "", remedy: str = "") -> None:
        super().__init__(what, where, remedy)
        self.what = what
        self.where = where
        self.remedy = remedy

    def __str__(self) -> str:
        """The parts that are there, joined as one line: `what: where: remedy`."""
        parts = (self.what, self.where, self.remedy)
        return ": ".join(" ".join(part.split()) for part in parts if part)


class InputError(ExplorerError):
    """The user gave something that cannot be used."""


class UsageError(InputError):
    """A wrong command line or option."""


class SourceNotFound(InputError):
    """No such file, folder or sample."""


class SourceUnreadable(InputError):
    """The source is there, but may not or cannot be read."""


class UnknownFormat(InputError):
    """The content is no RDF syntax this program knows."""


class UnsupportedSyntax(InputError):
    """A syntax that is recognised, and that this program knows it cannot read."""


class SourceSyntaxError(InputError):
    """The content breaks the rules of its syntax.

    Args:
        what: the parser's reason.
        where: `file:line:column`, as far as they are known.
        remedy: what to do.

    Attributes:
        excerpt: the line, with "▸" before the place; empty if unknown.
        can_skip: whether the other statements can be read without it.
    """

    excerpt = ""
    can_skip = False


class RemoteContextRefused(InputError):
    """A JSON-LD document names a context that is not known offline."""


class UnknownPrefix(InputError):
    """A prefixed name whose prefix nobody declared."""


class InvalidIri(InputError):
    """A text that should be an IRI and is not one."""


class UnknownResource(InputError):
    """The graph says nothing about this resource."""


class UnknownStatement(InputError):
    """The graph neither states this triple, nor was it inferred from it."""


class QuerySyntaxError(InputError):
    """A SPARQL text that the engine cannot read."""


class ServerNotAllowed(InputError):
    """A query would ask another server (`SERVICE`), and nobody has allowed that."""


class UnknownQuestion(InputError):
    """No ready question is called so, or the graph is not written in the terms that it asks about."""


class WrongParameter(InputError):
    """A blank of a ready question is left open, or there is no such value for it."""


class WrongEntry(InputError):
    """A text typed into a field of a form that the field cannot take."""


class DamagedQuestions(InputError):
    """A file of ready questions holds something else."""


class DamagedMapping(InputError):
    """A mapping for tables holds something else, at a line of its file."""


class DamagedShapes(InputError):
    """A file of SHACL shapes holds none, or some that cannot be used."""


class DamagedReport(InputError):
    """A file that should be a report of F-UJI holds something else."""


class DamagedSettings(InputError):
    """The file of settings cannot be read as what it should be."""


class WrongAnswers(InputError):
    """Answers about how FAIR something is that cannot be taken: in a file, at a line of it, or as they are given."""


class DamagedAssessment(InputError):
    """A document or a history of assessments holds something else."""


class UnusableModel(InputError):
    """A performance model that cannot be evaluated or fitted."""


class DamagedSeries(InputError):
    """A file of jobs or measurements cannot be read."""


class OutputNotWritable(InputError):
    """The result cannot be written where it was asked for."""


class StoreError(ExplorerError):
    """The store cannot do what was asked of it."""

    exit_code = 3


class StoreLocked(StoreError):
    """Another program has this store open for writing."""


class StoreDamaged(StoreError):
    """The files of a store are not as they were written."""


class DeadlineExceeded(StoreError):
    """The call took longer than it was allowed."""


class MemoryExceeded(StoreError):
    """The call needed more memory than it was allowed."""


class ReaderFailed(StoreError):
    """The process that answered a query ended by itself, or something ended it."""


class Unsupported(StoreError):
    """This backend cannot do this at all."""


class KeyringUnavailable(StoreError):
    """The system's keyring, which keeps credentials, is missing, is locked, or refuses."""


class ServerError(StoreError):
    """An endpoint or web server did not do what was asked of it."""


class EndpointUnreachable(ServerError):
    """There is no connection to the server, or it broke before the answer."""


class TlsFailed(ServerError):
    """There is no trusted TLS connection to the server."""


class EndpointTooSlow(ServerError, DeadlineExceeded):
    """The server did not answer, or not to the end, in the time it was given."""


class EndpointBusy(ServerError):
    """The server asks to come back later (429 or 503), and there is no time left for that."""


class EndpointRefused(ServerError):
    """The server rejected the request: status 4xx, or endless redirects."""


class LoginRequired(EndpointRefused):
    """The server requires a login, or this user has no access: status 401 or 403."""


class EndpointFailed(ServerError):
    """The server failed at the request: a status of 5xx."""


class NotAnEndpoint(ServerError):
    """What answers at this address is not what was asked for, by its content type."""


class AnswerDamaged(ServerError):
    """The answer is incomplete, or not of its content type."""


class AnswerLimited(ServerError):
    """The answer is only a part of the whole, by a limit of the server or of this program."""


class Cancelled(ExplorerError):
    """The user stopped the work."""

    exit_code = 3
