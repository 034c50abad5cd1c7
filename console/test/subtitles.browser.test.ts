// The subtitles of a transcript: their times, text, divisions and warnings, a video with them, and an hour of them, in a real browser.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Cues } from "../../src/contract/cues.ts";
import type { TranscriptionResult } from "../../src/contract/transcript/transcript.ts";
import { CHROMIUM, launch, openConsole, overflowOf, pageAt, violationsOf } from "../../test/fixtures/browser.ts";
import { restartedWith } from "../../test/fixtures/changed-results.ts";
import { mediaBytes } from "../../test/fixtures/media.ts";
import { silence, wav } from "../../test/fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../../test/fixtures/speech.ts";
import { call, finished, type RunningService, ready, startService, submit } from "../../test/service.ts";

const SHOTS = process.env["SUBTITLE_SHOTS_DIR"];
const HOUR_SECONDS = 3_600;
const SHORT_SECONDS = 30;
const FRAMES = 120;
const FRAME_MILLISECONDS = 1_000 / 60;
const TEXTS = [
  "So the first time we met Mr. Duguid was in March.",
  "We had sold a hundred and fifty of them by then, and nobody had asked what they were for.",
  "Was that before the fire?",
  "Yes.",
  "It was a year before the fire and two years after the flood.",
];

/** A result with an utterance every five seconds. */
function withSpeech(result: TranscriptionResult, seconds: number): TranscriptionResult {
  const utterances = Array.from({ length: seconds / 5 }, (_, index) => {
    const start = index * 5 + 0.2;
    const texts = (TEXTS[index % TEXTS.length] as string).split(/(?=\s)/);
    const each = Math.min(0.4, 4.2 / texts.length);
    const words = texts.map((word, at) => ({
      ...{ word, start: start + at * each, end: start + (at + 0.8) * each, confidence: 0.95 },
    }));
    const end = words.at(-1)?.end ?? start;
    const speaker = index % TEXTS.length === 2 ? 1 : 0;
    return { text: texts.join(""), words, start, end, language: "en", confidence: 0.9, channel: 0, speaker };
  });
  return {
    ...result,
    metadata: { ...result.metadata, audio_duration: seconds },
    transcription: { ...result.transcription, utterances, full_transcript: TEXTS.join(" ") },
  };
}

describe.skipIf(!CHROMIUM)("the subtitles of a transcript (skipped where there is no Chromium)", () => {
  let service: RunningService;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];
  /** One for each test that changes it; a video; an hour. */
  let short: string[];
  let video: string;
  let hour: string;

  beforeAll(async () => {
    const first = await startService();
    await ready(first);
    const speech = repeated(await decodeSpeech(), 1, SHORT_SECONDS).subarray(0, SHORT_SECONDS * 16_000);
    const sound = wav([speech]);
    short = [];
    for (let count = 0; count < 6; count++) short.push(await submit(first, sound));
    const track = { channels: [speech], sampleRate: 16_000, encoder: "libopus" };
    video = await submit(first, await mediaBytes("webm", { videoSeconds: SHORT_SECONDS, tracks: [track] }));
    hour = await submit(first, wav([silence(0.5)]));
    const all = [...short, video, hour];
    for (const id of all) await finished(first, id);
    service = await restartedWith(first, all, (result, id) =>
      withSpeech(result, id === hour ? HOUR_SECONDS : SHORT_SECONDS),
    );
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

  const open = async (id: string, on = page) => {
    await on.goto(`${service.base}/jobs/${id}?view=subtitles`);
    await on.locator(".cue").first().waitFor();
  };
  const next = async () => {
    const id = short.pop() as string;
    await open(id);
    return id;
  };
  const words = (number: number, on = page) => on.getByLabel(`Text of subtitle ${number}`, { exact: true });
  const time = (edge: "Start" | "End", number: number) =>
    page.locator(".cue").getByLabel(`${edge} of subtitle ${number}`);
  const texts = () =>
    page.locator(".cue textarea").evaluateAll((areas) => areas.map((area) => (area as HTMLTextAreaElement).value));
  const cues = async (id: string) => (await call(service, "GET", `/v2/transcription/${id}/cues`)).json as Cues;
  const exported = async (id: string, format: string) =>
    (await call(service, "GET", `/v2/transcription/${id}/transcript?format=${format}`)).text;
  const saved = () => page.getByText(/^Saved \d/).waitFor();
  const dragTo = async (handle: Locator, pixels: number) => {
    const box = await handle.boundingBox();
    if (!box) throw new Error("the edge is not in view");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + pixels / 2, y, { steps: 4 });
    await page.mouse.move(x + pixels, y, { steps: 4 });
    await page.mouse.up();
  };
  const edge = (name: string) => page.getByRole("slider", { name });

  test("the page shows the cues of the operation, and an edge is dragged with the mouse and moved with keys", async () => {
    const id = await next();
    const before = await cues(id);
    expect(await texts()).toEqual(before.cues.slice(0, (await texts()).length).map(({ rows }) => rows.join("\n")));
    await words(1).focus();
    // 80 pixels are a second.
    await dragTo(edge("Start of subtitle 1"), 40);
    await saved();
    const dragged = (await cues(id)).cues;
    expect(dragged[0]?.start).toBeCloseTo((before.cues[0]?.start ?? 0) + 0.5, 1);
    expect(dragged[0]).toMatchObject({ edited: true, end: before.cues[0]?.end });
    expect(dragged.slice(1)).toEqual(before.cues.slice(1));
    await edge("End of subtitle 1").focus();
    for (let press = 0; press < 4; press++) await page.keyboard.press("ArrowLeft");
    await expect.poll(async () => (await cues(id)).cues[0]?.end).toBeCloseTo((before.cues[0]?.end ?? 0) - 0.2, 2);
    // It stops at the one beside it.
    await dragTo(edge("End of subtitle 1"), 600);
    await expect.poll(async () => (await cues(id)).cues[0]?.end).toBe(before.cues[1]?.start);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect.poll(async () => (await cues(id)).cues[0]?.end).toBeCloseTo((before.cues[0]?.end ?? 0) - 0.2, 2);
    expect(complaints).toEqual([]);
  });

  test("typed text saves itself, is in the transcript and in srt and vtt, and stays at its time", async () => {
    const id = await next();
    const before = (await cues(id)).cues;
    await words(2).focus();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("Well, as you know, ");
    await saved();
    await expect.poll(async () => (await cues(id)).cues[1]?.rows.join(" ")).toMatch(/^Well, as you know, We had/);
    const [now, ...others] = [(await cues(id)).cues[1], ...(await cues(id)).cues.toSpliced(1, 1)];
    expect(now).toMatchObject({ start: before[1]?.start, end: before[1]?.end, edited: true });
    expect(others).toEqual(before.toSpliced(1, 1));
    expect(await words(2).evaluate((area) => area === document.activeElement)).toBe(true);
    for (const format of ["srt", "vtt", "txt"])
      expect(await exported(id, format)).toContain("Well, as you know, We had");
    // The row is too long now. A row break makes it shorter.
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await expect.poll(async () => (await cues(id)).cues[1]?.rows[0]).toBe("Well, as you know,");
    expect(await exported(id, "srt")).toContain("Well, as you know,\n");
    await page.getByRole("button", { name: "Text", exact: true }).click();
    await page.getByText("Well, as you know, We had").waitFor();
    expect(complaints).toEqual([]);
  });

  test("a subtitle is divided at the caret and merged again, by keys and buttons, and laid out automatically again", async () => {
    const id = await next();
    const before = (await cues(id)).cues;
    const count = before.length;
    await words(1).focus();
    await page.keyboard.press("Control+Home");
    for (let step = 0; step < 3; step++) await page.keyboard.press("Control+ArrowRight");
    await page.keyboard.press("Control+Enter");
    await expect.poll(() => words(1).inputValue()).toBe("So the first");
    await expect.poll(async () => (await cues(id)).cues.length).toBe(count + 1);
    const [first, second] = (await cues(id)).cues;
    expect(first?.rows).toEqual(["So the first"]);
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    await expect.poll(focused).toBe("Text of subtitle 2");
    expect(first?.end).toBe(second?.start);
    await page.keyboard.press("Backspace");
    await expect.poll(focused).toBe("Text of subtitle 1");
    // The caret is where the two were joined.
    const caret = () => words(1).evaluate((area) => (area as HTMLTextAreaElement).selectionStart);
    await expect.poll(caret).toBe("So the first".length);
    await expect.poll(async () => (await cues(id)).cues.length).toBe(count);
    expect((await cues(id)).cues[0]).toMatchObject({
      rows: before[0]?.rows,
      start: before[0]?.start,
      end: before[0]?.end,
    });
    await page.getByRole("button", { name: "Lay out subtitle 1 automatically again" }).click();
    await expect.poll(async () => (await cues(id)).cues).toEqual(before);
    await expect.poll(focused).toBe("Text of subtitle 1");
    // A subtitle of another speaker is not merged.
    const at = before.findIndex(({ speaker }) => speaker === 1);
    await expect(page.getByLabel(`Merge subtitle ${at} with the next one`).isDisabled()).resolves.toBe(true);
    expect(complaints).toEqual([]);
  });

  test("times are typed; warnings name the rule and are visited in turn; a time that is none changes nothing", async () => {
    const id = await next();
    await time("End", 1).fill("0:00.600");
    await page.keyboard.press("Enter");
    await page.getByText("Too short: 0.4 s, at least 1 s").waitFor();
    await expect.poll(async () => (await cues(id)).cues[0]?.warnings).toEqual(["fast", "short"]);
    await page.getByRole("button", { name: "Next warning" }).click();
    const warned = (await cues(id)).cues.flatMap(({ warnings }, at) => (warnings.length > 0 ? [at + 1] : []));
    expect(await page.getByText(`${warned.length} of `).count()).toBe(1);
    await time("Start", 2).fill("0:00.300");
    await time("Start", 2).blur();
    await page.getByText("Begins before the one before it ends").waitFor();
    await time("Start", 2).fill("soon");
    expect(await time("Start", 2).getAttribute("aria-invalid")).toBe("true");
    await time("Start", 2).blur();
    const problem = page.locator(".notice.bad", { hasText: "soon" });
    await problem.waitFor();
    expect(await time("Start", 2).inputValue()).toBe("soon");
    await time("Start", 2).press("Escape");
    expect(await time("Start", 2).inputValue()).toBe("0:00.300");
    expect(await problem.count()).toBe(0);
    await time("Start", 2).fill("soon");
    await time("Start", 2).blur();
    await problem.waitFor();
    // What is typed in the field ends with the view, and so does the message.
    await page.getByRole("button", { name: "Text", exact: true }).click();
    await expect.poll(() => problem.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("a change of another person is shown, and two changes of the same words are shown beside each other", async () => {
    const id = await next();
    const other = await context.newPage();
    await open(id, other);
    await words(1, other).focus();
    await page.bringToFront();
    await words(1).focus();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("And ");
    await saved();
    await expect.poll(() => words(1, other).inputValue()).toMatch(/^And So/);
    // Another person changes the words while this page changes them.
    await page.route("**/transcript", (route) => route.abort());
    await page.keyboard.type("then ");
    const body = { utterances: [{ index: 0, text: "Somebody else's words." }] };
    expect((await call(service, "PATCH", `/v2/transcription/${id}/transcript`, { body })).status).toBe(201);
    await page.getByText("Somebody else's words.").first().waitFor();
    await page.unroute("**/transcript");
    await page.getByRole("button", { name: "Use theirs" }).first().click();
    await expect.poll(() => words(1).inputValue()).toBe("Somebody else's words.");
  });

  test("a video is shown with the subtitles on it; a recording without a picture says so", async () => {
    await open(video);
    const picture = page.locator(".picture video");
    await picture.waitFor();
    expect(await picture.evaluate((element) => (element as HTMLVideoElement).videoWidth)).toBe(64);
    const third = (await cues(video)).cues[2];
    await page.getByRole("button", { name: "Play subtitle 3", exact: true }).click();
    await expect.poll(() => page.locator(".picture-text").innerText()).toContain(third?.rows[0]);
    await page.waitForFunction(() => (document.querySelector(".picture video") as HTMLVideoElement).paused);
    const stopped = await picture.evaluate((element) => (element as HTMLVideoElement).currentTime);
    // The player looks at each frame, which may come late.
    expect(stopped).toBeGreaterThan((third?.end ?? 0) - 0.5);
    expect(stopped).toBeLessThan((third?.end ?? 0) + 3);
    // The document plays the same file without the picture.
    await page.getByRole("button", { name: "Text", exact: true }).click();
    await page.locator(".word").first().waitFor();
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await open(short[0] as string);
    await page.getByText("This recording has no picture").waitFor();
    expect(complaints).toEqual([]);
  });

  test("an hour of cues scrolls at 60 frames a second, with few of them in the page", async () => {
    await open(hour);
    expect((await cues(hour)).cues.length).toBeGreaterThan(700);
    const devTools = await context.newCDPSession(page);
    // Processor time of the page: other processes do not count.
    await devTools.send("Performance.enable", { timeDomain: "threadTicks" });
    const worked = async () => {
      const { metrics } = await devTools.send("Performance.getMetrics");
      return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1_000;
    };
    const scroll = async (selector: string, property: "scrollTop" | "scrollLeft") => {
      const before = await worked();
      await page.evaluate(
        async ([frames, chosen, side]) => {
          const scroller = document.querySelector(chosen) as HTMLElement;
          scroller[side] = 0;
          for (let frame = 0; frame < frames; frame++) {
            scroller[side] += 450;
            await new Promise((resolve) => requestAnimationFrame(resolve));
          }
        },
        [FRAMES, selector, property] as const,
      );
      return ((await worked()) - before) / FRAMES;
    };
    // The quickest of several: the caches of a busy machine are cold.
    const quickest = async (...place: Parameters<typeof scroll>) =>
      Math.min(await scroll(...place), await scroll(...place), await scroll(...place));
    const times = [await quickest(".cue-scroll", "scrollTop"), await quickest(".timeline-strip", "scrollLeft")];
    expect(await page.locator(".cue").count()).toBeLessThan(40);
    if (SHOTS) writeFileSync(path.join(SHOTS, "frames.txt"), times.join(" "));
    expect(Math.max(...times)).toBeLessThan(FRAME_MILLISECONDS);
  });

  test.each([
    [1440, "light"],
    [390, "dark"],
  ] as const)("at %i pixels, %s: nothing is cut off, and axe finds nothing", async (width, colorScheme) => {
    const shown = await pageAt(browser, context, width, colorScheme);
    await open(video, shown);
    await shown.getByRole("button", { name: "Play subtitle 2", exact: true }).click();
    await shown.waitForFunction(() => (document.querySelector(".picture video") as HTMLVideoElement | null)?.paused);
    await words(2, shown).focus();
    if (SHOTS) {
      mkdirSync(SHOTS, { recursive: true });
      await shown.screenshot({ path: path.join(SHOTS, `subtitles-${width}-${colorScheme}.png`), fullPage: true });
    }
    expect(await violationsOf(shown)).toEqual([]);
    expect(await overflowOf(shown)).toBeLessThanOrEqual(0);
    await shown.context().close();
  });
});
