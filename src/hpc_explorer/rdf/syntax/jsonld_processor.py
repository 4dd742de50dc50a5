"""PyLD's processor with relative IRIs as RFC 3986 defines them. Imported when needed: PyLD imports `requests`."""

from __future__ import annotations

from typing import Any

from pyld.jsonld import JsonLdProcessor

from hpc_explorer.rdf.syntax.relative_iris import has_scheme, joined


class Processor(JsonLdProcessor):  # type: ignore[misc]  # PyLD has no types
    """A processor that resolves relative IRIs as RFC 3986 says.

    PyLD 3.3 reads `inputs/a:b` as an absolute IRI, and `.tests/a` as `tests/a`.
    """

    def _expand_iri(
        self,
        active_ctx: Any,
        value: Any,
        base: Any = None,
        vocab: bool = False,
        local_ctx: Any = None,
        defined: Any = None,
    ) -> Any:
        """Expand a text to an IRI (JSON-LD 1.1 API, section 5.2.2)."""
        if (
            not isinstance(value, str)
            or local_ctx is not None
            or has_scheme(value)
            or value.startswith(("@", "_:"))
            or (vocab and value in active_ctx["mappings"])
            or value.partition(":")[0] in active_ctx["mappings"]
        ):
            return super()._expand_iri(active_ctx, value, base, vocab, local_ctx, defined)
        if vocab and "@vocab" in active_ctx:
            return active_ctx["@vocab"] + value
        if base is None:
            return None
        own = active_ctx.get("@base", base)
        return value if own is None else joined(value, own if has_scheme(own) else joined(own, base))
