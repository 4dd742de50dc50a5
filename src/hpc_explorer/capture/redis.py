"""Send records to a Redis stream. It speaks Redis's protocol (RESP 2) itself: the package `redis` takes longer to
import than the records of a thousand batches take to send."""

from __future__ import annotations

import socket
from contextlib import suppress
from urllib.parse import parse_qs, unquote, urlsplit

_CONNECT, _ANSWER = 2.0, 5.0
"""The longest times in seconds that connecting and an answer take."""


class RedisBroker:
    """A connection to a Redis server.

    Args:
        address: `redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]`, `rediss://…` for TLS, or `unix://[…@]/PATH`.
            A query may have `db`, and for TLS `ssl_ca_certs`, `ssl_certfile`, `ssl_keyfile` and `ssl_cert_reqs=none`.
        stream: the name of the stream.

    Raises:
        OSError: the server does not answer, or does not accept the connection.
        ValueError: the address is wrong.
    """

    def __init__(self, address: str, stream: str) -> None:
        self._address, self._stream = address, stream
        self._connect()

    def _connect(self) -> None:
        parts = urlsplit(self._address)
        options = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        host, path = parts.hostname or "localhost", unquote(parts.path)
        database = options.pop("db", path.strip("/"))
        if parts.scheme == "unix":
            self._socket = socket.socket(socket.AF_UNIX)
            self._socket.settimeout(_CONNECT)
            self._socket.connect(path)
        elif parts.scheme in ("redis", "rediss"):
            self._socket = socket.create_connection((host, parts.port or 6379), timeout=_CONNECT)
        else:
            raise ValueError(f"not the address of a Redis server: {parts.scheme or 'without a scheme'}")
        self._answers = self._socket.makefile("rb")
        try:
            if parts.scheme == "rediss":
                self._encrypt(host, options)
            self._socket.settimeout(_ANSWER)
            if options:
                raise ValueError(f"the address has an option that is not known: {', '.join(sorted(options))}")
            if parts.password is not None:
                user = [unquote(parts.username)] if parts.username else []
                self._ask("AUTH", *user, unquote(parts.password))
            if database.isdecimal() and int(database):
                self._ask("SELECT", database)
        except BaseException:
            self.close()
            raise

    def _encrypt(self, host: str, options: dict[str, str]) -> None:
        import ssl  # takes a while, and most servers in a cluster are asked without TLS

        context = ssl.create_default_context(cafile=options.pop("ssl_ca_certs", None))
        if options.pop("ssl_cert_reqs", "required") == "none":
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        certificate, key = options.pop("ssl_certfile", None), options.pop("ssl_keyfile", None)
        if certificate is not None:
            context.load_cert_chain(certificate, key)
        self._answers.close()
        self._socket = context.wrap_socket(self._socket, server_hostname=host)
        self._answers = self._socket.makefile("rb")

    def send(self, process: str, data: list[bytes]) -> None:
        """Add one entry with these frames to the stream.

        Raises:
            OSError: the server did not confirm it.
        """
        words = ("XADD", self._stream, "*", "process", process, "frames", b"".join(data))
        try:
            self._ask(*words)
        except ConnectionError:  # a server may close a connection that was silent for a while
            self.close()
            self._connect()
            self._ask(*words)

    def close(self) -> None:
        """Close the connection."""
        with suppress(OSError):
            self._answers.close()
        with suppress(OSError):
            self._socket.close()

    def _ask(self, *words: str | bytes) -> None:
        """Send a command, and wait for its answer, which is one line, or one line and a text."""
        asked = [b"*%d\r\n" % len(words)]
        for word in words:
            text = word.encode() if isinstance(word, str) else word
            asked += (b"$%d\r\n" % len(text), text, b"\r\n")
        self._socket.sendall(b"".join(asked))
        answer = self._answers.readline()
        if answer[:1] == b"$" and answer[1:-2].isdigit():
            length = int(answer[1:-2]) + 2
            if len(self._answers.read(length)) < length:
                raise ConnectionError("the server closed the connection")
            return
        if answer[:1] == b"+" and answer.endswith(b"\r\n"):
            return
        if answer[:1] == b"-":
            raise OSError(answer[1:].decode(errors="replace").strip())
        if not answer.endswith(b"\r\n"):
            raise ConnectionError("the server closed the connection")
        raise OSError("the answer is not that of a Redis server")
