#!/bin/sh
# Runs the tests of capture's adapters against the real libraries, in an environment of their own (.venv-adapters, a few
# gigabytes), as they do not go with this project's locked versions. Remove that folder to undo it.
set -eu
cd "$(dirname "$0")/.."

python=.venv-adapters/bin/python
[ -x "$python" ] || .venv/bin/python -m venv .venv-adapters
"$python" -m pip install -q './packaging/capture[keras,lightning,mlflow,sklearn,torch,transformers]' \
    pytest pytest-timeout hypothesis
HPC_EXPLORER_TEST_ADAPTERS=required PYTHONPATH=src:. exec "$python" -m pytest --noconftest -p no:cacheprovider \
    tests/unit/capture/test_adapters.py "$@"
