#!/bin/sh
# Writes packaging/locks/: for each environment every version and its hashes, for all platforms and Python 3.11 on.
# What is pinned stays as it is if pyproject.toml still allows it; UPGRADE=1 pins the newest versions.
#
#   run.txt   the program with its window
#   core.txt  the program without its window, and what its tests need
#   dev.txt   everything: the window, the tests, the gates
#   mutants.txt   core, and what measures the tests (make mutants)
set -eu
cd "$(dirname "$0")/.."

sh packaging/bootstrap.sh lock

# compile NAME OPTION...: one lock file; it agrees with the locks that are named as constraints.
compile() {
    name=$1
    shift
    .venv-lock/bin/uv pip compile pyproject.toml --quiet ${UPGRADE:+--upgrade} --universal --python-version 3.11 --generate-hashes \
        --custom-compile-command 'make lock' --output-file "packaging/locks/$name.txt" "$@"
}

compile dev --extra gui --extra brokers --group dev
compile run --extra gui --group build --constraint packaging/locks/dev.txt
compile core --extra brokers --group build --group test --constraint packaging/locks/dev.txt
compile mutants --extra brokers --group mutants --constraint packaging/locks/dev.txt
