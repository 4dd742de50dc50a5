"""HTTP requests and responses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType

from hpc_explorer.stores.protocol.http_unpacking import ACCEPTED


@dataclass(frozen=True)
class HttpRequest:
    """One request.

    Args:
        body: the body of a POST.
        safe: whether it changes nothing on the server and may be repeated.
        conditions: headers of a conditional request (RFC 9110, section 13.1).
    """

    method: str
    address: str
    accept: str
    body: bytes | None = None
    content_type: str = ""
    safe: bool = True
    conditions: tuple[tuple[str, str], ...] = ()

    def headers(self) -> dict[str, str]:
        """Its headers, credentials aside."""
        headers = {"Accept": self.accept, "Accept-Encoding": ACCEPTED, "User-Agent": "hpc-explorer"}
        if self.content_type:
            headers["Content-Type"] = self.content_type
        return {**headers, **dict(self.conditions)}


class HttpAnswer:
    """A response, read in chunks. Close it, or use it in a `with`.

    Args:
        address: its address after redirects.
        headers: by name, in any case.
        next_piece: returns the next bytes of the body; empty at the end.
        let_go: called once when reading ends.
        keep: called when the whole response was read and validated, so that it can be cached.
        come: returns the number of bytes received, as transferred.

    Attributes:
        media_type: its content type in lower case without parameters; empty if missing.
        headers: by name in lower case.
    """

    _open = False

    def __init__(
        self,
        address: str,
        status: int,
        headers: Mapping[str, str],
        next_piece: Callable[[], bytes],
        let_go: Callable[[], None],
        keep: Callable[[], None] = lambda: None,
        *,
        come: Callable[[], int] | None = None,
    ) -> None:
        self.address = address
        self.status = status
        self.headers: Mapping[str, str] = {name.lower(): value for name, value in headers.items()}
        self.media_type = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        self._next_piece = next_piece
        self._let_go = let_go
        self.keep = keep
        self.come = come
        self._piece = memoryview(b"")
        self._open = True

    def readable(self) -> bool:
        """Whether it can be read, for the stream protocol."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Read at most `size` bytes; all if negative; empty at the end.

        Raises:
            ServerError, Cancelled: the rest cannot be received.
        """
        if size < 0:
            pieces = []
            while piece := self.read(1 << 20):
                pieces.append(piece)
            return b"".join(pieces)
        if not self._piece and self._open:
            self._piece = memoryview(self._next())
        taken, self._piece = self._piece[:size], self._piece[size:]
        return bytes(taken)

    def _next(self) -> bytes:
        try:
            piece = self._next_piece()
        except BaseException:
            self.close()
            raise
        if not piece:
            self.close()
        return piece

    def close(self) -> None:
        """Close the connection; unread data is discarded."""
        if self._open:
            self._open = False
            self._let_go()

    def __enter__(self) -> HttpAnswer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()
