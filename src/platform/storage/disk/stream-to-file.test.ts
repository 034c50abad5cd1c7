import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { PassThrough, Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { streamToFile } from "./stream-to-file.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-stream-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a stream is written to a file, through another one", async () => {
  const file = path.join(folder, "whole");
  await streamToFile(file, Readable.from(["one ", "two"]), new PassThrough());
  expect(readFileSync(file, "utf8")).toBe("one two");
});

test("a file is not created after the failure of its stream, whenever the stream fails", async () => {
  for (let time = 0; time < 60; time++) {
    const file = path.join(folder, `part-${time}`);
    const content = new PassThrough();
    const written = streamToFile(file, content);
    content.write("the beginning");
    const fail = () => content.destroy(new Error("the client has gone"));
    if (time % 3 === 0) fail();
    else if (time % 3 === 1) setImmediate(fail);
    else setTimeout(fail, 1);
    await expect(written).rejects.toThrow("the client has gone");
    rmSync(file, { force: true });
    await sleep(5);
    expect(existsSync(file), `time ${time}`).toBe(false);
  }
});

test("a file that cannot be created is an error", async () => {
  const file = path.join(folder, "missing", "file");
  await expect(streamToFile(file, Readable.from(["content"]))).rejects.toMatchObject({ code: "ENOENT" });
});
