#!/bin/sh
# Sets everything up and does the main job: the window on the given source, or, where no window can be shown, the tour.
set -eu
cd "$(dirname "$0")/.."

qt=yes
sh packaging/bootstrap.sh run || {
    [ $? = 3 ] || exit 1
    qt=no
}

if [ "$qt" = no ]; then
    echo "No window without these libraries: here is the tour, in text and pictures, in tour/." >&2
elif .venv/bin/python packaging/has_screen.py; then
    exec .venv/bin/python -m hpc_explorer "$1"
else
    echo "No screen answers here (DISPLAY=${DISPLAY:-}): the tour, in text and pictures, in tour/." >&2
fi
exec .venv/bin/python -m hpc_explorer tour -o tour
