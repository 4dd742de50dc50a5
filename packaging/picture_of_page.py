"""The picture of the page that File → Share… writes, as a browser shows it."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from picture_studio import MODEL, SMALLEST, small
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage

from hpc_explorer.app.share.sharing import write_shared_page
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session

SIZE = (1360, 2600)
"""The window of the browser, in which the whole page fits down to the lineage."""

MARGIN = 8
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=2")
QUIET = ("--disable-background-networking", "--no-first-run")

# Writes down where the lineage is on the page.
_WHERE = """<script>
const place = document.getElementById("lineage").getBoundingClientRect();
const seen = document.createElement("pre");
seen.textContent = `lineage from ${Math.floor(place.top)} to ${Math.ceil(place.bottom)}`;
document.body.append(seen);
</script></body>"""


def take_page(folder: Path) -> None:
    """Take the picture of the lineage on the page of decisionTree.onnx; says so where there is no browser."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    path = folder / "share.png"
    if browser is None:
        print(f"{path}  stays as it is: chromium is missing (apt-get install chromium)")
        return
    session = Session.new()
    open_sources(session, ["sample:xplacer"])
    with tempfile.TemporaryDirectory() as made:
        page, measured, shot = (Path(made) / name for name in ("page.html", "measured.html", "page.png"))
        write_shared_page(session, MODEL, page)
        measured.write_text(page.read_text("utf-8").replace("</body>", _WHERE), "utf-8")
        size = f"--window-size={SIZE[0]},{SIZE[1]}"
        command = [browser, *OPTIONS, *QUIET, f"--user-data-dir={made}/profile", size]
        told = subprocess.run([*command, "--dump-dom", measured.as_uri()], check=True, capture_output=True, timeout=120)
        found = re.search(rb"lineage from (\d+) to (\d+)", told.stdout)
        assert found is not None
        subprocess.run([*command, f"--screenshot={shot}", page.as_uri()], check=True, capture_output=True, timeout=120)
        image = QImage(str(shot))
        scale = image.width() / SIZE[0]
        top, bottom = int(found[1]) - MARGIN, int(found[2]) + MARGIN
        image = image.copy(QRect(0, round(top * scale), image.width(), round((bottom - top) * scale)))
        if not small(image).save(str(path), quality=SMALLEST):
            raise OSError(f"cannot write {path}")
    session.close()
    print(f"{path}  {path.stat().st_size // 1024} kB")
