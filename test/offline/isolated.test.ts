// The recorder of network attempts itself: it reports look-ups and connections, by whichever process, and nothing else.
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";

const run = (...command: string[]) => spawnSync("bash", ["test/offline/isolated.sh", ...command], { encoding: "utf8" });
const canIsolate =
  spawnSync("unshare", ["--net", "--mount", "ip", "link", "set", "lo", "up"]).status === 0 &&
  spawnSync("tcpdump", ["--version"]).status === 0;

const node = (program: string) => [process.execPath, "--input-type=module", "-e", program];

describe.skipIf(!canIsolate)("isolated.sh (skipped where root, iproute2 or tcpdump is missing)", () => {
  test("passes the status of a command that stays on the machine", () => {
    const program = `import net from "node:net";
      const server = net.createServer((socket) => socket.end()).listen(0, "localhost", () => {
        net.connect(server.address().port, "localhost").resume().on("close", () => process.exit(3));
      });`;
    const { status, stderr } = run(...node(program));
    expect(stderr).toBe("");
    expect(status).toBe(3);
  });

  test.each([
    [
      "a look-up",
      `import dns from "node:dns"; dns.lookup("somewhere.example", () => {});`,
      /^look-up A\? somewhere\.example\.$/m,
    ],
    [
      "a look-up by c-ares",
      `import dns from "node:dns"; dns.resolve4("somewhere.example", () => {});`,
      /^look-up A\? somewhere\.example\.$/m,
    ],
    [
      "a connection",
      `import net from "node:net"; net.connect(443, "203.0.113.7").on("error", () => {});`,
      /^203\.0\.113\.7\.443 TCP$/m,
    ],
    [
      "a connection by IPv6",
      `import net from "node:net"; net.connect(443, "2001:db8::7").on("error", () => {});`,
      /^2001:db8::7\.443 TCP$/m,
    ],
    [
      "a datagram",
      `import d from "node:dgram"; const s = d.createSocket("udp4"); s.send("x", 9999, "203.0.113.7", () => s.close());`,
      /^203\.0\.113\.7\.9999 UDP$/m,
    ],
  ])("reports %s", (_name, program, expected) => {
    const { status, stderr } = run(...node(program));
    expect(status).toBe(1);
    expect(stderr).toMatch(expected);
  });
});
