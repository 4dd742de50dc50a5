#!/bin/sh
# Sets up what a make target needs, and only what is missing: a Python, an environment with the locked packages, the
# program itself (as an editable installation), and the system libraries Qt loads.
#
#   sh packaging/bootstrap.sh run    .venv: the program with its window (a real screen's libraries too, if there is one)
#   sh packaging/bootstrap.sh dev    .venv: that, the tests and the gates
#   sh packaging/bootstrap.sh core   .venv, and .venv-core: the program and its tests without Qt, as links to packages in .venv
#   sh packaging/bootstrap.sh mutants   .venv-mutants: that, and what measures the tests
#   sh packaging/bootstrap.sh lock   .venv-lock: the tool that writes the locks
#
# On Debian and its kin as root, missing system packages are installed; elsewhere they are named, with the command to
# get them. PYTHON names the interpreter to use instead of the newest one found.
# Exit code: 0 done; 3 done, but Qt cannot be loaded here; 1 not done.
set -eu
cd "$(dirname "$0")/.."

# What would make Python or pip install elsewhere, or something else, than this script asks for. Where packages come
# from (index, proxy, certificates) stays the user's own setting.
unset PYTHONHOME PYTHONPATH PIP_TARGET PIP_PREFIX PIP_ROOT PIP_REQUIREMENT PIP_CONSTRAINT PIP_NO_DEPS PIP_NO_BINARY \
    PIP_REQUIRE_HASHES PIP_DRY_RUN
PIP_USER=0 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1
export PIP_USER PIP_DISABLE_PIP_VERSION_CHECK PIP_NO_INPUT

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "bootstrap: $*"
    exit 1
}

is_debian_root() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; }

apt_install() {
    say "Installing system packages: $*"
    apt-get -qq update || say "apt-get update failed; trying with the lists that are there"
    DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 install --yes --no-install-recommends "$@" >/dev/null
}

# A Python that runs (a version manager's shim may exist and fail), is new enough, and can make environments
# (Debian ships ensurepip apart).
is_usable() { "$1" -c 'import ensurepip, ssl, sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
    for candidate in ${PYTHON:+"$PYTHON"} python3.13 python3.12 python3.11 python3 /usr/bin/python3; do
        if is_usable "$candidate"; then
            printf '%s\n' "$candidate"
            return
        fi
        if [ "$candidate" = "${PYTHON:-}" ]; then
            fail "PYTHON=$PYTHON is not a Python 3.11 or newer with venv and ensurepip"
        fi
    done
    return 1
}

require_python() {
    python=$(find_python) && return
    [ -z "${PYTHON:-}" ] || exit 1
    if is_debian_root; then
        apt_install python3 python3-venv || fail "apt-get could not install python3 and python3-venv"
        python=$(find_python) && return
        fail "the system's Python is older than 3.11: install a newer one and name it with PYTHON="
    elif command -v apt-get >/dev/null 2>&1; then
        fail "no Python 3.11 or newer with venv found; get one with: sudo apt-get install python3 python3-venv"
    fi
    fail "no Python 3.11 or newer with venv found: install one, or name it with PYTHON="
}

# What an environment was made from; as long as that is the same, there is nothing to do.
fingerprint() {
    printf '%s\n' "$PWD"
    cat "$@" | cksum
}

is_current() { [ -x "$1/bin/python" ] && [ -f "$1/$2" ] && [ "$3" = "$(cat "$1/$2")" ]; }

# Nothing is built here but what comes as source only: a small package in pure Python that mlcroissant brings.
pip_install() {
    venv=$1
    shift
    "$venv/bin/python" -m pip install --quiet --no-compile --only-binary :all: --no-binary jsonpath-rw "$@" ||
        fail "pip could not install the packages: the lines above say why"
}

# Compiles the packages on all processors, which pip does on one. What cannot be compiled is not Python of this version
# (templates, tests of other versions) and is told by whoever imports it.
compile_packages() {
    "$1/bin/python" -m compileall -qq -j 0 -x '/tests?/' "$1/lib" || :
}

# make_environment VENV KIND: the packages of the lock KIND, and the program.
make_environment() {
    venv=$1 kind=$2 lock=packaging/locks/$2.txt
    packages=$(fingerprint "$lock")
    program=$(fingerprint pyproject.toml)
    if ! is_current "$venv" "stamp-$kind" "$packages"; then
        # The dev lock holds all of the run lock at the same versions; any other change starts afresh, so that an
        # environment never holds what no lock names.
        if [ "$kind" = run ] && is_current "$venv" stamp-dev "$(fingerprint packaging/locks/dev.txt)"; then
            :
        else
            if ! { [ "$kind" = dev ] && is_current "$venv" stamp-run "$(fingerprint packaging/locks/run.txt)"; }; then
                require_python
                say "Making $venv with $("$python" --version)"
                rm -rf "$venv"
                "$python" -m venv "$venv" || fail "$python could not make $venv"
            fi
            say "Installing the packages of $lock"
            pip_install "$venv" --require-hashes -r "$lock"
            compile_packages "$venv"
            printf '%s\n' "$packages" >"$venv/stamp-$kind"
        fi
    fi
    if ! is_current "$venv" stamp-program "$program"; then
        pip_install "$venv" --no-index --no-deps --no-build-isolation --editable .
        printf '%s\n' "$program" >"$venv/stamp-program"
    fi
}

# .venv-core: those packages of .venv that the core lock names, as links, and the program. Its stamp is in .venv, so that
# it is made anew with .venv.
make_core_environment() {
    make_environment .venv dev
    made_from=$(fingerprint packaging/locks/core.txt pyproject.toml packaging/make_core_environment.py)
    if ! { [ -x .venv-core/bin/python ] && is_current .venv stamp-core "$made_from"; }; then
        say "Making .venv-core of links to .venv"
        rm -f .venv/stamp-core
        .venv/bin/python -I packaging/make_core_environment.py .venv-core packaging/locks/core.txt ||
            fail "the environment without Qt could not be made: the lines above say why"
        printf '%s\n' "$made_from" >.venv/stamp-core
    fi
}

# require_qt offscreen|screen: Qt loads, or its libraries are installed, or they are named.
require_qt() {
    [ -f ".venv/stamp-qt-$1" ] && return
    if ! .venv/bin/python src/hpc_explorer/ui/window/qt_libraries.py check "$1"; then
        packages=$(.venv/bin/python src/hpc_explorer/ui/window/qt_libraries.py debian "$1")
        if [ -n "$packages" ] && is_debian_root; then
            # shellcheck disable=SC2086  # one word a package
            apt_install $packages || say "apt-get failed"
        fi
        if ! .venv/bin/python src/hpc_explorer/ui/window/qt_libraries.py check "$1"; then
            .venv/bin/python src/hpc_explorer/ui/window/qt_libraries.py explain "$1" >&2
            return 1
        fi
    fi
    : >".venv/stamp-qt-$1"
}

case "${1:-}" in
core) make_core_environment ;;
mutants) make_environment .venv-mutants mutants ;;
dev)
    make_environment .venv dev
    require_qt offscreen || exit 3
    ;;
run)
    make_environment .venv run
    if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
        require_qt screen || exit 3
    else
        require_qt offscreen || exit 3
    fi
    ;;
lock)
    if ! [ -x .venv-lock/bin/uv ]; then
        require_python
        "$python" -m venv .venv-lock
        pip_install .venv-lock uv
    fi
    ;;
*) fail "say what to set up: run, dev, core, mutants or lock" ;;
esac
