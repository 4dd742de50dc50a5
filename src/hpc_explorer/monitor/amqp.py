"""Take measurements from a queue of an AMQP 0-9-1 broker, and publish messages to one. Needs the package `pika` (extra
`brokers`).

A message is confirmed after its points are on the disk. What was not confirmed comes again when the connection was
lost, and its points are known then.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from hpc_explorer.errors import EndpointFailed, EndpointUnreachable, LoginRequired, Unsupported
from hpc_explorer.monitor.live import LiveAddress
from hpc_explorer.monitor.series_files import series_of_messages
from hpc_explorer.monitor.series_points import NamedSeries
from hpc_explorer.stores.base import Limits
from hpc_explorer.stores.protocol.credentials import Credentials
from hpc_explorer.stores.protocol.http import Login
from hpc_explorer.stores.protocol.tls import tls_failed, trusting

_AT_ONCE = 5_000
"""The most messages that the broker sends before one is confirmed."""

_HEARTBEAT = 120


class _Connection:
    """A connection and its channel.

    Raises:
        Unsupported: the package `pika` is missing.
    """

    def __init__(self, address: LiveAddress, login: Login) -> None:
        try:
            import pika
        except ImportError:
            raise Unsupported(
                "AMQP needs the package pika", address.shown, "pip install 'hpc-explorer[brokers]'"
            ) from None
        # What it would log of a failure is raised as well.
        logging.getLogger("pika").setLevel(logging.CRITICAL)
        self.pika = pika
        self.address = address
        self._login = login
        self._connection: Any = None
        self.channel: Any = None

    def open(self) -> bool:
        """Connect, if it is not connected. Returns whether this is a new connection.

        Raises:
            ServerError: the broker does not answer, or refuses.
        """
        if self._connection is not None and self._connection.is_open and self.channel.is_open:
            return False
        self.close()
        with self.errors_named():
            self._connection = self.pika.BlockingConnection(self._parameters())
            self.channel = self._connection.channel()
        return True

    def _parameters(self) -> Any:
        address, pika = self.address, self.pika
        found = address.credentials(self._login) or Credentials("guest", "guest")
        encryption = None
        if address.is_encrypted:
            encryption = pika.SSLOptions(trusting(), address.host)
        return pika.ConnectionParameters(
            address.host,
            address.port,
            address.path[0],
            pika.PlainCredentials(found.user, found.password or found.token),
            ssl_options=encryption,
            heartbeat=_HEARTBEAT,
            socket_timeout=5,
            stack_timeout=10,
            blocked_connection_timeout=30,
            connection_attempts=1,
        )

    def new_channel(self) -> None:
        """A channel in place of one that the broker closed."""
        self.channel = self._connection.channel()

    def process(self) -> None:
        """Receive what has come, and keep the connection alive."""
        with self.errors_named():
            self._connection.process_data_events(time_limit=0)

    @contextmanager
    def errors_named(self) -> Iterator[None]:
        """Turn errors of the client into named ones, and close the connection.

        Raises:
            LoginRequired: the broker refuses the user.
            TlsFailed: its certificate is not trusted, or it has no TLS.
            EndpointUnreachable: it does not answer.
            EndpointFailed: it refuses.
        """
        where, errors = self.address.shown, self.pika.exceptions
        try:
            yield
        except (errors.ProbableAuthenticationError, errors.ProbableAccessDeniedError):
            self.close()
            raise LoginRequired(
                "the broker refuses this user or virtual host",
                where,
                f"hpc-explorer login {self.address.server} --user NAME",
            ) from None
        except (errors.ChannelClosed, errors.UnroutableError, errors.NackError) as error:
            self.close()
            reason = getattr(error, "reply_text", "") or type(error).__name__
            raise EndpointFailed(f"the broker refuses ({reason})", where, "check the names in the address") from None
        except (errors.AMQPError, OSError) as error:
            self.close()
            tls = tls_failed(error, where)
            if tls is not None:
                raise tls from None
            raise EndpointUnreachable("the broker does not answer", where, "start it, or check the address") from None

    def close(self) -> None:
        """Close the connection, if it is open."""
        connection, self._connection, self.channel = self._connection, None, None
        if connection is not None and connection.is_open:
            try:
                connection.close()
            except (self.pika.exceptions.AMQPError, OSError):
                return


class AmqpSource:
    """A queue whose messages are taken. It is made, durable, if the broker does not have it, and bound to the exchange
    of the address by its key.

    Args:
        login: finds the name and password for the broker.

    Raises:
        Unsupported: the package `pika` is missing.
    """

    def __init__(self, address: LiveAddress, login: Login) -> None:
        self.address = address
        self._connection = _Connection(address, login)
        self._messages: list[bytes] = []
        self._last = 0
        self._read = 0

    def read(self, limits: Limits) -> Iterator[tuple[tuple[NamedSeries, ...], tuple[str, ...]]]:
        """See `LiveSource`."""
        if self._connection.open():
            self._messages, self._last = [], 0
            with self._connection.errors_named():
                self._subscribe()
        self._connection.process()
        messages, self._messages, self._read = self._messages, [], self._last
        limits.check("receiving messages")
        yield series_of_messages(messages, self.address.shown)

    def confirm(self) -> None:
        """See `LiveSource`."""
        if self._read:
            with self._connection.errors_named():
                self._connection.channel.basic_ack(self._read, multiple=True)
            self._read = 0

    def serve(self) -> bool:
        """See `LiveSource`. A failure is told by the next reading."""
        if self._connection.channel is not None:
            try:
                self._connection.process()
            except (EndpointUnreachable, EndpointFailed):
                return False
        return len(self._messages) >= _AT_ONCE // 2

    def close(self) -> None:
        """See `LiveSource`; messages that are not confirmed stay in the queue."""
        self._connection.close()

    def _subscribe(self) -> None:
        queue, options = self.address.path[1], dict(self.address.options)
        channel = self._connection.channel
        try:
            channel.queue_declare(queue, passive=True)
        except self._connection.pika.exceptions.ChannelClosedByBroker as error:
            if error.reply_code != 404:
                raise
            self._connection.new_channel()
            channel = self._connection.channel
            channel.queue_declare(queue, durable=True)
        if "exchange" in options:
            channel.queue_bind(queue, options["exchange"], options.get("key", "#"))
        channel.basic_qos(prefetch_count=_AT_ONCE)
        channel.basic_consume(queue, self._take)

    def _take(self, channel: Any, method: Any, properties: Any, body: bytes) -> None:
        self._messages.append(body)
        self._last = method.delivery_tag


def publish(address: LiveAddress, body: bytes, login: Login) -> None:
    """Publish one message and wait until the broker has it.

    It goes to the exchange of the address with its key, or else to its queue, which is made if it is missing.

    Raises:
        ServerError: the broker does not answer, or refuses.
        Unsupported: the package `pika` is missing.
    """
    connection = _Connection(address, login)
    options = dict(address.options)
    try:
        connection.open()
        with connection.errors_named():
            channel, queue = connection.channel, address.path[1]
            if "exchange" not in options:
                channel.queue_declare(queue, durable=True)
            channel.confirm_delivery()
            channel.basic_publish(
                options.get("exchange", ""),
                options.get("key", queue),
                body,
                connection.pika.BasicProperties(content_type="application/json", delivery_mode=2),
                mandatory="exchange" not in options,
            )
    finally:
        connection.close()
