"""Validate an RO-Crate with the community's validator and no network: the contexts come from a file.

Usage: crate_validator.py CONTEXTS.json CRATE PROFILE. Prints each broken rule on a line; exit code 1 where there is one.
"""

from __future__ import annotations

import email.message
import io
import json
import sys
import urllib.error
import urllib.request
import urllib.response
from pathlib import Path

# These fetch the contexts by other means, to see that they are there.
_NEED_A_NETWORK = ["ro-crate-1.1_3.1", "ro-crate-1.1_3.2", "ro-crate-1.2_4.1", "ro-crate-1.2_4.2"]


class _FromFile(urllib.request.HTTPSHandler):
    def __init__(self, contexts: dict[str, object]) -> None:
        super().__init__()
        self._contexts = contexts

    def https_open(self, req: urllib.request.Request) -> urllib.response.addinfourl:  # type: ignore[override]
        found = self._contexts.get(req.full_url)
        if found is None:
            raise urllib.error.URLError(f"not at hand: {req.full_url}")
        headers = email.message.Message()
        headers["Content-Type"] = "application/ld+json"
        content = io.BytesIO(json.dumps({"@context": found}).encode())
        answer = urllib.response.addinfourl(content, headers, req.full_url, 200)
        answer.msg = "OK"  # type: ignore[attr-defined]
        return answer


def main(contexts: str, crate: str, profile: str) -> int:
    """Validate."""
    opener = urllib.request.build_opener(_FromFile(json.loads(Path(contexts).read_text(encoding="utf-8"))))
    urllib.request.install_opener(opener)
    from rocrate_validator import models, services

    settings = services.ValidationSettings(
        rocrate_uri=crate,
        profile_identifier=profile,
        requirement_severity=models.Severity.REQUIRED,
        skip_availability_check=True,
        skip_checks=_NEED_A_NETWORK,
        disable_remote_crate_download=True,
    )
    result = services.validate(settings)
    for issue in result.get_issues():
        sys.stdout.write(f"{issue.check.identifier} {issue.message} {issue.violatingEntity or ''}\n")
    return 0 if result.passed() else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
