// A link to a transcript: made and revoked in its dialog, and opened in a browser without a key.
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TranscriptionResult } from "../../src/contract/transcript/transcript.ts";
import {
  CHROMIUM,
  complaintsOf,
  launch,
  openConsole,
  overflowOf,
  pageAt,
  violationsOf,
} from "../../test/fixtures/browser.ts";
import { restartedWith } from "../../test/fixtures/changed-results.ts";
import { withSpeech } from "../../test/fixtures/placed-speech.ts";
import { silence, wav } from "../../test/fixtures/recordings.ts";
import { call, finished, type RunningService, ready, startService, submit } from "../../test/service.ts";

/** Folder for screenshots. */
const SHOTS = process.env["SHARED_SHOTS_DIR"];
const SECONDS = 180;
/** Of the last paragraph but one. */
const LATE_WORDS = "one34 other sentence goes on";

const answer = (results: unknown) => ({ success: true, is_empty: false, exec_time: 0, error: null, results });
const chapter = (start: number, headline: string) => ({
  start,
  end: start + 60,
  headline,
  summary: `${headline}, told.`,
});

function withResults(result: TranscriptionResult): TranscriptionResult {
  const spoken = withSpeech(result, SECONDS);
  const [first] = spoken.transcription.utterances;
  const translated = { ...first, language: "ar", text: "جملة أخرى مترجمة." };
  return {
    ...spoken,
    summarization: answer("Two people talk.\nThey agree."),
    chapterization: answer([chapter(0, "The beginning"), chapter(60, "The middle")]),
    translation: answer([{ ...spoken.transcription, languages: ["ar"], utterances: [translated] }]),
  };
}

describe.skipIf(!CHROMIUM)("a link to a transcript (skipped where there is no Chromium)", () => {
  let service: RunningService;
  let browser: Browser;
  let owner: BrowserContext;
  let page: Page;
  let complaints: string[];
  let id: string;

  beforeAll(async () => {
    const first = await startService();
    await ready(first);
    id = await submit(first, wav([silence(SECONDS)]));
    await finished(first, id);
    service = await restartedWith(first, [id], withResults);
    await ready(service);
    await call(service, "PATCH", `/v2/transcription/${id}`, { body: { name: "Interview" } });
    const change = { utterances: [{ index: 0, text: "Corrected words." }], speakers: [{ speaker: 0, name: "Anna" }] };
    await call(service, "PATCH", `/v2/transcription/${id}/transcript`, { body: change });
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.remove();
  });
  beforeEach(async () => {
    await owner?.close();
    ({ context: owner, page, complaints } = await openConsole(browser, service.base));
    await page.goto(`${service.base}/jobs/${id}`);
    await page.locator(".word").first().waitFor();
    await page.getByRole("button", { name: "Share…" }).click();
  });

  const dialog = () => page.getByRole("dialog", { name: "Share a link to this transcript" });
  const shoot = async (shown: Page, name: string) => {
    if (!SHOTS) return;
    mkdirSync(SHOTS, { recursive: true });
    await shown.screenshot({ path: path.join(SHOTS, `${name}.png`) });
  };

  /** Makes a link in the open dialog. */
  async function make(withAudio: boolean): Promise<string> {
    await dialog().getByLabel("Valid for").selectOption({ label: "30 days" });
    if (withAudio) await dialog().getByLabel("Readers may play and download the recording").check();
    await dialog().getByRole("button", { name: "Create a link" }).click();
    return dialog().getByLabel("The link", { exact: true }).inputValue();
  }

  /** Opens the link in a browser that has never signed in. */
  async function open(link: string) {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, acceptDownloads: true });
    context.setDefaultTimeout(60_000);
    const reader = await context.newPage();
    const readerComplaints = complaintsOf(reader);
    await reader.goto(link);
    return { context, reader, readerComplaints };
  }

  test("is made with an expiry and the recording, opened without a key, and revoked", async () => {
    const link = await make(true);
    expect(link).toMatch(/\/shared#[\w-]{43}$/);
    expect(await dialog().getByText("They may contain words that it removed").isVisible()).toBe(true);

    const { context, reader, readerComplaints } = await open(link);
    await reader.getByRole("heading", { name: "Interview" }).waitFor();
    expect(await reader.getByText(/^Corrected words\./).isVisible()).toBe(true);
    expect(await reader.getByText("Anna", { exact: true }).first().isVisible()).toBe(true);
    expect(await reader.getByText("Two people talk.").isVisible()).toBe(true);
    // The search of the browser finds what is far below.
    expect(await reader.getByText(LATE_WORDS).count()).toBe(1);
    // Nothing of the console can be opened from here.
    expect(await reader.getByRole("navigation").count()).toBe(0);
    expect(await reader.getByRole("link").allTextContents()).toEqual(["Download the recording"]);
    for (const summary of await reader.locator("summary").all()) {
      if ((await summary.textContent()) !== "Summary") await summary.click();
    }
    expect(await reader.getByText("The middle, told.").isVisible()).toBe(true);
    expect(await reader.getByText("جملة أخرى مترجمة.").isVisible()).toBe(true);
    expect([await overflowOf(reader), await violationsOf(reader)]).toEqual([0, []]);

    // A chapter plays from its time, and its paragraph is marked.
    await reader.getByRole("button", { name: "Play from 01:00" }).first().click();
    await expect.poll(() => reader.locator(".played .stamp").first().textContent()).toBe("01:00");
    expect(await reader.locator(".played .stamp").first().isVisible()).toBe(true);

    const downloading = reader.waitForEvent("download");
    await reader.getByLabel("Format").selectOption("srt");
    await reader.getByRole("button", { name: "Download" }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toBe("Interview.srt");
    expect(readFileSync(await file.path(), "utf8")).toMatch(/^1\n00:00:00,000 -->[\s\S]*Corrected words/);
    expect(readerComplaints).toEqual([]);

    await page.getByRole("button", { name: "Close" }).first().click();
    await page.getByRole("button", { name: "Share…" }).click();
    const item = dialog().getByRole("listitem").filter({ hasText: "last opened" });
    await item.waitFor();
    expect(await item.textContent()).toContain("with the recording");
    await shoot(page, "dialog");
    page.once("dialog", (question) => void question.accept());
    await item.getByRole("button", { name: "Revoke" }).click();
    await dialog().getByText("There are no links.").waitFor();
    await reader.reload();
    await reader.getByText("This link opens no transcript").waitFor();
    await shoot(reader, "revoked");
    expect(await reader.getByText("Corrected words").count()).toBe(0);
    await context.close();
    expect(complaints).toEqual([]);
  });

  test("without the recording has no player, and its times are not buttons", async () => {
    const { context, reader } = await open(await make(false));
    await reader.getByText(/^Corrected words\./).waitFor();
    expect(await reader.locator("audio").count()).toBe(0);
    expect(await reader.getByRole("link").count()).toBe(0);
    expect(await reader.getByRole("button", { name: /Play from/ }).count()).toBe(0);
    expect(await reader.getByText("01:00").count()).toBeGreaterThan(0);
    await context.close();
  });

  test("that is not complete says what to do", async () => {
    const { context, reader } = await open(`${service.base}/shared#none`);
    await reader.getByText("Ask for a new link").waitFor();
    await reader.goto(`${service.base}/shared`);
    await reader.getByText("Ask for a new link").waitFor();
    // Another link in the same window.
    await reader.goto(await make(false));
    await reader.getByText(/^Corrected words\./).waitFor();
    await context.close();
  });

  test.each(["light", "dark"] as const)("fits on a phone and a wide screen in %s colours", async (colours) => {
    const link = await make(true);
    for (const width of [390, 1440]) {
      const reader = await pageAt(browser, await browser.newContext(), width, colours);
      await reader.goto(link);
      await reader.getByText(/^Corrected words\./).waitFor();
      expect([await overflowOf(reader), await violationsOf(reader)]).toEqual([0, []]);
      await shoot(reader, `shared-${colours}-${width}`);
      await reader.getByLabel("Interface language").selectOption("ar");
      await reader.getByRole("heading", { name: "Interview" }).waitFor();
      await reader.locator("html[dir=rtl]").waitFor();
      expect([await overflowOf(reader), await violationsOf(reader)]).toEqual([0, []]);
      await shoot(reader, `shared-ar-${colours}-${width}`);
      await reader.context().close();
      const wide = await pageAt(browser, owner, width, colours);
      await wide.goto(`${service.base}/jobs/${id}`);
      await wide.getByRole("button", { name: "Share…" }).click();
      await wide.getByRole("dialog").getByRole("listitem").first().waitFor();
      await wide.getByRole("button", { name: "Create a link" }).click();
      await wide.getByLabel("The link", { exact: true }).waitFor();
      // In a page without the policy, which would refuse the styles of axe.
      expect(await wide.getByText("They may contain words that it removed").isVisible()).toBe(true);
      expect([await overflowOf(wide), await violationsOf(wide)]).toEqual([0, []]);
      await shoot(wide, `dialog-${colours}-${width}`);
      await wide.context().close();
    }
  });
});
