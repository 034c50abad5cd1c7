// The guide "Captions from a browser microphone": its two files as they stand there, in a real browser with a microphone that speaks.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, complaintsOf, launch } from "../fixtures/browser.ts";
import { freePort } from "../fixtures/free-port.ts";
import { wav } from "../fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../fixtures/speech.ts";
import { call, type RunningService, ready, startService, TEST_KEY } from "../service.ts";
import { BLOCKS } from "./documented-commands.ts";

const fileOf = (name: string) => {
  const found = BLOCKS.filter(({ page, info }) => page === "docs/guides.md" && info === name);
  expect(found).toHaveLength(1);
  return found[0]?.text ?? "";
};

describe.skipIf(!CHROMIUM)("captions from a browser microphone (skipped where there is no Chromium)", () => {
  let service: RunningService;
  let browser: Browser;
  let server: ChildProcess;
  let folder: string;
  let address: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-captions-"));
    for (const name of ["captions-server.mjs", "captions.html"]) writeFileSync(path.join(folder, name), fileOf(name));
    const microphone = path.join(folder, "microphone.wav");
    writeFileSync(microphone, wav([repeated(await decodeSpeech(), 4, 6)], 16_000));
    service = await startService();
    await ready(service);
    const port = await freePort();
    address = `http://localhost:${port}`;
    const environment = { SERVICE: service.base, KEY: TEST_KEY, CAPTIONS_PORT: String(port) };
    server = spawn(process.execPath, ["captions-server.mjs"], { cwd: folder, env: environment, stdio: "inherit" });
    const isListening = () =>
      fetch(address).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isListening())) await new Promise((resolve) => setTimeout(resolve, 50));
    browser = await launch(microphone);
  });
  afterAll(async () => {
    await browser?.close();
    server?.kill();
    await service?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  test("show what is spoken, without the key in the page, and end with a stored transcript", async () => {
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    const received: string[] = [];
    page.on("response", async (response) => received.push(await response.text().catch(() => "")));
    const sockets: string[] = [];
    page.on("websocket", (socket) => sockets.push(socket.url()));
    await page.goto(address);
    await page.getByRole("button", { name: "Start" }).click();
    await expect.poll(() => page.locator("p").textContent(), { timeout: 60_000 }).toMatch(/hello from the/i);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Start" }).waitFor();
    expect(complaints.filter((text) => !text.includes("favicon"))).toEqual([]);
    expect(received.join("\n") + sockets.join("\n")).not.toContain(TEST_KEY);
    const { items } = (await call(service, "GET", "/v2/live")).json;
    const session = (await call(service, "GET", `/v2/live/${items[0].id}`)).json;
    expect(session.status).toBe("done");
    expect(session.result.transcription.full_transcript).toMatch(/hello from the/i);
  });
});
