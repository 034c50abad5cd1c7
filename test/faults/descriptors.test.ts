// A start with too few file descriptors says so, at whatever module they run out.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";

test.skipIf(process.platform === "win32").each([25, 40, 90])("%i file descriptors", (limit) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-descriptors-"));
  try {
    const { stderr, status } = spawnSync(
      "sh",
      ["-c", `ulimit -n ${limit}; exec "$0" bin/parlance.js serve`, process.execPath],
      {
        env: { PATH: process.env["PATH"], PARLANCE_DATA_DIR: folder, PARLANCE_PORT: "0", PARLANCE_LOG_LEVEL: "silent" },
        encoding: "utf8",
        timeout: 60_000,
      },
    );
    expect(stderr).toMatch(/file descriptors.*ulimit -n/);
    expect(stderr).not.toMatch(/Cannot find package|parlance: .*\n\s+at /);
    expect(status).toBe(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
