#!/usr/bin/env bash
# sysroot.sh FOLDER ARCHITECTURE PACKAGE...: unpacks Debian's packages for another architecture, with all that they depend on, in FOLDER. Needs no
# root. It asks the servers of this machine's sources.list, and leaves this machine's own list of packages as it is. If FOLDER already has
# the packages, it does nothing.
set -euo pipefail
folder=$1 architecture=$2
shift 2

wanted=$(printf '%s\n' "$architecture" "$@" | sort)
[[ ! -e $folder/.packages || $(<"$folder/.packages") != "$wanted" ]] || exit 0

rm -rf "$folder"
mkdir -p "$folder.apt/lists/partial" "$folder.apt/archives/partial" "$folder"
state=$(cd "$folder.apt" && pwd)
root=$(cd "$folder" && pwd)
: >"$state/status"
apt=(apt-get -q -o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture" -o APT::Install-Recommends=false
  -o "Dir::State=$state" -o "Dir::State::Lists=$state/lists" -o "Dir::State::status=$state/status" -o "Dir::Cache=$state"
  -o "APT::Sandbox::User=$(id -un)" -o Debug::NoLocking=1)
"${apt[@]}" update >"$state/log" 2>&1 || { cat "$state/log" >&2; exit 1; }
"${apt[@]}" install -y --download-only "$@" >"$state/log" 2>&1 || { cat "$state/log" >&2; exit 1; }

# Programs are of no use here, and documentation is of no use to a compiler.
for package in "$state"/archives/*.deb; do
  dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root" --exclude=./usr/share/doc --exclude=./usr/share/man --exclude=./usr/share/locale \
    --exclude=./usr/bin --exclude=./usr/sbin --exclude='./usr/lib/python*' --exclude=./usr/share/perl
done
# Links with absolute targets would lead into this machine's own folders.
find "$root" -type l -lname '/*' | while read -r link; do
  target=$root$(readlink "$link")
  [[ ! -e $target ]] || ln -sfn "$(realpath -s --relative-to="$(dirname "$link")" "$target")" "$link"
done
rm -rf "$state"
printf '%s\n' "$wanted" >"$folder/.packages"
