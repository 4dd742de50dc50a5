#!/bin/sh
# Gets a server that tests run against: `server.sh NAME`, with the name virtuoso, redis, influxdb or rabbitmq. An installed
# one is used as it is; on Debian and its kin the package is unpacked into the folder .NAME/, with those packages that it
# needs and the system lacks. Nothing is installed in the system, no service is started, and root is not needed. Remove
# that folder to undo it.
# Exit code: 0 there is one; 3 no package mirror answers; 1 there is none for another reason.
set -eu
cd "$(dirname "$0")/.."

name=${1:-}
case $name in
virtuoso) package=virtuoso-opensource-7-bin program=virtuoso-t ask=-? answer=Usage ;;
redis) package=redis-server program=redis-server ask=--version answer='Redis server' ;;
influxdb) package=influxdb program=influxd ask=version answer=InfluxDB ;;
rabbitmq) package=rabbitmq-server program=rabbitmq-server ask= answer= ;;
*)
    echo "usage: server.sh virtuoso|redis|influxdb|rabbitmq" >&2
    exit 1
    ;;
esac
folder=$PWD/.$name
fresh=$folder.new

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "$name: $*"
    exit 1
}

# Where the unpacked libraries lie depends on the machine's kind.
starts() {
    if [ "$name" = rabbitmq ]; then
        "$1/usr/lib/erlang/bin/erl" -noshell -eval 'halt().' >/dev/null 2>&1 &&
            find "$1/usr/lib/rabbitmq/lib" -path '*/sbin/rabbitmq-server' | grep -q .
        return
    fi
    libraries=$(find "$1" -name '*.so.*' -exec dirname {} + | sort -u | tr '\n' ':')
    LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:-} "$1/usr/bin/$program" "$ask" 2>&1 | grep -q "$answer"
}

if command -v "$program" >/dev/null 2>&1 || { [ -d "$folder" ] && starts "$folder"; }; then
    exit 0
fi
command -v apt-get >/dev/null 2>&1 && command -v dpkg >/dev/null 2>&1 ||
    fail "no $program found and no apt-get to get it with: install $package and put $program on the PATH"

rm -rf "$folder" "$fresh"
mkdir -p "$fresh/apt/state/lists/partial" "$fresh/apt/cache/archives/partial"
trap 'rm -rf "$fresh"' EXIT

# apt with lists and archives of its own, beside the system's: what is installed it knows, what is there it learns anew.
apt() {
    apt-get -qq -o Dir::State="$fresh/apt/state" -o Dir::Cache="$fresh/apt/cache" \
        -o Dir::State::status=/var/lib/dpkg/status -o Debug::NoLocking=1 -o APT::Sandbox::User="$(id -un)" \
        -o Acquire::Retries=2 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 "$@"
}

say "Getting $package"
listed=yes
apt -o APT::Update::Error-Mode=any update || listed=no
if ! apt install --yes --download-only --no-install-recommends "$package"; then
    [ "$listed" = no ] || fail "the package $package cannot be got: the lines above say why"
    say "$name: no Debian mirror answers: see the lines above, or install the package $package"
    exit 3
fi
for archive in "$fresh"/apt/cache/archives/*.deb; do
    dpkg-deb --extract "$archive" "$fresh" || fail "$archive cannot be unpacked"
done
rm -rf "$fresh/apt"
# Erlang's start script names the folder that the package is meant for.
if [ "$name" = rabbitmq ]; then
    script=$(readlink -f "$fresh/usr/lib/erlang/bin/erl")
    sed -i 's|ROOTDIR=/usr/lib/erlang$|ROOTDIR=$(dirname "$(dirname "$(readlink -f "$0")")")|' "$script"
fi
starts "$fresh" || fail "the package's server does not start here: remove .$name, or install $package yourself"
mv "$fresh" "$folder"
