#!/usr/bin/env bash
# fetch-mysql.sh <folder>
# Unpacks Debian's newest MySQL server, and the libraries that it starts with, into the folder, unless it is there. Its program is `mysqld` there.
# apt checks the signature of the list and the hash of each package; nothing of the system changes.
set -euo pipefail

folder=$1
mkdir -p "$(dirname "$folder")"
exec 9> "$folder.lock"
flock 9
[[ ! -e $folder ]] || exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{state/lists,cache/archives}/partial "$work"/{parts,root}
# From where this system has its own packages.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | head -n 1)
echo "deb $mirror unstable main" > "$work/sources.list"
# Only scripts that nobody runs here are written in Perl.
printf 'Package: perl\nStatus: install ok installed\nArchitecture: %s\nMulti-Arch: allowed\nVersion: 99\n' \
  "$(dpkg --print-architecture)" > "$work/status"

options=(
  -qq
  -o "Dir::State=$work/state" -o "Dir::State::status=$work/status" -o "Dir::Cache=$work/cache"
  -o "Dir::Etc::sourcelist=$work/sources.list" -o "Dir::Etc::sourceparts=$work/parts" -o "Dir::Etc::preferencesparts=$work/parts"
  -o Dir::Etc::preferences=/dev/null -o APT::Sandbox::User= -o APT::Update::Post-Invoke= -o DPkg::Post-Invoke= -o Acquire::Languages=none
  -o Acquire::http::Timeout=10 -o Acquire::Retries=0 -o APT::Update::Error-Mode=any
)
apt-get "${options[@]}" update
apt-get "${options[@]}" install --download-only --yes --no-install-recommends mysql-server-core > /dev/null

for package in "$work"/cache/archives/*.deb; do
  dpkg-deb --fsys-tarfile "$package" |
    tar --extract --directory "$work/root" --no-same-owner --exclude='./usr/share/doc*' --exclude='./usr/share/man*' --exclude='./usr/share/locale'
done
cat > "$work/root/mysqld" << 'PROGRAM'
#!/bin/sh
# The server with its own C library and not the system's.
here=$(dirname "$(realpath "$0")")
exec "$here"/usr/lib*/ld-linux-*.so.* --library-path "$(echo "$here"/usr/lib/*-linux-gnu)" "$here/usr/sbin/mysqld" "$@" --basedir="$here/usr"
PROGRAM
chmod -R go+rX "$work/root"
chmod +x "$work/root/mysqld"
rm -rf "$folder.new"
mv "$work/root" "$folder.new"
mv "$folder.new" "$folder"
