// The link to the captions of a live session, in a browser without a key, over a kill of the service.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, complaintsOf, launch, signIn, violationsOf } from "../../test/fixtures/browser.ts";
import { freePort } from "../../test/fixtures/free-port.ts";
import { wav } from "../../test/fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../../test/fixtures/speech.ts";
import { type RunningService, ready, startService } from "../../test/service.ts";

/** Folder for screenshots. */
const PICTURES = process.env["SCREENSHOTS_DIR"];

describe.skipIf(!CHROMIUM)("shared captions (skipped where there is no Chromium)", () => {
  let service: RunningService;
  let browser: Browser;
  let folder: string;
  let port: string;
  const start = (data?: string) =>
    startService({ ...(data === undefined ? {} : { folder: data }), environment: { PARLANCE_PORT: port } });

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-captions-"));
    const microphone = path.join(folder, "microphone.wav");
    writeFileSync(microphone, wav([repeated(await decodeSpeech(), 4, 2)], 16_000));
    port = String(await freePort());
    service = await start();
    await ready(service);
    browser = await launch(microphone);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  test("people with the link read along on a phone, also after the service was killed, until the session is over", async () => {
    const recording = await browser.newContext({ viewport: { width: 1280, height: 860 } });
    const page = await recording.newPage();
    await signIn(page, service.base);
    await page.goto(`${service.base}/live`);
    await page.getByRole("button", { name: "Microphone" }).click();
    await page.getByRole("button", { name: "Share captions" }).click();
    const link = await page.getByLabel(/Anyone with this link/).inputValue();
    if (PICTURES) await page.screenshot({ path: path.join(PICTURES, "share-captions.png") });

    const phone = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const viewer = await phone.newPage();
    const complaints = complaintsOf(viewer);
    await viewer.goto(link);
    await viewer.getByText(/hello/i).first().waitFor();
    expect(await viewer.getByText("Live", { exact: true }).isVisible()).toBe(true);
    expect(await viewer.getByRole("link").count()).toBe(0);
    expect(await violationsOf(viewer)).toEqual([]);
    expect(complaints).toEqual([]);
    if (PICTURES) await viewer.screenshot({ path: path.join(PICTURES, "shared-captions.png") });

    const finals = viewer.locator(".caption-words .final");
    await expect.poll(() => finals.count()).toBeGreaterThan(0);
    await service.kill();
    await viewer.getByText("Connection lost").waitFor();
    service = await start(service.folder);
    await ready(service);
    const before = await finals.count();
    await expect.poll(() => finals.count()).toBeGreaterThan(before);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("link", { name: "Its transcript and recording" }).waitFor();
    await viewer.getByText("The session is over.").waitFor();
    const textsOf = (texts: string[]) => texts.map((text) => text.trim());
    expect(textsOf(await finals.allTextContents())).toEqual(
      textsOf(await page.locator(".caption-words .final").allTextContents()),
    );
    await phone.close();
    await recording.close();
  });

  test("a link that is not complete says what to do", async () => {
    const page = await browser.newPage();
    await page.goto(`${service.base}/captions/4f2c1c39-9e2c-4a0c-8d43-2f7f5a3f6c11?token=none`);
    await page.getByText("Ask for a new link").waitFor();
    await page.close();
  });
});
