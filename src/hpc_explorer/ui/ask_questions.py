"""What the tab Ask asks of the session: each list by itself, and only the latest answer of its kind counts."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TypeVar

from hpc_explorer.app import operations
from hpc_explorer.app.jobs import JobContext
from hpc_explorer.app.session import Session
from hpc_explorer.errors import QuerySyntaxError
from hpc_explorer.query.building import Focused
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.query.question import Question
from hpc_explorer.rdf.namespaces import PrefixMap
from hpc_explorer.rdf.terms import NamedNode, Variable
from hpc_explorer.ui.facet_list import FacetRow
from hpc_explorer.ui.facet_panel import Facet
from hpc_explorer.ui.jobs_bridge import Channel, Failed, JobsBridge
from hpc_explorer.ui.range_facet import RangeChoice
from hpc_explorer.ui.relax_panel import Relief

T = TypeVar("T")
