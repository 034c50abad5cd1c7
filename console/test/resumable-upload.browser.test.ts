// The console sends a large file over a network that breaks, and over a reload of the page: the service stores each byte once.
import { createHash } from "node:crypto";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, launch, signIn } from "../../test/fixtures/browser.ts";
import { type Break, startCuttingProxy } from "../../test/fixtures/cutting-proxy.ts";
import { randomOf } from "../../test/fixtures/random.ts";
import { afterJunk, wav } from "../../test/fixtures/recordings.ts";
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
    const junk = Uint32Array.from({ length: (30 * MEGABYTE) / 4 }, () => random() * 2 ** 32);
    bytes = afterJunk(wav([await decodeSpeech()]), new Uint8Array(junk.buffer));
    service = await startService();
    await ready(service);
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.remove();
  });

  const metric = async (name: string) => {
    const { text } = await call(service, "GET", "/metrics");
    return Number(
      text
        .split("\n")
        .find((line) => line.startsWith(`${name} `))
        ?.split(" ")[1] ?? 0,
    );
  };
  /** A browser session whose connections to the service break. `isHeld` resolves when one of them is held. */
  const openBreaking = async (breaks: readonly Break[]) => {
    let held: () => void = () => undefined;
    const isHeld = new Promise<void>((resolve) => {
      held = resolve;
    });
    const all = breaks.map((one): Break => (one.how === "hold" ? { ...one, onBreak: () => held() } : one));
    const proxy = await startCuttingProxy(Number(new URL(service.base).port), all);
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
    context.setDefaultTimeout(PATIENCE_MILLISECONDS);
    return { proxy, context, isHeld };
  };

  test("is sent once, over a cut and a reload, and transcribed", async () => {
    const { proxy, context, isHeld } = await openBreaking([
      { at: 8 * MEGABYTE, how: "reset" },
      { at: 22 * MEGABYTE, how: "hold" },
    ]);
    try {
      const page = await context.newPage();
      await signIn(page, proxy.base);
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
      expect(await metric("parlance_resumable_upload_bytes_total")).toBe(bytes.length);
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
    const { proxy, context, isHeld } = await openBreaking([{ at: 12 * MEGABYTE, how: "hold" }]);
    try {
      const page = await context.newPage();
      await signIn(page, proxy.base);
      await page.setInputFiles('input[name="files"]', { name: "long.wav", mimeType: "audio/wav", buffer: bytes });
      await isHeld;
      const deleted = () => metric('parlance_resumable_uploads_total{outcome="deleted"}');
      const before = await deleted();
      await page.locator(".task").getByRole("button").first().click();
      await expect.poll(deleted, { timeout: PATIENCE_MILLISECONDS }).toBe(before + 1);
    } finally {
      await context.close();
      await proxy.stop();
    }
  });
});
