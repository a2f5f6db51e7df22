#!/bin/sh
# What the tests use beside Python: Chromium, which the browser tests drive, and strace, which injects faults into git's
# and memsite's calls. Install what is missing and can be installed; say loudly what is not there.
set -u

has_chromium() {
    for name in chromium chromium-browser google-chrome; do
        command -v "$name" >/dev/null 2>&1 && return 0
    done
    return 1
}
has_strace() { command -v strace >/dev/null 2>&1; }

install() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 || return 1
    echo "installing for the tests: $* …"
    DEBIAN_FRONTEND=noninteractive apt-get update -qq >/dev/null 2>&1
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1
}

has_chromium || install chromium fonts-noto-cjk
has_strace || install strace
has_chromium || echo "!! NO CHROMIUM: THE BROWSER TESTS WILL BE SKIPPED. Install it: apt-get install chromium" >&2
has_strace || echo "!! NO strace: THE INJECTED FAULTS WILL BE SKIPPED. Install it: apt-get install strace" >&2
exit 0
