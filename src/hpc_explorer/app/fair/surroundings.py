"""What the tests use besides the graph: terms, shapes, local files and the web.

A term is known by the shipped ontologies or by those that are open. A description is checked against the shapes that
ship and the user's own, where one of its classes has any. A file is looked at where an address means one of this
machine: a `file:` address, an absolute path, or a path from the folder of an open file; `app.local_files` says which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from hpc_explorer.app.fair.online import OnlineChecks
from hpc_explorer.app.fair.tables import TEXT_ENDINGS, check_table, columns_of
from hpc_explorer.app.workspace.local_files import folders_of
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import ExplorerError, InputError
from hpc_explorer.fair.subject import Subject
from hpc_explorer.fair.surroundings import NO_SURROUNDINGS, Conformance, LocalFile, Seen, TableCheck
from hpc_explorer.fair.terms import FairFact, Role
from hpc_explorer.ontology.common_terms import Fact
from hpc_explorer.rdf.namespaces import HPC, PROVLAKE, PROVML
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.cached import CachedStore
from hpc_explorer.stores.changes.changes import ChangeSet

LARGEST_READ = 256 * 2**20
"""Above this size in bytes, only name, size and format are checked, without a checksum."""

_PROFILES = ((HPC, "the HPC ontology"), (PROVML, "PROV-ML"), (PROVLAKE, "PROV-ML"))


class SessionSurroundings:
    """The surroundings of the tests for one state of the graph; each file is read once, and a server is asked once.

    Args:
        session: what is open.
        online: asks addresses; None where nobody allowed to.
        limits: of all that is asked.
    """

    def __init__(self, session: Session, online: OnlineChecks | None = None, *, limits: Limits = NO_LIMITS) -> None:
        self.session = session
        self.limits = limits
        self._online = online
        self._store = CachedStore(session.store) if session.store.capabilities.remote else session.store
        self._files: dict[Path, LocalFile | None] = {}
        self._folders = folders_of(session)

    def knows(self, term: NamedNode) -> str | None:
        """The shipped or open ontology that defines a term."""
        shipped = NO_SURROUNDINGS.knows(term)
        if shipped is not None:
            return shipped
        schema = self.session.schema(limits=self.limits)
        known = schema.classes.get(term) or schema.properties.get(term)
        return "what is open" if known is not None and known.defined else None

    def conforms(self, subject: Subject) -> Conformance | None:
        """Whether the description conforms to the shapes of its classes; None without shapes.

        The description counts as the subject has it, which may be otherwise than in the session's graph.

        Raises:
            DamagedShapes: a shape cannot be used.
            StoreError, Cancelled, DeadlineExceeded: as the store says.
        """
        from hpc_explorer.annotate.validation.findings import Severity
        from hpc_explorer.app.checks.shapes import readable_shapes
        from hpc_explorer.app.checks.validating import check_resource

        shapes = readable_shapes(self.session)[0]
        schema = self.session.schema(limits=self.limits)
        above = [cls for stated in subject.classes for cls in (stated, *sorted(schema.superclasses(stated), key=str))]
        of_shapes = next((cls for cls in above if cls in shapes.target_classes), None)
        if of_shapes is None:
            return None
        found = check_resource(
            self.session,
            subject.resource,
            change=self._difference(subject),
            shapes=shapes,
            store=self._store,
            limits=self.limits,
        )
        wrong = [finding for finding in found if finding.severity is Severity.VIOLATION]
        quads = subject.quads
        violations = tuple(
            (
                finding.message,
                next(
                    (
                        quad
                        for quad in quads
                        if quad.predicate == finding.field and finding.value in (None, quad.object)
                    ),
                    None,
                ),
            )
            for finding in wrong
        )
        namespace, name = next(
            ((one, name) for one, name in _PROFILES if of_shapes.value.startswith(one)), (None, "your own shapes")
        )
        return Conformance(name, of_shapes if namespace is None else NamedNode(str(namespace)), not wrong, violations)

    def local_file(self, address: str) -> LocalFile | None:
        """The local file of an address or path, if it may be read."""
        path = self._folders.file(address)
        if path is None:
            return None
        if path not in self._files:
            self._files[path] = self._read(path)
        return self._files[path]

    def table_faults(self, subject: Subject) -> TableCheck | None:
        """The first local table of a distribution, compared with its csvw:tableSchema."""
        columns = columns_of(subject)
        if not columns:
            return None
        paths = map(self._folders.file, _addresses(subject))
        table = next((path for path in paths if path is not None and path.suffix.lower() in TEXT_ENDINGS), None)
        return None if table is None else check_table(table, columns, limits=self.limits)

    def online(self, url: str) -> Seen | None:
        """The response at an address; None if requests are not allowed or it is not an http(s) address.

        Raises:
            Cancelled, DeadlineExceeded: by the limits.
        """
        return None if self._online is None else self._online.seen(url)

    def _difference(self, subject: Subject) -> ChangeSet | None:
        """How a subject differs from the graph; None if it does not."""
        store = self._store

        def compared(quads: Iterable[Quad]) -> set[Quad]:
            # A server gives blank nodes other names each time, and nothing is changed there.
            return {quad for quad in quads if not (store.capabilities.remote and isinstance(quad.object, BlankNode))}

        stated = compared(store.match(subject.resource, limits=self.limits))
        said = compared(subject.quads)
        if stated == said:
            return None
        return ChangeSet(tuple(sorted(stated - said, key=str)), tuple(sorted(said - stated, key=str)))

    def _read(self, path: Path) -> LocalFile | None:
        from hpc_explorer.annotate.file_facts import file_facts
        from hpc_explorer.annotate.file_formats import BYTES, format_of_content

        try:
            if path.stat().st_size > LARGEST_READ:
                with path.open("rb") as stream:
                    form = format_of_content(stream, path.name)
                size, checksums = path.stat().st_size, {}
            else:
                facts = file_facts(path, limits=self.limits)
                form, size, checksums = facts.format, facts.size, {"sha256": facts.sha256, "md5": facts.md5}
        except (InputError, OSError):
            return None
        media_type = None if form.media_type == BYTES else form.media_type
        return LocalFile(path, path.name, size, media_type, checksums, _header(path))


def _header(path: Path) -> tuple[str, ...] | None:
    """The columns of a table of text."""
    from hpc_explorer.annotate.tables.reading import open_table

    if path.suffix.lower() not in (".csv", ".tsv"):
        return None
    try:
        with open_table(path) as table:
            return table.columns
    except ExplorerError:
        return None


def _addresses(subject: Subject) -> Iterator[str]:
    """The stated locations of the data of a resource."""
    told = subject.stated(FairFact.DOWNLOAD_URL, Fact.CONTENT_URL, FairFact.FILE_NAME, of=(Role.DISTRIBUTION,))
    yield from (quad.object.value for quad in told if isinstance(quad.object, (Literal, NamedNode)))
    yield from (node.resource.value for node in subject.distributions if isinstance(node.resource, NamedNode))
