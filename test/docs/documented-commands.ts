// The commands and programs of the documentation, and a service that they run against.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newSecret, signatureHeaders } from "../../src/service/callbacks/sign.ts";
import { HELLO_MP3, wav } from "../fixtures/recordings.ts";
import { decodeSpeech } from "../fixtures/speech.ts";
import { call, finished, type RunningService, ready, startService, TEST_KEY, upload } from "../service.ts";

export const ROOT = path.resolve(".");
export const PAGES = [
  "README.md",
  ...readdirSync("docs")
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`),
];

export interface Block {
  page: string;
  language: string;
  info: string;
  text: string;
}

export const BLOCKS = PAGES.flatMap((page): Block[] => {
  const text = readFileSync(page, "utf8");
  return [...text.matchAll(/^```(\w*) ?([^\n]*)\n(.*?)^```/gms)].map(([, language = "", info = "", body = ""]) => ({
    page,
    language,
    info,
    text: body,
  }));
});

export let service: RunningService;
let folder: string;
let environment: Record<string, string>;

/** Starts the service before the tests of a file, and removes it after them. */
export function useService(): void {
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-docs-"));
    service = await startService({ environment: { PARLANCE_ANONYMOUS: "false" } });
    await ready(service);
    const uploaded = await upload(service, readFileSync(HELLO_MP3), "recording.mp3");
    const { audio_url } = uploaded.json;
    const { id } = (await call(service, "POST", "/v2/pre-recorded", { body: { audio_url } })).json;
    await finished(service, id);

    // npx finds this checkout; what it runs has the settings of the service.
    const tools = path.join(folder, "tools");
    mkdirSync(tools);
    const node = JSON.stringify(process.execPath);
    const entry = JSON.stringify(path.join(ROOT, "bin/parlance.js"));
    writeFileSync(
      path.join(tools, "npx"),
      `#!/bin/sh\n[ "$1 $2" = "--no-install parlance" ] || exit 64\nshift 2\nexec ${node} ${entry} "$@"\n`,
      {
        mode: 0o755,
      },
    );
    environment = {
      PATH: `${tools}:${process.env["PATH"]}`,
      HOME: folder,
      KEY: TEST_KEY,
      ID: id,
      AUDIO_URL: audio_url,
      DATA: service.folder,
      SERVICE: service.base,
      PARLANCE_PORT: new URL(service.base).port,
      PARLANCE_DATA_DIR: service.folder,
      // transcribe --speakers would fetch its model.
      PARLANCE_FETCH_MODELS: "false",
    };
  });
  afterAll(async () => {
    await service?.remove();
    rmSync(folder, { recursive: true, force: true });
  });
}

export async function layOut(page: string): Promise<string> {
  const place = mkdtempSync(path.join(folder, `${path.parse(page).name}-`));
  mkdirSync(path.join(place, "recordings"));
  for (const file of ["recording.mp3", "recordings/one.mp3"])
    writeFileSync(path.join(place, file), readFileSync(HELLO_MP3));
  writeFileSync(path.join(place, "recording.wav"), wav([await decodeSpeech()]));
  return place;
}

export function run(command: string, args: string[], cwd: string, more: { input?: string; environment?: object } = {}) {
  const child = spawn(command, args, {
    cwd,
    env: { ...environment, ...more.environment } as NodeJS.ProcessEnv,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output += chunk;
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(more.input ?? "");
  return new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once("close", (code) => resolve({ code, output })),
  );
}

/** Commands of these pages run by `npm run test:demanding`: together they start many processes. */
export const LONG_PAGES = new Set([
  "docs/command-line.md",
  "docs/operating.md",
  "docs/quick-start.md",
  "docs/troubleshooting.md",
]);

/** Languages of programs that are compiled first; `npm run test:demanding` runs them. */
export const SLOW_LANGUAGES = new Set(["go"]);

export const SHELL_BLOCKS = BLOCKS.filter(({ language }) => language === "sh");
const isRun = ({ info }: Block) => info !== "no-run";

export function testCommands(isOwn: (page: string) => boolean): void {
  describe("commands", () => {
    test.each([...new Set(SHELL_BLOCKS.filter(isRun).map(({ page }) => page))].filter(isOwn))(
      "of %s do what they say",
      async (page) => {
        const place = await layOut(page);
        for (const { text } of SHELL_BLOCKS.filter((block) => block.page === page && isRun(block))) {
          const script = text
            .replaceAll("http://localhost:8080", service.base)
            .replaceAll("curl ", "curl -sS --fail-with-body ");
          const { code, output } = await run("bash", ["-euo", "pipefail", "-c", script], place);
          expect(code, `${page}:\n${script}\n${output}`).toBe(0);
          expect(output).not.toMatch(/\n\s+at .*:\d+:\d+/);
        }
      },
      300_000,
    );
  });
}

/** The programs that check the signature of a callback: a right one is taken, a changed body is not. */
export function testSignatures(isOwn: (language: string) => boolean): void {
  describe("checking signatures", () => {
    const body = JSON.stringify({ event: "transcription.success", text: "Grüße, 今天" });
    const secret = newSecret();
    const headers = signatureHeaders("0190", new Date(), body, [secret, newSecret()]);
    const signed = {
      WEBHOOK_ID: headers["webhook-id"],
      WEBHOOK_TIMESTAMP: headers["webhook-timestamp"],
      WEBHOOK_SIGNATURE: headers["webhook-signature"],
      WEBHOOK_SECRET: secret,
    };
    const tools: Record<string, { file: string; command: string[] }> = {
      js: { file: "check.mjs", command: [process.execPath] },
      python: { file: "check.py", command: ["python3"] },
      go: { file: "check.go", command: ["go", "run"] },
    };
    const isThere = (command: string) => spawnSync(command, ["--version"]).error === undefined;

    test.each(
      BLOCKS.filter(({ info, language }) => info === "signature" && isOwn(language)).map(
        (block) => [block.language, block] as const,
      ),
    )(
      "in %s: a right one is taken, a changed body is not (skipped where the language is missing)",
      async (language, { text, page }) => {
        const { file, command } = tools[language] as { file: string; command: string[] };
        if (!isThere(command[0] as string)) return;
        const place = await layOut(page);
        writeFileSync(path.join(place, file), text);
        const [program = "", ...args] = [...command, file];
        const more = { ...signed, GOCACHE: path.join(place, "cache"), GOFLAGS: "-mod=mod" };
        const right = await run(program, args, place, { input: body, environment: more });
        expect(right.code, right.output).toBe(0);
        const changed = await run(program, args, place, { input: `${body} `, environment: more });
        expect(changed.code).toBe(1);
      },
    );
  });
}
