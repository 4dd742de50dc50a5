"""The published suites that are run here, in the order of the table in docs/conformance.md."""

from __future__ import annotations

from tests.helpers.suites.jsonld import JSON_LD_SUITES
from tests.helpers.suites.outcomes import Suite
from tests.helpers.suites.rdf_syntaxes import SYNTAX_SUITES
from tests.helpers.suites.shacl import SHACL_SUITES
from tests.helpers.suites.sparql import SPARQL_SUITES

SUITES: tuple[Suite, ...] = (*SYNTAX_SUITES, *JSON_LD_SUITES, *SPARQL_SUITES, *SHACL_SUITES)
