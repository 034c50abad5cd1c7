// The image without Docker: its file is linted, and its steps are run as they stand, in a clean folder. What comes out serves a
// real recording from a folder that is only read.
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { validate } from "dockerfile-utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { SETTINGS } from "../../src/platform/config/settings.ts";
import { execute } from "../fixtures/execute.ts";
import { freePort } from "../fixtures/free-port.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { call, finished, ready, submit, TEST_KEY } from "../service.ts";

const ROOT = path.resolve(".");
const FILE = readFileSync("deploy/Dockerfile", "utf8");
/** npm fetches every package. */

interface Step {
  keyword: string;
  argument: string;
}

/** Steps of each stage, in order. */
function stagesOf(text: string): Step[][] {
  const stages: Step[][] = [];
  for (const line of text.split("\n")) {
    const [, keyword, argument] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (!keyword || argument === undefined) continue;
    if (keyword === "FROM") stages.push([]);
    stages.at(-1)?.push({ keyword, argument });
  }
  return stages;
}

function copy(argument: string, from: string, to: string): void {
  const parts = argument.split(" ").filter((part) => !part.startsWith("--"));
  const target = path.join(to, parts.at(-1) as string);
  for (const source of parts.slice(0, -1)) {
    const file = path.join(from, source.replace(/^\/parlance\//, ""));
    const isInto = parts.length > 2 || (parts.at(-1) as string).endsWith("/");
    const place = isInto ? path.join(target, path.basename(file)) : target;
    mkdirSync(path.dirname(place), { recursive: true });
    cpSync(file, place, { recursive: true });
  }
}

function* everything(folder: string): Generator<string> {
  for (const item of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, item.name);
    yield file;
    if (item.isDirectory()) yield* everything(file);
  }
}

const sizeOf = (folder: string) => [...everything(folder)].reduce((sum, file) => sum + lstatSync(file).size, 0);

describe("the image", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-image-"));
  const app = path.join(folder, "app");
  const port = { current: 0 };
  const service = { base: "", stop: async () => undefined as unknown };

  beforeAll(async () => {
    const [build = [], final = []] = stagesOf(FILE);
    const workshop = path.join(folder, "build");
    mkdirSync(workshop);
    mkdirSync(app);
    for (const { keyword, argument } of build) {
      if (keyword === "COPY") copy(argument, ROOT, workshop);
      if (keyword === "RUN") await execute("bash", ["-c", argument], workshop);
    }
    for (const { keyword, argument } of final) if (keyword === "COPY") copy(argument, workshop, app);
    rmSync(workshop, { recursive: true });
    for (const file of everything(app))
      if (!lstatSync(file).isSymbolicLink()) chmodSync(file, lstatSync(file).mode & ~0o222);

    port.current = await freePort();
    const data = path.join(folder, "data");
    // As the image's user: root may write everywhere.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) {
      mkdirSync(data);
      for (const place of [folder, data]) chmodSync(place, 0o777);
    }
    const child = spawn("sh", ["deploy/init.sh", "serve"], {
      cwd: app,
      ...(isRoot ? { uid: 65_534, gid: 65_534 } : {}),
      env: {
        PATH: process.env["PATH"] ?? "",
        NODE_ENV: "production",
        PARLANCE_PORT: String(port.current),
        PARLANCE_DATA_DIR: data,
        PARLANCE_API_KEY: TEST_KEY,
        HOME: data,
      },
      stdio: ["ignore", "ignore", "inherit"],
    });
    service.base = `http://127.0.0.1:${port.current}`;
    service.stop = () => {
      if (child.exitCode !== null) return Promise.resolve();
      child.kill("SIGTERM");
      return new Promise((resolve) => child.once("exit", resolve));
    };
    for (let tries = 0; tries < 300; tries++) {
      if (
        await fetch(`${service.base}/health`).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        break;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await ready(service);
  });
  afterAll(async () => {
    await service.stop();
    for (const file of everything(folder)) if (lstatSync(file).isDirectory()) chmodSync(file, 0o755);
    rmSync(folder, { recursive: true, force: true });
  });

  test("the linter finds no faults in the Dockerfile", () => {
    expect(validate(FILE).map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([]);
    expect(FILE).toMatch(/^USER node$/m);
    expect(FILE).toMatch(/^HEALTHCHECK /m);
  });

  test("nothing that only builds is in it, and its size is what the documentation says", () => {
    for (const needless of ["typescript", "vite", "vitest", "@biomejs/biome", "playwright-core"]) {
      expect(existsSync(path.join(app, "node_modules", needless)), needless).toBe(false);
    }
    const megabytes = sizeOf(path.join(app, "node_modules")) / 1e6;
    const told = Number(/here, (\d+) MB remain/.exec(readFileSync("docs/operating.md", "utf8"))?.[1]);
    expect(Math.abs(megabytes - told) / told, `${megabytes} MB`).toBeLessThan(0.1);
  });

  test("it serves the console and the documentation, and transcribes a real recording", async () => {
    expect((await fetch(`${service.base}/`)).headers.get("content-type")).toMatch(/text\/html/);
    expect((await fetch(`${service.base}/docs/quick-start`)).status).toBe(200);
    const job = await finished(service, await submit(service, readFileSync(HELLO_MP3), { diarization: true }));
    expect(job.result.transcription.full_transcript).toMatch(/hello from the/i);
    const document = await call(service, "GET", `/v2/transcription/${job.id}/transcript?format=docx`);
    expect(document.status).toBe(200);
  });

  test("the health check reports whether the service runs", () => {
    const check = (value: number) =>
      spawnSync(process.execPath, ["deploy/health.js"], { cwd: app, env: { PARLANCE_PORT: String(value) } }).status;
    expect(check(port.current)).toBe(0);
    expect(check(9)).toBe(1);
  });
});

describe.each(["deploy/compose.yaml", "deploy/compose.postgres.yaml", "deploy/compose.many.yaml"])("%s", (file) => {
  const { services, volumes } = parse(readFileSync(file, "utf8"), { merge: true });
  type Service = { volumes?: string[]; depends_on?: object; image: string };

  test("names files and volumes that are there; ours run without rights, with a root file system that is only read", () => {
    const all = Object.values<Service & { build?: { context: string; dockerfile: string } }>(services);
    const ours = all.filter(({ image }) => image === "parlance");
    expect(ours.length).toBeGreaterThan(0);
    for (const one of ours) {
      expect(existsSync(path.join("deploy", one.build?.context ?? "", one.build?.dockerfile ?? ""))).toBe(true);
      expect(one).toMatchObject({ read_only: true, cap_drop: ["ALL"], tmpfs: ["/tmp"] });
    }
    for (const { volumes: used = [], depends_on = {} } of all) {
      for (const mount of used) {
        const [name = ""] = mount.split(":");
        if (name.startsWith("./")) expect(existsSync(path.join("deploy", name))).toBe(true);
        else expect(Object.keys(volumes)).toContain(name);
      }
      for (const other of Object.keys(depends_on)) expect(Object.keys(services)).toContain(other);
    }
  });
});

test("every setting that the deployments name is one", () => {
  const known = Object.values(SETTINGS).map(({ variable }) => variable);
  const files = [...everything("deploy")].filter((file) => /\.(ya?ml|js|env)$|Dockerfile$/.test(file));
  const named = files.flatMap(
    (file) => readFileSync(file, "utf8").match(/\b(PARLANCE_[A-Z0-9_]+|DATABASE_URL)\b/g) ?? [],
  );
  expect(named.length).toBeGreaterThan(20);
  expect([...new Set(named)].filter((name) => !known.includes(name as never))).toEqual([]);
});
