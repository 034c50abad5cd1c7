// Adding to a finished transcript in a real browser: a summary, its renewal after a correction, speakers, and a failure.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CHROMIUM, launch, openConsole, overflowOf, pageAt, violationsOf } from "../../test/fixtures/browser.ts";
import { ProviderServer } from "../../test/fixtures/language-model.ts";
import { endedAddOns, requestAddOns } from "../../test/fixtures/later-add-ons.ts";
import { wav } from "../../test/fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../../test/fixtures/speech.ts";
import { tinySpeakerModels } from "../../test/fixtures/tiny-speakers.ts";
import { call, finished, type RunningService, ready, startService, submit } from "../../test/service.ts";

const SHOTS = process.env["EDITOR_SHOTS_DIR"];

describe.skipIf(!CHROMIUM)("adding to a transcript (skipped where there is no Chromium)", () => {
  let folder: string;
  let provider: ProviderServer;
  let service: RunningService;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];
  let sound: Buffer;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-add-ons-"));
    provider = await ProviderServer.start();
    service = await startService({
      environment: {
        PARLANCE_MODELS_DIR: (await tinySpeakerModels(folder)).folder,
        PARLANCE_LLM_URL: `${provider.base}/v1`,
        PARLANCE_LLM_MODEL: "small",
      },
    });
    await ready(service);
    sound = wav([repeated(await decodeSpeech(), 2, 1)]);
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.remove();
    await provider?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    provider.answer = () => ({ content: "A first summary" });
    await context?.close();
    ({ context, page, complaints } = await openConsole(browser, service.base));
  });

  const made = async () => {
    const id = await submit(service, sound);
    await finished(service, id);
    return id;
  };
  const open = async (id: string) => {
    await page.goto(`${service.base}/jobs/${id}`);
    await page.locator(".word").first().waitFor();
  };
  const dialog = () => page.getByRole("dialog", { name: "Add to this transcript" });
  const add = async (...names: string[]) => {
    await page.getByRole("button", { name: "Add…" }).click();
    for (const name of names) await dialog().getByRole("checkbox", { name, exact: true }).first().check();
    await dialog().getByRole("button", { name: "Add", exact: true }).click();
  };

  test("a summary appears without a reload, is older after a correction, and is made again", async () => {
    const id = await made();
    await open(id);
    let answer: (reply: { content: string }) => void = () => undefined;
    provider.answer = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    await add("Summary");
    await page.getByRole("progressbar", { name: "What is being added" }).waitFor();
    provider.answer = () => ({ content: "A first summary" });
    await expect.poll(() => provider.asked.length).toBeGreaterThan(0);
    answer({ content: "A first summary" });
    await page.getByRole("tab", { name: "Summary" }).click();
    await page.getByRole("tabpanel").getByText("A first summary").waitFor();
    expect(await page.getByRole("button", { name: "Make it again" }).count()).toBe(0);

    provider.answer = () => ({ content: "A second summary" });
    await call(service, "PATCH", `/v2/transcription/${id}/transcript`, {
      body: { utterances: [{ index: 0, text: "Greetings." }] },
    });
    await page.getByRole("button", { name: "Make it again" }).click();
    await page.getByRole("tabpanel").getByText("A second summary").waitFor();
    await page.getByText("This was made before the last correction").waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });

  test("speakers appear in the text; corrected ones are replaced only if that is chosen", async () => {
    const id = await made();
    await open(id);
    await add("Speakers");
    await page
      .getByRole("button", { name: /Speaker 0/ })
      .first()
      .waitFor();
    await call(service, "PATCH", `/v2/transcription/${id}/transcript`, {
      body: { speakers: [{ speaker: 0, name: "Anna" }] },
    });
    await page.getByRole("button", { name: /Anna/ }).first().waitFor();
    await add("Speakers");
    await dialog().getByRole("alert").waitFor();
    await dialog().getByRole("checkbox", { name: "Replace the speakers that people have corrected" }).check();
    await dialog().getByRole("button", { name: "Add", exact: true }).click();
    await page
      .getByRole("button", { name: /Speaker 0/ })
      .first()
      .waitFor();
    // The refusal is in the log of the browser.
    expect(complaints.filter((one) => !/409/.test(one))).toEqual([]);
  });

  test("a failure has its reason and can be tried again", async () => {
    const id = await made();
    const body = { audio_to_llm: true, audio_to_llm_config: { prompts: ["Who speaks?"] } };
    provider.answer = () => ({ status: 400 });
    await requestAddOns(service, id, body);
    await endedAddOns(service, id);
    await open(id);
    await page.getByText(/^Not made: audio_to_llm/).waitFor();
    provider.answer = () => ({ content: "Nobody" });
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("tab", { name: "More" }).click();
    await page.getByRole("tabpanel").getByText("Nobody").waitFor();
    expect(await page.getByText(/^Not made/).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("the dialog fits a phone, without violations of accessibility", async () => {
    const id = await made();
    await requestAddOns(service, id, { summarization: true });
    await endedAddOns(service, id);
    await call(service, "PATCH", `/v2/transcription/${id}/transcript`, {
      body: { utterances: [{ index: 0, text: "Greetings." }] },
    });
    if (SHOTS) mkdirSync(SHOTS, { recursive: true });
    for (const width of [1440, 390]) {
      for (const scheme of ["light", "dark"] as const) {
        const shown = await pageAt(browser, context, width, scheme);
        await shown.goto(`${service.base}/jobs/${id}`);
        await shown.locator(".word").first().waitFor();
        if (SHOTS) await shown.screenshot({ path: path.join(SHOTS, `page-${width}-${scheme}.png`), fullPage: true });
        await shown.getByRole("button", { name: "Add…" }).click();
        const box = shown.getByRole("dialog", { name: "Add to this transcript" });
        await box.getByRole("checkbox", { name: "Summary", exact: true }).first().check();
        expect(await overflowOf(shown)).toBeLessThanOrEqual(0);
        expect(await violationsOf(shown)).toEqual([]);
        if (SHOTS) await shown.screenshot({ path: path.join(SHOTS, `dialog-${width}-${scheme}.png`) });
        await shown.context().close();
      }
    }
  });
});
