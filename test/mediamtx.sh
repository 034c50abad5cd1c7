#!/usr/bin/env bash
# Builds MediaMTX, a server of RTSP and RTMP, to the folder of `go install`. Its module lacks two files that its build makes: the number of
# its version, and a player of HLS, which the tests do not use. `go install` therefore fails.
set -euo pipefail
version=v1.12.3
target="$(go env GOPATH)/bin/mediamtx"
[ ! -x "$target" ] || exit 0
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
cd "$folder"
go mod init download >/dev/null 2>&1
source=$(go mod download -json "github.com/bluenviron/mediamtx@$version" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
cp -r "$source" source
chmod -R u+w source
cd source
echo "$version" >internal/core/VERSION
touch internal/servers/hls/hls.min.js
CGO_ENABLED=0 go build -ldflags "-s -w" -o "$target" .
