"""Commands on an endpoint that was asked before, and on one that is away."""

from __future__ import annotations

import json

import pytest

from tests.helpers.program import run_installed
from tests.helpers.slow_endpoint import slow_endpoint


@pytest.mark.slow
def test_age_refresh_and_away() -> None:
    with slow_endpoint() as endpoint:
        endpoint.insert("<urn:a> a <urn:C>")
        first = run_installed("info", endpoint.address, "--json")
        assert (first.code, first.err) == (0, "")
        assert "kept_answers" not in json.loads(first.out)
        endpoint.insert("<urn:b> a <urn:C>")
        second = run_installed("info", endpoint.address, "--json")
        assert second.code == 0
        told = json.loads(second.out)
        assert told["triples"]["value"] == 1
        assert told["kept_answers"]["offline"] is False
        assert told["kept_answers"]["age_seconds"] >= 0
        assert second.err.startswith("hpc-explorer: answers up to ")
        assert second.err.endswith(f" s old: {endpoint.address}: use --refresh to ask again\n")
        third = run_installed("info", endpoint.address, "--json", "--refresh")
        assert (third.code, third.err) == (0, "")
        assert json.loads(third.out)["triples"]["value"] == 2
        unkept = run_installed("info", endpoint.address, "--json", env={"HPC_EXPLORER_CACHE": "off"})
        assert (unkept.out, unkept.err) == (third.out, "")
    away = run_installed("info", endpoint.address, "--json", "--refresh")
    assert away.code == 0
    assert away.err.startswith(f"hpc-explorer: the server cannot be reached: {endpoint.address}: cached answers up to ")
    told = json.loads(away.out)
    assert told["triples"]["value"] == 2
    assert told["kept_answers"]["offline"] is True
    refused = run_installed("query", endpoint.address, "--text", "SELECT * { ?s ?p 'never asked' }")
    assert (refused.code, refused.out) == (3, "")
