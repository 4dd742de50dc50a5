"""Keyrings for tests: keyring's own way of adding a backend. They keep what they are given in memory, or in a file."""

from __future__ import annotations

import json
import os
from pathlib import Path

from keyring.backend import KeyringBackend
from keyring.errors import PasswordDeleteError

FILE_VARIABLE = "TEST_KEYRING_FILE"


class MemoryKeyring(KeyringBackend):
    """Keeps secrets as long as it lives."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()
        self.secrets: dict[str, str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        """The secret, or None."""
        return self.secrets.get(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        """Keep a secret."""
        self.secrets = {**self.secrets, f"{service} {username}": password}

    def delete_password(self, service: str, username: str) -> None:
        """Forget a secret."""
        if f"{service} {username}" not in self.secrets:
            raise PasswordDeleteError(username)
        self.secrets = {name: secret for name, secret in self.secrets.items() if name != f"{service} {username}"}


class FileKeyring(MemoryKeyring):
    """Keeps secrets in the file that `TEST_KEYRING_FILE` names, for several processes one after the other."""

    def __init__(self) -> None:
        KeyringBackend.__init__(self)

    @property
    def secrets(self) -> dict[str, str]:  # type: ignore[override]
        """What the file holds."""
        file = Path(os.environ[FILE_VARIABLE])
        return json.loads(file.read_text()) if file.exists() else {}

    @secrets.setter
    def secrets(self, secrets: dict[str, str]) -> None:
        Path(os.environ[FILE_VARIABLE]).write_text(json.dumps(secrets))
