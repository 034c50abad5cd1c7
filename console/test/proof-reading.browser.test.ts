// Proof-reading in a real browser: alternatives of unsure words, from the recogniser and the real recording.
import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TranscriptionResult } from "../../src/contract/transcript/transcript.ts";
import { CHROMIUM, launch, openConsole, overflowOf, pageAt, violationsOf } from "../../test/fixtures/browser.ts";
import { restartedWith } from "../../test/fixtures/changed-results.ts";
import { wav } from "../../test/fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../../test/fixtures/speech.ts";
import { call, finished, type RunningService, ready, startService, submit } from "../../test/service.ts";

const SHOTS = process.env["EDITOR_SHOTS_DIR"];

/** "Vercel", as the model writes it. */
const NAME = /ver[sc]/i;

/** The same transcript, in which only the name of the company is unsure. */
function withUnsureName(result: TranscriptionResult): TranscriptionResult {
  for (const { words } of result.transcription.utterances)
    for (const word of words) word.confidence = NAME.test(word.word) ? 0.3 : 0.95;
  return result;
}

describe.skipIf(!CHROMIUM)("proof-reading (skipped where there is no Chromium)", () => {
  let service: RunningService;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];
  /** Transcripts with three unsure words, one for each test that changes it. */
  let jobs: string[];

  beforeAll(async () => {
    const first = await startService();
    await ready(first);
    const sound = wav([repeated(await decodeSpeech(), 3, 2)]);
    jobs = [];
    for (let count = 0; count < 6; count++) jobs.push(await submit(first, sound));
    for (const id of jobs) await finished(first, id);
    service = await restartedWith(first, jobs, withUnsureName);
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.remove();
  });
  beforeEach(async () => {
    await context?.close();
    ({ context, page, complaints } = await openConsole(browser, service.base));
  });

  const open = async (id: string) => {
    await page.goto(`${service.base}/jobs/${id}`);
    await page.locator(".word").first().waitFor();
  };
  const next = async () => {
    const id = jobs.pop() as string;
    await open(id);
    return id;
  };
  const bar = () => page.getByRole("group", { name: "Alternatives of the unsure word" });
  const alternative = (number: number) => bar().getByRole("button", { name: new RegExp(`^${number} `) });
  /** The text of an alternative, without its number and probability. */
  const textOf = async (number: number) => (await alternative(number).locator("strong").innerText()).trim();
  const storedWords = async (id: string) =>
    (
      (await call(service, "GET", `/v2/transcription/${id}/transcript?format=json`)).json
        .transcription as TranscriptionResult["transcription"]
    ).utterances.flatMap(({ words }) => words);

  /** Whether the alternative, of one or several words, is in the stored text. */
  const isStored = async (id: string, chosen: string) =>
    ` ${(await storedWords(id)).map(({ word }) => word.trim()).join(" ")} `.includes(` ${chosen} `);

  test("a digit replaces the unsure word with an alternative, which gets its measured times; Enter accepts the next one", async () => {
    const id = await next();
    const before = await storedWords(id);
    const [doubted] = before.filter(({ word }) => NAME.test(word));
    await page.keyboard.press("n");
    await alternative(1).waitFor();
    const chosen = await textOf(1);
    expect(chosen.toLowerCase()).not.toBe(doubted?.word.trim().toLowerCase());
    await page.keyboard.press("1");
    await page.getByText("1 of 3 checked").waitFor();
    await expect.poll(() => isStored(id, chosen)).toBe(true);
    const stored = await storedWords(id);
    const first = stored.findIndex(({ start }) => start === doubted?.start);
    const replaced = stored.slice(first, first + chosen.split(" ").length);
    expect(replaced.map(({ word }) => word.trim()).join(" ")).toBe(chosen);
    expect(replaced.at(-1)?.end).toBe(doubted?.end);
    expect(replaced.every(({ confidence }) => confidence === 1)).toBe(true);
    // The next unsure word is shown with its own alternatives.
    await alternative(1).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("2 of 3 checked").waitFor();
    expect((await storedWords(id)).filter(({ word }) => NAME.test(word)).length).toBeGreaterThanOrEqual(2);
    expect(complaints).toEqual([]);
  });

  test("while text is typed, the word is selected: a digit chooses, other letters type over it", async () => {
    const id = await next();
    await page
      .locator(".word")
      .nth(1)
      .click({ position: { x: 1, y: 10 } });
    await page.keyboard.press("Alt+n");
    await alternative(1).waitFor();
    const chosen = await textOf(1);
    await page.keyboard.press("1");
    await page.getByText("1 of 3 checked").waitFor();
    await expect.poll(() => isStored(id, chosen)).toBe(true);
    await page.keyboard.type("Company");
    await page.getByText("2 of 3 checked").waitFor();
    await expect.poll(async () => (await storedWords(id)).some(({ word }) => word.trim() === "Company")).toBe(true);
    expect(complaints).toEqual([]);
  });

  test("typed text of the same paragraph is stored before the alternative, and both stay", async () => {
    const id = await next();
    await page
      .locator(".word")
      .nth(0)
      .click({ position: { x: 1, y: 10 } });
    await page.keyboard.type("Well, ");
    await page.keyboard.press("Alt+n");
    await alternative(1).waitFor();
    const chosen = await textOf(1);
    await page.keyboard.press("1");
    await expect.poll(async () => (await isStored(id, "Well,")) && (await isStored(id, chosen))).toBe(true);
    expect(complaints).toEqual([]);
  });

  test("without the audio, the bar says why there are no alternatives, and words can still be accepted", async () => {
    const id = await next();
    const { file } = (await call(service, "GET", `/v2/pre-recorded/${id}`)).json;
    expect((await call(service, "DELETE", `/file/${file.id}`)).status).toBeLessThan(300);
    await open(id);
    await page.keyboard.press("n");
    await bar()
      .getByText(/No alternatives: The audio of this job is gone/)
      .waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("1 of 3 checked").waitFor();
  });

  test("selected words are recognised again by another model; the difference is shown, and becomes a correction", async () => {
    const id = await next();
    const before = await storedWords(id);
    const selectFirst = async () => {
      await page.locator(".words").first().click({ clickCount: 3 });
      await page.getByRole("button", { name: "Recognise again…" }).click();
    };
    await selectFirst();
    const dialog = page.getByRole("dialog", { name: "Recognise again" });
    await dialog.getByLabel("Model").selectOption("moonshine-tiny-en");
    await dialog.getByRole("button", { name: "Recognise", exact: true }).click();
    await dialog.locator("ins").first().waitFor();
    const inserted = (await dialog.locator("ins").allInnerTexts()).join(" ").split(/\s+/);
    const removed = await dialog.locator("del").allInnerTexts();
    expect(removed.length).toBeGreaterThan(0);
    await dialog.getByRole("button", { name: "Use the new words" }).click();
    await dialog.waitFor({ state: "hidden" });
    await expect
      .poll(async () => (await storedWords(id)).map(({ word }) => word.trim()))
      .toEqual(expect.arrayContaining(inserted));
    // Words that both models give keep their times.
    const after = await storedWords(id);
    const same = before.filter(({ word, start }) => after.some((one) => one.word === word && one.start === start));
    expect(same.length).toBeGreaterThan(before.length / 2);
    // The recording has not changed since.
    await selectFirst();
    await dialog.getByLabel("Model").selectOption("moonshine-tiny-en");
    await dialog.getByRole("button", { name: "Recognise", exact: true }).click();
    await dialog.getByText("The words are the same.").waitFor();
    expect(complaints).toEqual([]);
  });

  test.each([
    [1440, "light"],
    [390, "dark"],
  ] as const)("at %i pixels, %s: nothing is cut off, and axe finds nothing", async (width, colorScheme) => {
    const shown = await pageAt(browser, context, width, colorScheme);
    await shown.goto(`${service.base}/jobs/${jobs[0]}`);
    await shown.locator(".word").first().waitFor();
    await shown.keyboard.press("n");
    await shown.locator(".alternatives strong").first().waitFor();
    if (SHOTS) {
      mkdirSync(SHOTS, { recursive: true });
      await shown.screenshot({ path: path.join(SHOTS, `alternatives-${width}-${colorScheme}.png`) });
    }
    expect(await violationsOf(shown)).toEqual([]);
    expect(await overflowOf(shown)).toBeLessThanOrEqual(0);
    await shown.locator(".words").first().click({ clickCount: 3 });
    await shown.getByRole("button", { name: "Recognise again…" }).click();
    const dialog = shown.getByRole("dialog", { name: "Recognise again" });
    await dialog.getByLabel("Model").selectOption("moonshine-tiny-en");
    await dialog.getByRole("button", { name: "Recognise", exact: true }).click();
    await dialog.locator("ins").first().waitFor();
    if (SHOTS) await shown.screenshot({ path: path.join(SHOTS, `again-${width}-${colorScheme}.png`) });
    expect(await violationsOf(shown)).toEqual([]);
    await shown.context().close();
  });
});
