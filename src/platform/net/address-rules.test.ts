import { expect, test } from "vitest";
import { refusedAddress, refusedSource, refusedUrl } from "./address-rules.ts";

test.each([
  "127.0.0.1",
  "10.1.2.3",
  "172.16.0.1",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "0.0.0.0",
  "224.0.0.1",
  "255.255.255.255",
  "192.0.2.1",
  "::1",
  "::",
  "fc00::1",
  "fe80::1",
  "::ffff:10.0.0.1",
  "64:ff9b::a00:1",
  "2002:a00:1::",
  "ff02::1",
  "::127.0.0.1",
  "::ffff:0:7f00:1",
  "64:ff9b:1::1",
  "2001::1",
  "fec0::1",
  "0.1.2.3",
  "198.18.0.1",
  "192.0.0.1",
  "fe80::1%eth0",
  // Forms that contain an IPv4 address.
  "::7f00:1",
  "::a9fe:a9fe",
  "::8.8.8.8",
  "0:0:0:0:0:0:7f00:1",
  "0:0:0:0:0:ffff:7f00:1",
  "::ffff:169.254.169.254",
  "::ffff:0:10.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b::8.8.8.8",
  "2002:7f00:1::1",
  "2002:a9fe:a9fe::",
  "2001:0:7f00:1::1",
  "2001:10::1",
  "2001:20::1",
  // Metadata of clouds.
  "168.63.129.16",
  "::ffff:168.63.129.16",
  "::ffff:a83f:8110",
  "100.100.100.200",
  "192.0.0.192",
  "169.254.170.2",
  "fd00:ec2::254",
  "fd20:ce::254",
  // Assigned to no host of the Internet.
  "100::1",
  "1::1",
  "4000::1",
  "5f00::1",
  "3fff::1",
  "2001:db8::1",
  "192.88.99.1",
  "192.31.196.1",
  "192.52.193.1",
  "192.175.48.1",
  "240.0.0.1",
  "203.0.113.1",
  "198.51.100.1",
  "nonsense",
])("%s is refused", (address) => {
  expect(refusedAddress(address)).toBeDefined();
});

test.each([
  "93.184.216.34",
  "8.8.8.8",
  "2606:2800:220:1:248:1893:25c8:1946",
  "::ffff:8.8.8.8",
  "168.63.129.15",
  "2a00:1450::1",
  "2400:cb00::1",
  "2001:4860:4860::8888",
])("%s is allowed", (address) => {
  expect(refusedAddress(address)).toBeUndefined();
});

test("other spellings of a private address make no difference", () => {
  for (const host of [
    "2130706433",
    "0x7f.1",
    "017700000001",
    "127.1",
    "[::1]",
    "localhost",
    "a.localhost",
    "localhost.",
    "a.localhost.",
  ]) {
    expect(refusedUrl(`http://${host}/`, false)).toMatch(/public network; .*PARLANCE_ALLOW_PRIVATE_ADDRESSES=true/);
  }
  expect(refusedUrl("http://127.0.0.1/", true)).toBeUndefined();
});

test("only http and https, and no credentials", () => {
  for (const address of ["ftp://example.com/x", "file:///etc/passwd", "gopher://x", "//x", "x"]) {
    expect(refusedUrl(address, true)).toMatch(/http or https/);
  }
  expect(refusedUrl("https://user@example.com/", true)).toMatch(/user name/);
});

test.each(["/", "?", "#", "\\"])("an unencoded %s in a password is named", (sign) => {
  for (const address of [`https://me:pa${sign}ss@example.com/`, `http://a@b.c:pa${sign}s@s@example.com:8080/x`])
    expect(refusedUrl(address, true)).toMatch(/password with a sign that must be percent-encoded/);
});

test("a wrong address without a password is no matter of encoding", () => {
  for (const address of ["https://host:port/x", "https://host:port", "https://[::1/a@b", "x:y/z@a"])
    expect(refusedUrl(address, true)).toMatch(/http or https/);
  expect(refusedUrl("http://minio:9000/me@example.com/talk.mp3", true)).toBeUndefined();
});

test.each([
  ["srt://a.example?streamid=a", /with a port/],
  ["srt://a.example:0", /with a port/],
  ["srt://me:secret12345@a.example:9", /without a user name or password; .* streamid/],
  ["srt://a.example:9/live", /without a path/],
  ["srt://a.example:9?passphrase=short", /passphrase of 10 to 79 bytes/],
  ["srt://a.example:9?x=y", /options of SRT other than/],
  ["srt://a.example:9?streamid=#!::r=a,m=request&mode=listener", /other than caller/],
  ["srt://127.0.0.1:9", /public network/],
  ["srt://0x7f000001:9", /public network/],
  ["srt://localhost:9?streamid=a", /public network/],
])("%s is refused as a source", (address, reason) => {
  expect(refusedSource(address, false)).toMatch(reason);
});

test("addresses of SRT are sources, and of nothing else", () => {
  const address = "srt://a.example:8890/?streamid=read:talk&passphrase=0123456789";
  expect(refusedSource(address, false)).toBeUndefined();
  expect(refusedUrl(address, true)).toMatch(/http or https/);
});
