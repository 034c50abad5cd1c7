// The README's own command with an empty home directory, under strace: nothing leaves the machine, and nothing is written
// outside the data folder. Takes Linux and strace; skipped elsewhere.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { call, finished, ready, submit, TEST_KEY } from "../service.ts";
import { callsIn, canTrace, filesChanged, networkUses, outside, traced } from "./system-calls.ts";

const START_TIMEOUT_MILLISECONDS = 120_000;
const ADDONS = {
  diarization: true,
  subtitles: true,
  subtitles_config: { formats: ["srt", "vtt"] },
  summarization: true,
  chapterization: true,
  named_entity_recognition: true,
  sentiment_analysis: true,
  moderation: true,
};

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-offline-"));
const at = (name: string) => path.join(folder, name);
const folders = ["home", "tmp", "data", "trace", "cli-home", "cli-tmp"];
for (const name of folders) mkdirSync(at(name));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const everythingBelow = (name: string) => readdirSync(at(name), { recursive: true });

/** The service process among the descendants of npm. */
function serviceProcess(processId: number): number | undefined {
  for (const task of readdirSync(`/proc/${processId}/task`)) {
    for (const child of readFileSync(`/proc/${processId}/task/${task}/children`, "utf8").split(" ")) {
      if (child === "") continue;
      const command = readFileSync(`/proc/${child}/cmdline`, "utf8");
      if (/node\0[^\0]*parlance\.js\0serve/.test(command)) return Number(child);
      const found = serviceProcess(Number(child));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Starts the service as the README says, and returns its address. */
function start(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    const late = setTimeout(() => reject(new Error(`no start:\n${output}`)), START_TIMEOUT_MILLISECONDS);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const address = /Parlance serves on (\S+)/.exec(output)?.[1];
      if (address === undefined) return;
      clearTimeout(late);
      resolve(address);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", () => reject(new Error(`ended at start:\n${output}`)));
  });
}

async function useEverything(service: { base: string }): Promise<void> {
  await ready(service);
  const id = await submit(service, readFileSync(HELLO_MP3), ADDONS);
  const { status, result } = await finished(service, id);
  expect(status).toBe("done");
  expect(result.transcription.full_transcript).toMatch(/hello/i);
  for (const route of ["transcript?format=docx", "peaks", "file"]) {
    expect((await call(service, "GET", `/v2/transcription/${id}/${route}`)).status).toBeLessThan(500);
  }
  for (const page of ["/", "/docs/quick-start", "/docs/api", "/metrics", "/openapi.json"]) {
    expect((await call(service, "GET", page)).status).toBeLessThan(500);
  }
  const session = await createSession(service, {
    endpointing: 0.3,
    pre_processing: { audio_enhancer: true },
    realtime_processing: { named_entity_recognition: true, sentiment_analysis: true },
    post_processing: { summarization: true, chapterization: true },
  });
  const client = await LiveClient.connect(session.url);
  client.send(encodePcm([repeated(await decodeSpeech(), 2, 1)]));
  client.stop();
  await client.closed;
  expect(client.text()).toMatch(/hello/i);
  expect((await finished(service, session.id)).status).toBe("done");
}

describe.skipIf(!canTrace)("npm start under strace (skipped where strace is missing)", () => {
  let calls: string[];
  beforeAll(async () => {
    const [program = "", ...rest] = traced(at("trace/service"), "npm", "start");
    const child = spawn(program, rest, {
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: at("home"),
        TMPDIR: at("tmp"),
        PARLANCE_PORT: "0",
        PARLANCE_DATA_DIR: at("data"),
        PARLANCE_API_KEY: TEST_KEY,
        // Requests would fetch the models that they need, as documented.
        PARLANCE_FETCH_MODELS: "false",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    try {
      await useEverything({ base: await start(child) });
    } finally {
      process.kill(serviceProcess(child.pid as number) ?? (child.pid as number), "SIGTERM");
      await ended;
    }
    calls = callsIn(at("trace/service"));
  });

  test("connects to the loopback interface only, and looks up no name", () => {
    // The record is whole: the requests of this test are in it.
    expect(calls.some((one) => /^bind\([\s\S]*127\.0\.0\.1/.test(one))).toBe(true);
    expect(networkUses(calls)).toEqual([]);
  });

  test("writes below the data folder only; npm makes its own empty folder, and its cache of compiled code", () => {
    // npm of Node 22 and newer; the service does not enable that cache.
    const cache = path.join(at("tmp"), "node-compile-cache");
    const changed = filesChanged(calls).filter((file) => !file.startsWith(cache));
    expect(changed).toContain(path.join(at("data"), "database"));
    // The service of a clone compiles itself when its source is newer.
    expect(outside(changed, at("data"), path.resolve("dist"))).toEqual([path.join(at("home"), ".npm")]);
    expect(everythingBelow("home")).toEqual([".npm"]);
    expect(readdirSync(at("tmp")).filter((name) => name !== path.basename(cache))).toEqual([]);
  });
});

describe.skipIf(!canTrace)("parlance transcribe under strace (skipped where strace is missing)", () => {
  const environment = { PATH: process.env["PATH"] ?? "", HOME: at("cli-home"), TMPDIR: at("cli-tmp") };
  const command = [process.execPath, path.resolve("bin/parlance.js"), "transcribe", HELLO_MP3];

  test("uses no network, and leaves nothing behind", () => {
    const [program = "", ...rest] = traced(at("trace/transcribe"), ...command);
    const printed = execFileSync(program, rest, { cwd: folder, env: environment, encoding: "utf8" });
    expect(printed).toMatch(/hello/i);
    const calls = callsIn(at("trace/transcribe"));
    expect(networkUses(calls)).toEqual([]);
    expect(outside(filesChanged(calls), at("cli-tmp"), path.resolve("dist"))).toEqual([]);
    expect([...everythingBelow("cli-home"), ...everythingBelow("cli-tmp")]).toEqual([]);
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s removes its temporary folder", async (signal) => {
    const [program = "", ...rest] = [...command, "-"].filter((part) => part !== HELLO_MP3);
    // Nothing comes through the pipe: it waits.
    const child = spawn(program, rest, { cwd: folder, env: environment, stdio: ["pipe", "ignore", "inherit"] });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await expect.poll(() => everythingBelow("cli-tmp").length, { timeout: 60_000 }).toBeGreaterThan(0);
    child.kill(signal);
    await ended;
    expect(everythingBelow("cli-tmp")).toEqual([]);
  });
});
