"""Which hosts, data stores and jobs of a graph a series is about, so that an event is attributed to them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property

from hpc_explorer.app.workspace.session import Session
from hpc_explorer.monitor.graph import jobs_by_data_store
from hpc_explorer.monitor.jobs import Job, jobs_during
from hpc_explorer.monitor.series_graph import about_of, data_stores_in, machine_name, machines_in
from hpc_explorer.monitor.series_points import NamedSeries
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import NO_LIMITS, Limits


class Attribution:
    """Attributes events by place, then by time.

    A series about machines concerns the jobs that ran on them; one about jobs or runs, those; one about a data store,
    the jobs that used or made data which lies there. One about nothing that the graph knows may concern all jobs.

    Args:
        jobs: all of the graph, as those of other runs are known too.
    """

    def __init__(self, session: Session, jobs: Iterable[Job], *, limits: Limits = NO_LIMITS) -> None:
        self._store, self._limits = session.store, limits
        self._jobs = tuple(jobs)

    def about(self, series: NamedSeries) -> tuple[NamedNode, ...]:
        """What a series of a file is about, as its import would state it."""
        return about_of(series, self._machines, {} if series.host else self._data_stores)

    def hosts(self, about: Collection[NamedNode]) -> tuple[str, ...]:
        """The names of the machines among what a series is about."""
        names = (self._names.get(one) or machine_name(one) for one in about)
        return tuple(dict.fromkeys(name for name in names if name is not None))

    def data_stores(self, about: Collection[NamedNode]) -> tuple[NamedNode, ...]:
        """The data stores among what a series is about; none if it is about machines."""
        if not about or self.hosts(about):
            return ()
        return tuple(one for one in about if one in self._places)

    def jobs(self, about: Collection[NamedNode]) -> tuple[Job, ...]:
        """The jobs that a series concerns, at any time."""
        if not about:
            return self._jobs
        hosts, iris = self.hosts(about), {one.value for one in about}
        if hosts:
            return tuple(job for job in self._jobs if job.host in hosts)
        own = tuple(job for job in self._jobs if job.iri in iris or job.run in iris)
        if own:
            return own
        places = self.data_stores(about)
        if not places:
            return self._jobs
        users = frozenset().union(*(self._users.get(one.value, frozenset()) for one in places))
        return tuple(job for job in self._jobs if job.iri in users)

    def jobs_during(self, about: Collection[NamedNode], begin: float, end: float) -> tuple[Job, ...]:
        """The jobs that a series concerns and that ran in an interval."""
        return jobs_during(self.jobs(about), begin, end)

    @cached_property
    def _machines(self) -> dict[str, tuple[NamedNode, ...]]:
        return machines_in(self._store, limits=self._limits)

    @cached_property
    def _names(self) -> dict[NamedNode, str]:
        return {machine: name for name, machines in self._machines.items() for machine in machines}

    @cached_property
    def _data_stores(self) -> dict[str, tuple[NamedNode, ...]]:
        return data_stores_in(self._store, limits=self._limits)

    @cached_property
    def _places(self) -> frozenset[NamedNode]:
        return frozenset().union(*self._data_stores.values())

    @cached_property
    def _users(self) -> dict[str, frozenset[str]]:
        return jobs_by_data_store(self._store, limits=self._limits)
