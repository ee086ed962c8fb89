#!/usr/bin/env bash
# ci-packages.sh [release]
# Installs the Debian packages whose programs the tests start, where they are missing and this user may install them:
# those of every commit, and for `release` also those of the suite before a release.
# The tests say by themselves what they lack, so that this does nothing on other systems.
set -euo pipefail

packages=(mariadb-server mariadb-client galera-4 redis-server postgresql postgresql-client pgbouncer haproxy chromium-headless-shell python3)
release=(
  binutils buildah curl debian-archive-keyring debootstrap dnsmasq-base etcd-server firefox-esr glewlwyd iproute2 nginx-light openssl
  patroni pgpool2 runc strace systemd prometheus varnish
)
# Others than Debian pack it as well, and theirs must not be replaced.
command -v kubectl > /dev/null || release+=(kubernetes-client)
[[ ${1:-} != release ]] || packages+=("${release[@]}")

command -v apt-get > /dev/null || exit 0
missing=()
for package in "${packages[@]}"; do
  [[ $(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2> /dev/null) == installed ]] || missing+=("$package")
done
((${#missing[@]} > 0)) || exit 0
if ((EUID != 0)); then
  echo "Not installed, and only root can: ${missing[*]}" >&2
  exit 0
fi

# The tests start servers of their own; the package would start one for the whole system.
policy=/usr/sbin/policy-rc.d
if [[ ! -e $policy ]]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' > "$policy"
  chmod +x "$policy"
fi

export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null
