// The console sends a large file over a network that breaks, and over a reload of the page: the service stores each byte once.
import { createHash } from "node:crypto";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, launch } from "../../test/fixtures/browser.ts";
import { startCuttingProxy } from "../../test/fixtures/cutting-proxy.ts";
import { randomOf } from "../../test/fixtures/random.ts";
import { wav } from "../../test/fixtures/recordings.ts";
import { decodeSpeech } from "../../test/fixtures/speech.ts";
import { call, finished, type RunningService, ready, startService, TEST_KEY } from "../../test/service.ts";

const MEGABYTE = 1_000_000;
/** Of a busy machine. */
const PATIENCE_MILLISECONDS = 90_000;

describe.skipIf(!CHROMIUM)("a large file in the console (skipped where there is no Chromium)", () => {
  let service: RunningService;
  let browser: Browser;
  let bytes: Buffer;

  beforeAll(async () => {
    const random = randomOf(9);
    const samples = Float32Array.from({ length: 15 * MEGABYTE }, () => (random() - 0.5) / 5_000);
    samples.set(await decodeSpeech());
    bytes = wav([samples]);
    service = await startService();
    await ready(service);
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.remove();
  });

  test("is sent once, over a cut and a reload, and transcribed", async () => {
    let held: () => void = () => undefined;
    const isHeld = new Promise<void>((resolve) => {
      held = resolve;
    });
    const proxy = await startCuttingProxy(Number(new URL(service.base).port), [
      { at: 8 * MEGABYTE, how: "reset" },
      { at: 22 * MEGABYTE, how: "hold", onBreak: () => held() },
    ]);
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
    context.setDefaultTimeout(PATIENCE_MILLISECONDS);
    try {
      const page = await context.newPage();
      await page.goto(`${proxy.base}/`);
      await page.getByLabel("Key").fill(TEST_KEY);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByLabel("Key").waitFor({ state: "detached" });
      const file = { name: "long.wav", mimeType: "audio/wav", buffer: bytes };
      await page.setInputFiles('input[name="files"]', file);
      await isHeld;
      await page.reload();
      const jobs = async () => (await call(service, "GET", "/v2/pre-recorded")).json.items;
      await expect.poll(async () => (await jobs()).length, { timeout: PATIENCE_MILLISECONDS }).toBe(1);
      const [{ id }] = await jobs();
      const job = await finished(service, id);
      expect(job.result.transcription.full_transcript).toMatch(/hello from the/i);
      const response = await fetch(`${service.base}/file/${job.file.id}`, { headers: { "x-service-key": TEST_KEY } });
      const hash = (content: Uint8Array) => createHash("sha256").update(content).digest("hex");
      expect(hash(new Uint8Array(await response.arrayBuffer()))).toBe(hash(bytes));
      const { text } = await call(service, "GET", "/metrics");
      const metric = (name: string) => Number(new RegExp(`^${name} (\\d+)`, "m").exec(text)?.[1]);
      expect(metric("parlance_resumable_upload_bytes_total")).toBe(bytes.length);
      // Bytes that were under way at the cut and at the reload are sent again.
      expect(proxy.sent()).toBeLessThan(bytes.length * 1.7);
      // The task has ended: the browser keeps nothing of it.
      await page.getByText("Done").first().waitFor();
    } finally {
      await context.close();
      await proxy.stop();
    }
  });

  test("that is cancelled leaves nothing at the service", async () => {
    let held: () => void = () => undefined;
    const isHeld = new Promise<void>((resolve) => {
      held = resolve;
    });
    const proxy = await startCuttingProxy(Number(new URL(service.base).port), [
      { at: 12 * MEGABYTE, how: "hold", onBreak: () => held() },
    ]);
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
    context.setDefaultTimeout(PATIENCE_MILLISECONDS);
    try {
      const page = await context.newPage();
      await page.goto(`${proxy.base}/`);
      await page.getByLabel("Key").fill(TEST_KEY);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByLabel("Key").waitFor({ state: "detached" });
      await page.setInputFiles('input[name="files"]', { name: "long.wav", mimeType: "audio/wav", buffer: bytes });
      await isHeld;
      const deleted = async () =>
        Number(
          /^parlance_resumable_uploads_total\{outcome="deleted"\} (\d+)/m.exec(
            (await call(service, "GET", "/metrics")).text,
          )?.[1] ?? 0,
        );
      const before = await deleted();
      await page.locator(".task").getByRole("button").first().click();
      await expect.poll(deleted, { timeout: PATIENCE_MILLISECONDS }).toBe(before + 1);
    } finally {
      await context.close();
      await proxy.stop();
    }
  });
});
