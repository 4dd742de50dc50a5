"""Send records to a Redis stream. Needs the package `redis` (extra `brokers`)."""

from __future__ import annotations

import redis


class RedisBroker:
    """A connection to a Redis server.

    Args:
        address: such as `redis://host:6379/0`.
        stream: the name of the stream.

    Raises:
        OSError: the address is wrong.
    """

    def __init__(self, address: str, stream: str) -> None:
        self._stream = stream
        try:
            self._client = redis.Redis.from_url(address, socket_timeout=5, socket_connect_timeout=2)
        except (ValueError, redis.RedisError) as error:
            raise OSError(str(error)) from None

    def send(self, process: str, data: list[bytes]) -> None:
        """Add one entry with these frames to the stream.

        Raises:
            OSError: the server did not confirm it.
        """
        try:
            self._client.xadd(self._stream, {"process": process, "frames": b"".join(data)})
        except redis.RedisError as error:
            raise OSError(str(error)) from None

    def close(self) -> None:
        """Close the connection."""
        self._client.close()
