import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { childEnvironment } from "../config/load.ts";
import { onErrorOutput } from "./error-output.ts";
import { SupervisedProcess } from "./supervised-process.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-supervised-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a child that floods its standard error is answered as usual; its output is reported in a bounded number of pieces", async () => {
  const file = path.join(folder, "child.mjs");
  const module = pathToFileURL(path.resolve("dist/process/child.js")).href;
  writeFileSync(
    file,
    `import { writeSync } from "node:fs";
    import { serveParent } from ${JSON.stringify(module)};
    serveParent(async (request) => {
      // As native libraries print: the call returns when all is written.
      for (let left = 5e6; left > 0; ) left -= writeSync(2, "x".repeat(50_000));
      return request;
    });`,
  );
  const pieces: string[] = [];
  onErrorOutput(({ name }, text) => pieces.push(`${name} ${text}`));
  const child = new SupervisedProcess<string, string>({
    name: "flood",
    file,
    readyTimeoutMilliseconds: 30_000,
    environment: childEnvironment(folder),
  });
  try {
    expect(await child.call("question", { timeoutMilliseconds: 30_000 })).toBe("question");
  } finally {
    await child.stop();
  }
  expect(pieces.length).toBeGreaterThan(0);
  expect(pieces.join("").length).toBeLessThan(100_000);
  expect(pieces.every((piece) => piece.startsWith("flood x"))).toBe(true);
});
