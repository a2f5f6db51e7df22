#!/bin/sh
# The browser tests drive Debian's Chromium. Install it when it is missing and that is possible; say so loudly when not.
set -u
for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null 2>&1 && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing Chromium for the browser tests …"
    export DEBIAN_FRONTEND=noninteractive
    if apt-get update -qq >/dev/null 2>&1 && apt-get install -y -qq --no-install-recommends chromium fonts-noto-cjk >/dev/null 2>&1; then
        exit 0
    fi
fi
echo "!! NO CHROMIUM: THE BROWSER TESTS WILL BE SKIPPED. Install it: apt-get install chromium" >&2
exit 0
