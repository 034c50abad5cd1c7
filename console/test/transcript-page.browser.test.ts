// The transcript page around its text: exports, another run, undo after a reload, the player, following, printing, in a real browser.
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TranscriptionResult } from "../../src/contract/transcript/transcript.ts";
import {
  CHROMIUM,
  launch,
  openConsole,
  openFold,
  overflowOf,
  pageAt,
  violationsOf,
} from "../../test/fixtures/browser.ts";
import { restartedWith } from "../../test/fixtures/changed-results.ts";
import { withSpeech } from "../../test/fixtures/placed-speech.ts";
import { silence, wav } from "../../test/fixtures/recordings.ts";
import { call, finished, type RunningService, ready, startService, submit } from "../../test/service.ts";

const SHOTS = process.env["TRANSCRIPT_SHOTS_DIR"];
/** Long enough to scroll. */
const SECONDS = 180;
const SENTENCE = "one0 other sentence goes on one other sentence goes on one other sentence";

const withSummary = (result: TranscriptionResult) => ({
  ...withSpeech(result, SECONDS),
  summarization: { success: true, is_empty: false, exec_time: 0, error: null, results: "Two people talk." },
});

describe.skipIf(!CHROMIUM)("the transcript page (skipped where there is no Chromium)", () => {
  let service: RunningService;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];
  /** One for each test that changes it. */
  let fresh: string[];
  /** No test changes it. */
  let kept: string;

  beforeAll(async () => {
    const first = await startService();
    await ready(first);
    const sound = wav([silence(SECONDS)]);
    fresh = [];
    const params = { sentences: true, audio_range: { start: 0, end: 20 } };
    for (let count = 0; count < 7; count++) fresh.push(await submit(first, sound, params));
    kept = await submit(first, sound);
    for (const id of [...fresh, kept]) await finished(first, id);
    service = await restartedWith(first, [...fresh, kept], withSummary);
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

  const open = async (id: string, query = "") => {
    await page.goto(`${service.base}/jobs/${id}${query}`);
    await page.locator(".word, .cue").first().waitFor();
  };
  const next = async () => {
    const id = fresh.pop() as string;
    await open(id);
    return id;
  };
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });
  const paragraph = (at: number) => page.locator(`.utterance[data-at='${at}'] .words`);
  const word = (at: number, position: number) => paragraph(at).locator(".word").nth(position);
  const caretBefore = (at: number, position: number) => word(at, position).click({ position: { x: 1, y: 10 } });
  const exported = async (id: string, query: string) =>
    (await call(service, "GET", `/v2/transcription/${id}/transcript?${query}`)).text;
  const seconds = async () => {
    const [minutes, rest] = ((await page.locator(".player output").textContent()) ?? "").split(":").map(Number);
    return (minutes ?? Number.NaN) * 60 + (rest ?? Number.NaN);
  };

  test("one dialog exports: its choices change the preview, the copy and the file, and are remembered", async () => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await open(kept);
    await button("Export…").click();
    const dialog = page.getByRole("dialog", { name: "Export" });
    const preview = dialog.getByRole("region", { name: "Preview" });
    await expect.poll(() => preview.textContent()).toMatch(/^Speaker 0: one0 other/);
    // A longer file is shown in part.
    await dialog.getByLabel("Format").selectOption("json");
    await dialog.getByText("The file continues.").waitFor();
    expect((await preview.textContent())?.length).toBeLessThanOrEqual(4_000);
    await dialog.getByLabel("Format").selectOption("txt");
    await expect.poll(() => preview.textContent()).toMatch(/^Speaker 0: one0 other/);
    await dialog.getByLabel("Times", { exact: true }).check();
    await expect.poll(() => preview.textContent()).toMatch(/^\[00:00\] Speaker 0: one0/);
    await dialog.getByLabel("Names of speakers").uncheck();
    await expect.poll(() => preview.textContent()).toMatch(/^\[00:00\] one0/);
    await dialog.getByRole("button", { name: "Copy" }).click();
    const query = "format=txt&times=true&speakers=false";
    const expected = await exported(kept, query);
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(expected);
    const downloaded = async () => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        dialog.getByRole("link", { name: "Download", exact: true }).click(),
      ]);
      return readFileSync(await download.path(), "utf8");
    };
    expect(await downloaded()).toBe(expected);
    // Subtitles have other choices.
    await dialog.getByLabel("Format").selectOption("srt");
    expect(await dialog.getByLabel("Times", { exact: true }).count()).toBe(0);
    await dialog.getByLabel("Characters in a row").fill("20");
    await dialog.getByLabel("Rows of a subtitle").fill("1");
    await expect.poll(async () => (await preview.textContent())?.split("\n\n")[0]?.split("\n").length).toBe(3);
    const rows = (await preview.textContent())?.split("\n") ?? [];
    expect(Math.max(...rows.filter((row) => !row.includes("-->")).map(({ length }) => length))).toBeLessThanOrEqual(20);
    expect(await downloaded()).toBe(
      await exported(kept, "format=srt&speakers=false&maximum_characters_per_row=20&maximum_rows_per_caption=1"),
    );
    await dialog.getByLabel("Format").selectOption("docx");
    await dialog.getByText(/no preview/).waitFor();
    expect(await dialog.getByRole("button", { name: "Copy" }).count()).toBe(0);
    await dialog.getByLabel("Format").selectOption("txt");
    await page.reload();
    await button("Export…").click();
    expect(await dialog.getByLabel("Names of speakers").isChecked()).toBe(false);
    await expect.poll(() => preview.textContent()).toMatch(/^\[00:00\] one0/);
    expect(complaints).toEqual([]);
  });

  test("a recording is transcribed again with other options: the part of the first run is shown, and can be left out", async () => {
    const id = await next();
    const before = (await call(service, "GET", `/v2/transcription/${id}`)).json.request_params;
    await call(service, "PATCH", `/v2/transcription/${id}`, { body: { name: "Interview Annie Grant" } });
    await page.reload();
    await button("Transcribe again…").click();
    const dialog = page.getByRole("dialog", { name: "Transcribe again with other options" });
    const part = dialog.getByLabel("Only the part from 00:00 to 00:20, as before");
    expect(await part.isChecked()).toBe(true);
    // The options of the first run.
    expect(await dialog.getByLabel("Sentences", { exact: true }).isChecked()).toBe(true);
    // The reason of a refusal is shown, also after the dialog was closed.
    await page.route("**/v2/pre-recorded", async (route) => {
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await route.fulfill({ status: 507, json: { message: "No room" } });
    });
    await dialog.getByRole("button", { name: "Transcribe", exact: true }).click();
    await page.locator(".notice", { hasText: "No room" }).waitFor();
    await page.unroute("**/v2/pre-recorded");
    await button("Transcribe again…").click();
    await part.uncheck();
    await dialog.getByLabel("Sentences", { exact: true }).uncheck();
    await dialog.getByLabel("Speakers", { exact: true }).check();
    await dialog.getByRole("button", { name: "Transcribe", exact: true }).click();
    await page.waitForURL((url) => /\/jobs\/[\da-f-]{36}$/.test(url.pathname) && !url.pathname.endsWith(id));
    const made = new URL(page.url()).pathname.split("/").at(-1) as string;
    const { request_params, name } = (await call(service, "GET", `/v2/transcription/${made}`)).json;
    expect(name).toBe("Interview Annie Grant");
    expect(request_params).toMatchObject({ audio_url: before.audio_url, diarization: true });
    expect(request_params.audio_range ?? null).toBeNull();
    expect(request_params.sentences ?? false).toBe(false);
    // The first transcript is as it was.
    expect((await call(service, "GET", `/v2/transcription/${id}`)).json.request_params).toEqual(before);
  });

  test("undo reaches back over a reload, by key and by button, to the corrections that were made in this browser", async () => {
    const id = await next();
    const stored = async () => (await exported(id, "format=txt&speakers=false")).split("\n")[0];
    const before = await stored();
    for (const typed of ["First ", "Second "]) {
      await caretBefore(0, 0);
      await page.keyboard.type(typed);
      await page.keyboard.press("Escape");
      await expect.poll(stored).toMatch(new RegExp(`^${typed}`));
    }
    await page.reload();
    await page.locator(".word").first().waitFor();
    await page.locator("h1").click();
    await page.keyboard.press("Control+z");
    await expect.poll(stored).toMatch(/^First one0/);
    await page.reload();
    await page.locator(".word").first().waitFor();
    await page.locator(".undo-buttons").getByRole("button", { name: "Undo" }).click();
    await expect.poll(stored).toBe(before);
    await expect.poll(() => button("Undo").first().isDisabled()).toBe(true);
    // A correction of another person is not undone by it.
    await call(service, "PATCH", `/v2/transcription/${id}/transcript`, {
      body: { utterances: [{ index: 0, text: "Theirs" }] },
    });
    await page.reload();
    await expect.poll(() => paragraph(0).textContent()).toBe("Theirs");
    expect(await page.locator(".undo-buttons").count()).toBe(0);
  });

  test("the player has the total time, steps of five seconds, every speed, and a slider for keys and screen readers", async () => {
    await open(kept);
    await expect.poll(() => page.locator(".player .total").textContent()).toBe("03:00");
    await button("Ahead 5 seconds").click();
    await button("Ahead 5 seconds").click();
    await expect.poll(seconds).toBe(10);
    await button("Back 5 seconds").click();
    await expect.poll(seconds).toBe(5);
    const slider = page.getByRole("slider", { name: "Position" });
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await expect.poll(seconds).toBe(7);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => slider.getAttribute("aria-valuetext")).toBe("00:06 of 03:00");
    await page.keyboard.press("End");
    await expect.poll(seconds).toBe(180);
    await page.keyboard.press("Home");
    await expect.poll(seconds).toBe(0);
    const speeds = await page
      .getByLabel("Speed")
      .locator("option")
      .evaluateAll((options) => options.map((option) => Number((option as HTMLOptionElement).value)));
    expect(speeds).toHaveLength(26);
    expect([speeds[0], speeds[5], speeds[25]]).toEqual([0.5, 1, 3]);
    for (const speed of ["0.5", "3"]) {
      await page.getByLabel("Speed").selectOption(speed);
      await slider.focus();
      await page.keyboard.press("k");
      const begun = await seconds();
      await expect.poll(seconds).toBeGreaterThan(begun + 1);
      await page.keyboard.press("k");
    }
  });

  test("a playback that resumes repeats the last second, unless another place was chosen meanwhile", async () => {
    await open(kept, "?t=30");
    await expect.poll(seconds).toBe(30);
    await page.locator("h1").click();
    await page.keyboard.press("k");
    await expect.poll(seconds).toBeGreaterThanOrEqual(33);
    await page.keyboard.press("k");
    await button("Play").waitFor();
    const paused = await seconds();
    // Every position that the player shows.
    await page.evaluate(() => {
      const output = document.querySelector(".player output") as HTMLElement;
      const seen: string[] = [];
      Object.assign(globalThis, { seen });
      const note = () => seen.push(output.textContent ?? "");
      new MutationObserver(note).observe(output, { subtree: true, characterData: true, childList: true });
    });
    const seen = () =>
      page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen.splice(0).map((time) => time.slice(-2)));
    await page.keyboard.press("k");
    await expect.poll(seconds).toBeGreaterThan(paused);
    await page.keyboard.press("k");
    expect(Number((await seen())[0])).toBe(paused - 1);
    const slider = page.getByRole("slider", { name: "Position" });
    await slider.focus();
    await page.keyboard.press("Home");
    for (let count = 0; count < 8; count++) await page.keyboard.press("ArrowRight");
    await expect.poll(seconds).toBe(8);
    await seen();
    await page.keyboard.press("k");
    await expect.poll(seconds).toBeGreaterThan(9);
    expect(Math.min(...(await seen()).map(Number))).toBeGreaterThanOrEqual(8);
    expect(complaints).toEqual([]);
  });

  test.each([
    ["the text", "", ".transcript-scroll"],
    ["the subtitles", "?view=subtitles", ".cue-scroll"],
  ])("%s follow the playback until the reader scrolls, and again after the return", async (_, query, selector) => {
    await open(kept, query);
    const scroller = page.locator(selector);
    const top = () => scroller.evaluate(({ scrollTop }) => scrollTop);
    await page.getByLabel("Speed").selectOption("3");
    await button("Play").click();
    await button("Pause").waitFor();
    expect(await button("Return to the playback").count()).toBe(0);
    await scroller.hover();
    await page.mouse.wheel(0, 1_500);
    await button("Return to the playback").waitFor();
    await expect.poll(top).toBeGreaterThan(500);
    const away = await top();
    const begun = await seconds();
    // Two paragraphs further, the reader is where the reader scrolled.
    await expect.poll(seconds).toBeGreaterThan(begun + 11);
    expect(await top()).toBe(away);
    await button("Return to the playback").click();
    await expect.poll(top).toBeLessThan(away);
    expect(await button("Return to the playback").count()).toBe(0);
    // It follows again.
    const there = await top();
    await expect.poll(top).toBeGreaterThan(there);
  });

  test("Ctrl and Enter save what is typed and go to the next unsure word, and to the next paragraph where there is none", async () => {
    const id = await next();
    const last = SECONDS / 5 - 1;
    await caretBefore(0, 0);
    await page.keyboard.type("So ");
    await page.keyboard.press("Control+Enter");
    const selected = () => page.evaluate(() => getSelection()?.toString());
    await expect.poll(selected).toBe("goes");
    await expect.poll(() => page.locator(".utterance[data-at='0'] .unsure-now").count()).toBe(1);
    await expect.poll(() => exported(id, "format=txt&speakers=false")).toMatch(/^So one0/);
    // Behind the unsure word of this paragraph, the next one is in the next paragraph.
    await page.keyboard.press("Control+Enter");
    await expect.poll(() => page.locator(".utterance[data-at='1'] .unsure-now").count()).toBe(1);
    expect(await page.locator(".words").count()).toBe(last + 1);
    // Behind the last unsure word of all.
    await paragraph(last).scrollIntoViewIfNeeded();
    await caretBefore(last - 1, 6);
    await page.keyboard.press("Control+Enter");
    await expect.poll(() => page.locator(`.utterance[data-at='${last}'] .unsure-now`).count()).toBe(1);
    await page.keyboard.press("Alt+h");
    await page.getByText("Save, and go to the next unsure word or paragraph").waitFor();
  });

  test.each([
    [390, "en", "light", 400],
    [390, "ar", "dark", 400],
    [1280, "en", "dark", 330],
    [1280, "ar", "light", 330],
  ] as const)(
    "at %i pixels, in %s and %s, the first words begin above %i pixels",
    async (width, language, colours, most) => {
      const shown = await pageAt(browser, context, width, colours);
      await shown.addInitScript((code) => localStorage.setItem("parlance.language", JSON.stringify(code)), language);
      await shown.goto(`${service.base}/jobs/${kept}`);
      await shown.locator(".unsure-bar").waitFor();
      const top = () =>
        shown
          .locator(".words")
          .first()
          .evaluate((words) => words.getBoundingClientRect().top);
      await expect.poll(top).toBeLessThan(most);
      const panels = shown.locator(".fold > button");
      expect(await panels.count()).toBe(2);
      for (const panel of await panels.all()) {
        await panel.click();
        expect(await violationsOf(shown)).toEqual([]);
        expect(await overflowOf(shown)).toBeLessThanOrEqual(0);
        const box = await shown.locator(".fold-panel").boundingBox();
        expect([box && box.x >= 0, box && box.x + box.width <= width]).toEqual([true, true]);
        await panel.click();
      }
      await shown.context().close();
    },
  );

  test("a panel of the bar is opened and closed by keys, and closed by a click or a focus outside", async () => {
    await open(kept);
    const panel = button(/^View/);
    const isOpen = () => panel.getAttribute("aria-expanded");
    await panel.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.getByLabel("Edit by typing").evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press("Escape");
    await expect.poll(isOpen).toBe("false");
    expect(await panel.evaluate((one) => one === document.activeElement)).toBe(true);
    await panel.click();
    await page.getByRole("heading", { level: 1 }).click();
    await expect.poll(isOpen).toBe("false");
    await panel.click();
    await page.getByLabel("Find in the transcript").focus();
    await expect.poll(isOpen).toBe("false");
    // A dialog that was opened from a panel returns the focus to it.
    await button(/^Speakers/).click();
    await page.locator(".speaker-chip").first().click();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toMatch(/speaker-chip/);
    expect(complaints).toEqual([]);
  });

  test("on paper are the heading, and the speakers, times and texts of all paragraphs, black on white", async () => {
    await context.close();
    ({ context, page, complaints } = await openConsole(browser, service.base, { colorScheme: "dark" }));
    await open(kept);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    for (const selector of [".bar", ".player", ".downloads", ".views", ".transcript-tools", ".panels", ".rename"])
      expect(await page.locator(selector).first().isVisible(), selector).toBe(false);
    expect(await page.locator("h1").isVisible()).toBe(true);
    const last = page.locator(".utterance").last();
    for (const selector of [".speaker", ".stamp", ".words"])
      expect(await last.locator(selector).isVisible(), selector).toBe(true);
    const { scrolls, ground, text } = await page.evaluate(() => {
      const list = document.querySelector(".transcript-scroll") as HTMLElement;
      const words = document.querySelector(".words") as HTMLElement;
      return {
        scrolls: list.scrollHeight > list.clientHeight + 1,
        ground: getComputedStyle(document.body).backgroundColor,
        text: getComputedStyle(words).color,
      };
    });
    expect(scrolls).toBe(false);
    expect([ground, text]).toEqual(["rgb(255, 255, 255)", "rgb(0, 0, 0)"]);
    if (SHOTS) await page.pdf({ path: path.join(SHOTS, "print.pdf") });
    const pages = (await page.pdf()).toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g) ?? [];
    expect(pages.length).toBeGreaterThan(1);
  });

  test("a selection copies its text alone, also where nothing is typed", async () => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await open(kept);
    for (const isEditable of [true, false]) {
      await openFold(page, "View");
      await page.getByLabel("Edit by typing").setChecked(isEditable);
      await page.evaluate(async () => {
        await navigator.clipboard.writeText("");
        const [first, second] = [0, 1].map((at) => document.querySelector(`.utterance[data-at='${at}'] .words`));
        (document.querySelector(".ProseMirror") as HTMLElement).focus();
        getSelection()?.setBaseAndExtent(first as Element, 0, second as Element, second?.childNodes.length ?? 0);
      });
      await page.keyboard.press("Control+c");
      await expect
        .poll(() => page.evaluate(() => navigator.clipboard.readText()))
        .toBe(`${SENTENCE}\n\n${SENTENCE.replace("one0", "one1")}`);
    }
  });

  test("the browser's Back saves what is typed, and a correction of the configured key is one of the main key", async () => {
    const id = fresh.pop() as string;
    await page.goto(`${service.base}/jobs`);
    await page.locator(`a[href$='${id}']`).first().click();
    await page.locator(".word").first().waitFor();
    await caretBefore(0, 0);
    await page.keyboard.type("Typed before Back ");
    await page.goBack();
    await page.getByRole("searchbox", { name: "Search" }).waitFor();
    await expect.poll(() => exported(id, "format=txt&speakers=false")).toMatch(/^Typed before Back one0/);
    await page.goForward();
    await expect.poll(() => paragraph(0).textContent()).toMatch(/^Typed before Back one0/);
    await page.getByRole("tab", { name: "Corrections" }).click();
    await page.locator(".panel").getByText("the main key").waitFor();
    expect(await page.locator("body").textContent()).not.toContain("PARLANCE_API_KEY");
  });

  test("a summary says that it is older than the text once a word was corrected, not after a word was checked", async () => {
    const id = await next();
    await page.getByRole("tab", { name: "Summary" }).click();
    const older = page.locator(".panel").getByText("This was made before the last correction");
    await page.locator(".panel").getByText("Two people talk.").waitFor();
    const correct = (body: object) => call(service, "PATCH", `/v2/transcription/${id}/transcript`, { body });
    await correct({ utterances: [{ index: 0, checked: true }] });
    await page.getByRole("tab", { name: "Corrections" }).waitFor();
    expect(await older.count()).toBe(0);
    const { json } = await correct({ utterances: [{ index: 0, text: "Otherwise" }] });
    await older.waitFor();
    await call(service, "DELETE", `/v2/transcription/${id}/corrections/${json.id}`);
    await expect.poll(() => older.count()).toBe(0);
  });

  test("the replacement of a search belongs to its recording, and is gone after all places were replaced", async () => {
    const id = await next();
    const replacement = page.getByLabel("Replace with");
    await page.getByLabel("Find in the transcript").fill("one0");
    await replacement.fill("Once");
    await open(kept);
    await page.getByLabel("Find in the transcript").fill("one0");
    expect(await replacement.inputValue()).toBe("");
    await open(id);
    await page.getByLabel("Find in the transcript").fill("one0");
    expect(await replacement.inputValue()).toBe("Once");
    await button("Replace all").click();
    await expect.poll(() => exported(id, "format=txt&speakers=false")).toMatch(/^Once other/);
    await expect.poll(() => replacement.inputValue()).toBe("");
    await page.reload();
    await page.getByLabel("Find in the transcript").fill("Once");
    expect(await replacement.inputValue()).toBe("");
  });

  test.each([
    [1440, "light"],
    [390, "dark"],
  ] as const)(
    "at %i pixels, %s: axe finds nothing, nothing is cut off, and the player of a phone stays in sight",
    async (width, colorScheme) => {
      const shown = await pageAt(browser, context, width, colorScheme);
      await shown.goto(`${service.base}/jobs/${kept}`);
      await shown.locator(".word").first().waitFor();
      const look = async (name: string) => {
        if (SHOTS) {
          mkdirSync(SHOTS, { recursive: true });
          await shown.screenshot({ path: path.join(SHOTS, `${name}-${width}-${colorScheme}.png`) });
        }
        expect(await violationsOf(shown), name).toEqual([]);
        expect(await overflowOf(shown), name).toBeLessThanOrEqual(0);
      };
      await look("page");
      if (width < 800) {
        for (const top of [0, 100_000]) {
          await shown.evaluate((y) => scrollTo(0, y), top);
          const box = await shown.getByRole("button", { name: "Play", exact: true }).boundingBox();
          expect(box?.y).toBeGreaterThan(0);
          expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(860);
        }
        await look("page-end");
      }
      await shown.getByRole("button", { name: "Export…" }).click();
      await shown.getByRole("region", { name: "Preview" }).waitFor();
      await look("export");
      await shown.getByLabel("Format").selectOption("srt");
      await shown.getByText("-->").first().waitFor();
      await look("export-srt");
      await shown.keyboard.press("Escape");
      await shown.getByRole("button", { name: "Transcribe again…" }).click();
      await shown.getByRole("dialog").getByLabel("Sentences", { exact: true }).waitFor();
      await look("again");
      await shown.context().close();
    },
  );
});
