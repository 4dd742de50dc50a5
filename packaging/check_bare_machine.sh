#!/bin/sh
# Proves the two commands of the README on a machine with nothing installed: makes a minimal Debian in a folder, puts a
# fresh clone of HEAD there, installs `make` as the user would, and runs `make run` and `make test` as root.
#
#   packaging/check_bare_machine.sh [bookworm|trixie|…]
#
# Needs root, git, debootstrap and a network. Takes about two minutes.
set -eu
cd "$(dirname "$0")/.."

suite=${1:-bookworm}
machine=$(mktemp -d)

leave() {
    umount "$machine/dev" "$machine/proc" 2>/dev/null || true
    rm -rf --one-file-system "$machine"
}
trap leave EXIT

echo "Making a minimal Debian $suite"
debootstrap --variant=minbase "$suite" "$machine" >/dev/null
chmod 755 "$machine"
mount -t proc proc "$machine/proc"
mount --bind /dev "$machine/dev"
cp -L /etc/resolv.conf /etc/hosts "$machine/etc/"
git clone --quiet . "$machine/root/a clone"

# Where this machine reaches packages by a proxy or a mirror, the new one does too.
[ -z "${PIP_CERT:-}" ] || cp -L "$PIP_CERT" "$machine/etc/pip-cert.pem"

# in_machine COMMAND: runs it in the clone, with an environment of the machine's own.
in_machine() {
    chroot "$machine" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        ${PIP_CERT:+PIP_CERT=/etc/pip-cert.pem} ${PIP_INDEX_URL:+PIP_INDEX_URL="$PIP_INDEX_URL"} \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
        sh -c "cd '/root/a clone' && $1"
}

# timed COMMAND: runs it in the clone, and says how long it took.
timed() {
    start=$(date +%s)
    in_machine "$1"
    echo "== $1: $(($(date +%s) - start)) s"
}

in_machine "apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends make" \
    >/dev/null 2>&1
timed "make run"
timed "make test"
timed "make run"
