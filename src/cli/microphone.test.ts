// The recording program is a script: machines of tests have no microphone.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findMicrophone } from "./microphone.ts";
import { UsageError } from "./usage-error.ts";

const { PATH } = process.env;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-microphone-"));
});
afterAll(() => {
  process.env["PATH"] = PATH;
  rmSync(folder, { recursive: true, force: true });
});

function recorder(script: string) {
  const file = path.join(folder, "arecord");
  writeFileSync(file, `#!/bin/sh\n[ "$1" = --version ] && exit 0\n${script}\n`);
  chmodSync(file, 0o755);
  process.env["PATH"] = folder;
}

test.skipIf(process.platform === "win32")(
  "a recording that fails has a reason, one that ends or is stopped has none",
  async () => {
    recorder("printf samples; exit 1");
    const failed = findMicrophone("none")();
    expect((await buffer(failed.audio)).toString()).toBe("samples");
    expect(await failed.ended).toBe("arecord ended with status 1");

    recorder("printf samples");
    const whole = findMicrophone(undefined)();
    expect((await buffer(whole.audio)).toString()).toBe("samples");
    expect(await whole.ended).toBeUndefined();

    recorder('trap "exit 1" TERM\nprintf samples\nwhile :; do :; done');
    const stopped = findMicrophone(undefined)();
    await new Promise((resolve) => stopped.audio.once("data", resolve));
    stopped.stop();
    expect(await stopped.ended).toBeUndefined();
  },
);

test("without a recording program, nothing begins", () => {
  process.env["PATH"] = path.join(folder, "empty");
  expect(() => findMicrophone(undefined)).toThrow(UsageError);
});
