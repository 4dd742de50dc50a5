"""Opening addresses from the window: endpoints, documents, servers that refuse, ask who it is, or do not answer."""

from __future__ import annotations

from collections.abc import Iterator

import keyring
import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog

from hpc_explorer.app.settings import settings_file
from hpc_explorer.stores.protocol.credentials import Credentials
from hpc_explorer.ui.window.address_dialogs import AddressDialog, LoginDialog
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.bad_server import BadServer, bad_server, guarded
from tests.helpers.keyrings import MemoryKeyring
from tests.helpers.windows import User

DOCUMENT = b'<urn:a> <http://www.w3.org/2000/01/rdf-schema#label> "A thing from the web" .'
LOGIN = Credentials("ada", "secret")


@pytest.fixture
def server() -> Iterator[BadServer]:
    with bad_server() as server:
        server.behaviours["/things.ttl"] = lambda e: e.answer("200 OK", DOCUMENT, "text/turtle")
        server.behaviours["/guarded.ttl"] = guarded(LOGIN.header(), DOCUMENT, "text/turtle")
        server.behaviours["/bearer.ttl"] = guarded(Credentials(token="t0ken").header(), DOCUMENT, "text/turtle")
        yield server


def address(server: BadServer, path: str) -> str:
    return f"http://127.0.0.1:{server.server_address[1]}{path}"


def type_address(user: User, text: str) -> None:
    user.window.run("file.open_address")
    dialog = user.dialog(AddressDialog)
    user.type(text, dialog.line)
    user.click(dialog.open_button)
    user.until(lambda: not any(one is dialog and one.isVisible() for one in user.window.findChildren(QDialog)))
    user.add_to_open()


def test_a_document_on_the_web_opens_and_is_recent(window: MainWindow, user: User, server: BadServer) -> None:
    type_address(user, address(server, "/things.ttl"))
    user.until(window.browser.isVisible)
    user.rest()
    user.search("thing from the web")
    assert user.reads == "A thing from the web"
    user.press("Ctrl+W", window)
    user.until(window.start_page.isVisible)
    user.window.run("file.open_address")
    dialog = user.dialog(AddressDialog)
    user.click(user.button(f"Open {address(server, '/things.ttl')}", dialog))
    user.until(window.browser.isVisible)
    user.rest()


def test_what_is_no_graph_is_said_in_the_dialog_with_the_address_to_be_fixed(
    window: MainWindow, user: User, server: BadServer
) -> None:
    type_address(user, address(server, "/page"))
    dialog = user.dialog(AddressDialog)
    assert dialog.line.text() == address(server, "/page")
    assert dialog.problem is not None
    assert "web page" in dialog.problem.text
    assert "Give the address" in dialog.problem.text
    assert not window.banner.isVisible()
    dialog.line.setText(address(server, "/things.ttl"))
    user.click(dialog.open_button)
    user.until(window.browser.isVisible)
    user.rest()


@pytest.mark.parametrize("keys", ["Ctrl+.", "Escape"])
def test_a_server_that_does_not_answer_leaves_the_window_usable_and_is_given_up(
    window: MainWindow, user: User, server: BadServer, keys: str
) -> None:
    user.open_sample("fugaku")
    type_address(user, address(server, "/slow-first-byte"))
    user.until(lambda: "asking" in window.jobs.text)
    user.press("Ctrl+K", window)
    user.type("Fugaku")
    user.until(lambda: window.search.is_suggesting)
    user.press("Return")
    user.until(lambda: user.reads == "Supercomputer Fugaku")
    user.until(lambda: window.jobs.is_shown and window.commands.by_id["job.stop"].isEnabled())
    user.press(keys, window)
    user.rest()
    assert "Stopped" in user.told
    assert not window.jobs.is_shown
    assert not window.commands.by_id["job.stop"].isEnabled()
    assert not window.banner.isVisible()
    assert not [one for one in window.findChildren(AddressDialog) if one.isVisible()]


def test_the_button_beside_the_progress_stops_too(window: MainWindow, user: User, server: BadServer) -> None:
    type_address(user, address(server, "/slow-body"))
    user.until(lambda: window.jobs.is_shown)
    user.click(user.button("Stop this work"))
    user.rest()
    assert "Stopped" in user.told
    assert window.start_page.isVisible()


def test_one_who_signs_in_is_let_in_and_the_password_is_kept_in_the_keyring_only(
    window: MainWindow, user: User, server: BadServer
) -> None:
    kept = MemoryKeyring()
    before = keyring.get_keyring()
    keyring.set_keyring(kept)
    try:
        type_address(user, address(server, "/guarded.ttl"))
        dialog = user.dialog(LoginDialog)
        assert "401" in dialog.problem.text
        assert not dialog.open_button.isEnabled()
        user.type("ada", dialog.user)
        user.type("wrong", dialog.password)
        user.click(dialog.open_button)
        user.until(lambda: any("rejects" in one.problem.text for one in window.findChildren(LoginDialog)))
        dialog = user.dialog(LoginDialog)
        user.type("ada", dialog.user)
        user.type("secret", dialog.password)
        dialog.remember.click()
        user.click(dialog.open_button)
        user.until(window.browser.isVisible)
        user.rest()
        assert "secret" in "".join(kept.secrets.values())
        assert "wrong" not in "".join(kept.secrets.values())
        user.press("Ctrl+W", window)
        user.until(window.start_page.isVisible)
        type_address(user, address(server, "/guarded.ttl"))
        user.until(window.browser.isVisible)
        user.rest()
    finally:
        keyring.set_keyring(before)
    window.quit_now()
    assert "secret" not in settings_file().read_text(encoding="utf-8")


def test_a_token_lets_in_for_this_session_alone(window: MainWindow, user: User, server: BadServer) -> None:
    type_address(user, address(server, "/bearer.ttl"))
    dialog = user.dialog(LoginDialog)
    dialog.by_token.click()
    assert not dialog.password.isVisible()
    user.type("t0ken", dialog.token)
    user.click(dialog.open_button)
    user.until(window.browser.isVisible)
    user.rest()
    assert not window.banner.isVisible()


def test_without_a_keyring_the_document_is_open_and_that_is_said(
    window: MainWindow, user: User, server: BadServer
) -> None:
    type_address(user, address(server, "/guarded.ttl"))
    dialog = user.dialog(LoginDialog)
    user.type("ada", dialog.user)
    user.type("secret", dialog.password)
    dialog.remember.click()
    user.click(dialog.open_button)
    user.until(window.banner.isVisible)
    assert "keyring" in window.banner.title
    user.rest()
    assert window.browser.isVisible()


def test_the_command_is_in_the_menu_and_on_the_start_page(window: MainWindow, user: User) -> None:
    action = window.commands.by_id["file.open_address"]
    assert isinstance(action, QAction)
    user.click(user.button("Open address…", window.start_page))
    dialog = user.dialog(AddressDialog)
    assert not dialog.open_button.isEnabled()
    user.type("example.org/x", dialog.line)
    assert dialog.address == "https://example.org/x"
    user.close(dialog)
