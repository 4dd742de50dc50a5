#!/bin/sh
# Sets everything up and does the main job: the window on the given source, or, where no window can be shown, the tour.
set -eu
cd "$(dirname "$0")/.."

if sh packaging/bootstrap.sh run; then
    reason=$(.venv/bin/python -c '
from hpc_explorer.errors import UsageError
from hpc_explorer.ui.window.screen import require_screen

try:
    require_screen()
except UsageError as error:
    print(f"{error.what} ({error.where})")
')
    if [ -z "$reason" ]; then
        exec .venv/bin/python -m hpc_explorer "$1"
    fi
elif [ $? = 3 ]; then
    reason="Qt cannot be loaded without the libraries named above"
else
    exit 1
fi
if [ "$1" != sample:xplacer ]; then
    echo "No window here: $reason. Here is what $1 holds; other commands tell more: .venv/bin/hpc-explorer --help" >&2
    exec .venv/bin/python -m hpc_explorer info "$1"
fi
echo "No window here: $reason. Here is the tour, in text and pictures, in tour/." >&2
exec .venv/bin/python -m hpc_explorer tour -o tour
