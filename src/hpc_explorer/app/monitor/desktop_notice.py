"""Show a message on the desktop, as on Linux: by the service of notifications on the D-Bus of the session.

https://specifications.freedesktop.org/notification/latest-single/
"""

from __future__ import annotations

import sys

LONGEST_CALL = 2.0
"""Seconds after which the service counts as silent."""

_SERVICE, _PLACE = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"


def show_on_desktop(summary: str, text: str) -> bool:
    """Show a message.

    Returns:
        Whether a service took it; there is none on a system without a desktop, or without D-Bus.
    """
    if sys.platform != "linux":
        return False
    from jeepney import DBusAddress, new_method_call
    from jeepney.io.blocking import open_dbus_connection
    from jeepney.low_level import MessageType

    # The body is text with markup.
    body = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    address = DBusAddress(_PLACE, bus_name=_SERVICE, interface=_SERVICE)
    given: tuple[object, ...] = ("HPC Explorer", 0, "hpc-explorer", summary, body, [], {}, -1)
    try:
        with open_dbus_connection("SESSION") as connection:
            call = new_method_call(address, "Notify", "susssasa{sv}i", given)
            answer = connection.send_and_get_reply(call, timeout=LONGEST_CALL)
    except (KeyError, OSError, ValueError, TimeoutError, EOFError):
        return False
    return answer.header.message_type is MessageType.method_return
