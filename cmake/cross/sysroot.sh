#!/usr/bin/env bash
# sysroot.sh FOLDER ARCHITECTURE PACKAGE...: unpacks Debian's packages for another architecture, with all that they depend on, in FOLDER. Needs no
# root. It asks the servers of this machine's sources.list, and leaves this machine's own list of packages as it is. If FOLDER already has
# the packages, it does nothing. FOLDER/.dpkg is a database of dpkg in which the packages' files have their paths in FOLDER: there
# dpkg-shlibdeps finds what a program that is linked with them depends on.
set -euo pipefail
folder=$1 architecture=$2
shift 2

wanted=$(printf '%s\n' "$architecture" "$@" | sort -u)
[[ ! -e $folder/.packages || ! -e $folder/.dpkg || -n $(comm -13 "$folder/.packages" - <<<"$wanted") ]] || exit 0

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

database=$root/.dpkg
mkdir -p "$database/info" "$database/updates" "$database/triggers"
echo 1 >"$database/info/format"
printf '%s\n' "$(dpkg --print-architecture)" "$architecture" | uniq >"$database/arch"
for package in "$state"/archives/*.deb; do
  # Programs are of no use here, and documentation is of no use to a compiler.
  dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root" --exclude=./usr/share/doc --exclude=./usr/share/man --exclude=./usr/share/locale \
    --exclude=./usr/bin --exclude=./usr/sbin --exclude='./usr/lib/python*' --exclude=./usr/share/perl
  name=$(dpkg-deb --field "$package" Package)
  [[ $(dpkg-deb --field "$package" Multi-Arch) != same ]] || name+=:$architecture
  dpkg-deb --field "$package" | sed '1a Status: install ok installed' >>"$database/status"
  echo >>"$database/status"
  dpkg-deb --control "$package" "$state/control"
  for part in symbols shlibs; do
    [[ ! -e $state/control/$part ]] || cp "$state/control/$part" "$database/info/$name.$part"
  done
  rm -r "$state/control"
  dpkg-deb --fsys-tarfile "$package" | tar -t | sed -n "s|^\./\(.*[^/]\)\$|$root/\1|p" >"$database/info/$name.list"
done
# Links with absolute targets would lead into this machine's own folders.
find "$root" -type l -lname '/*' | while read -r link; do
  target=$root$(readlink "$link")
  [[ ! -e $target ]] || ln -sfn "$(realpath -s --relative-to="$(dirname "$link")" "$target")" "$link"
done
rm -rf "$state"
printf '%s\n' "$wanted" >"$folder/.packages"
