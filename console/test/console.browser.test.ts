// The console in a real browser, with real recordings.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { errors } from "../../src/platform/errors.ts";
import { CHROMIUM, launch, openConsole, openFold, overflowOf, pageLink } from "../../test/fixtures/browser.ts";
import { ProviderServer } from "../../test/fixtures/language-model.ts";
import { writeMedia } from "../../test/fixtures/media.ts";
import { HELLO_MP3, hasShared, references, wav } from "../../test/fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../../test/fixtures/speech.ts";
import {
  call,
  finished,
  type RunningService,
  ready,
  startService,
  submit,
  TEST_KEY,
  upload,
} from "../../test/service.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Folder for screenshots (npm run screenshots). */
const PICTURES = process.env["SCREENSHOTS_DIR"];

describe.skipIf(!CHROMIUM)("the console (skipped where there is no Chromium)", () => {
  let service: RunningService;
  let browser: Browser;
  let folder: string;
  let jobId: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-console-"));
    const speech = repeated(await decodeSpeech(), 4, 6);
    const microphone = path.join(folder, "microphone.wav");
    writeFileSync(microphone, wav([speech], 16_000));
    service = await startService();
    await ready(service);
    browser = await launch(microphone);
    jobId = await submit(service, wav([speech]), {
      diarization: true,
      summarization: true,
      chapterization: true,
      named_entity_recognition: true,
      sentiment_analysis: true,
    });
    await finished(service, jobId);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const correctionsInForce = async (): Promise<string[]> => {
    const { items } = (await call(service, "GET", `/v2/transcription/${jobId}/corrections`)).json;
    return items
      .filter(({ undone_at }: { undone_at: string | null }) => undone_at === null)
      .map(({ id }: { id: string }) => id);
  };
  // What a test that fails leaves behind.
  afterEach(async () => {
    for (const id of (await correctionsInForce()).reverse()) {
      await call(service, "DELETE", `/v2/transcription/${jobId}/corrections/${id}`);
    }
  });

  const open = (route: string, options: BrowserContextOptions = {}, { base } = service) =>
    openConsole(browser, base, options, route);
  const installedNames = async () => {
    const { items } = (await call(service, "GET", "/v2/models")).json;
    return items
      .filter((model: { installed: boolean; purpose: string }) => model.installed && model.purpose === "recognition")
      .map(({ id }: { id: string }) => id) as string[];
  };
  /** All violations of axe rules, minor ones included. */
  const violations = async (page: Page) => {
    await page.evaluate(axe);
    const found = await page.evaluate(() =>
      (window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }).axe.run(),
    );
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  };
  const shoot = async (page: Page, name: string) => {
    if (!PICTURES) return;
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: path.join(PICTURES, `${name}.png`) });
  };

  test("a wrong key is refused with a reason; the right one is in no address and out of reach of scripts", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(`${request.url()} ${request.headers()["referer"] ?? ""}`));
    await page.goto(`${service.base}/jobs`);
    await page.getByLabel("Key").waitFor();
    expect(await page.getByRole("link", { name: /^(Transcribe|Live|Recordings|Setup)$/ }).count()).toBe(0);
    await page.getByLabel("Key").fill("not-a-key");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect.poll(() => page.getByRole("alert").textContent()).toMatch(/unknown or revoked/);
    await page.getByLabel("Key").fill(TEST_KEY);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Recordings" }).waitFor();
    expect(await page.getByRole("navigation").getByRole("link").count()).toBe(4);
    expect(asked.join("\n")).not.toContain(TEST_KEY);
    expect(await page.evaluate(() => `${document.cookie}${JSON.stringify(localStorage)}`)).not.toContain(TEST_KEY);
    expect(service.log()).not.toContain(TEST_KEY);
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await context.close();
  });

  test("a file is sent and its transcript read", async () => {
    const { context, page, complaints } = await open("/");
    await page.setInputFiles('input[name="files"]', HELLO_MP3);
    await page.getByRole("link", { name: path.basename(HELLO_MP3) }).click();
    await expect.poll(() => page.locator(".words").textContent()).toMatch(/hello from the/i);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("one of several audio tracks of a file is selected from a list", async () => {
    const speech = await decodeSpeech();
    const file = path.join(folder, "film.mkv");
    const track = { channels: [speech], sampleRate: 16_000, encoder: "aac" };
    await writeMedia(file, {
      tracks: [
        { ...track, channels: [new Float32Array(speech.length)], language: "eng", title: "Music" },
        { ...track, language: "eng" },
      ],
    });
    const { context, page, complaints } = await open("/");
    await page.setInputFiles('input[name="files"]', file);
    const list = page.getByLabel("Audio track of film.mkv");
    await expect.poll(() => list.inputValue()).toBe("1");
    expect(await list.locator("option").allTextContents()).toEqual([
      "Track 0: English, Music, 1 channel",
      "Track 1: English, 1 channel",
    ]);
    await page.getByRole("link", { name: "film.mkv" }).waitFor();
    const before = await page.getByRole("link", { name: "film.mkv" }).getAttribute("href");
    await list.selectOption("0");
    await expect
      .poll(async () =>
        page
          .getByRole("link", { name: "film.mkv" })
          .getAttribute("href", { timeout: 1_000 })
          .catch(() => before),
      )
      .not.toBe(before);
    await page.getByRole("link", { name: "film.mkv" }).click();
    await page.getByText("audio track 0 (of 2, counted from 0)").waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("options are selected in a form made from the OpenAPI document, shown as a call, and kept", async () => {
    const { context, page } = await open("/");
    await page.getByLabel("Languages").selectOption("en");
    await page.getByLabel("Subtitles", { exact: true }).check();
    await page.getByText(/^More/).click();
    expect(await page.getByLabel("Numbers in digits").isChecked()).toBe(true);
    await page.getByLabel("Numbers in digits").uncheck();
    await page.getByLabel("Spelling", { exact: true }).check();
    await page.getByLabel("Spelling dictionary").fill("Gladia: glad ya");
    expect((await page.locator(".schema-form").allTextContents()).join(" ")).not.toMatch(
      /config|alpha|beta|extension/i,
    );
    await page.getByText("The same from a program").click();
    await expect.poll(() => page.locator("pre").textContent()).toContain('"languages":["en"]');
    await expect.poll(() => page.locator("pre").textContent()).toContain('"subtitles":true');
    await expect.poll(() => page.locator("pre").textContent()).toContain('{"Gladia":["glad ya"]}');
    await page.getByRole("button", { name: "JavaScript" }).click();
    await expect.poll(() => page.locator("pre").textContent()).toContain("GladiaClient");
    await page.reload();
    await expect.poll(() => page.getByLabel("Subtitles", { exact: true }).isChecked()).toBe(true);
    await page.setInputFiles('input[name="files"]', HELLO_MP3);
    await page.locator(".task.done").waitFor();
    const [latest] = (await call(service, "GET", "/v2/pre-recorded?limit=1")).json.items;
    const { request_params } = (await call(service, "GET", `/v2/pre-recorded/${latest.id}`)).json;
    expect(request_params).toMatchObject({ subtitles: true, numerals: false, language_config: { languages: ["en"] } });
    await context.close();
  });

  // nothing-lost.browser.test.ts sends forty.
  test("several files at once all become transcripts; a file without audio shows the reason", async () => {
    const { context, page } = await open("/");
    const buffer = readFileSync(HELLO_MP3);
    const files = Array.from({ length: 8 }, (_, index) => ({
      name: `file-${index}.mp3`,
      mimeType: "audio/mpeg",
      buffer,
    }));
    await page.setInputFiles('input[name="files"]', [
      ...files,
      { name: "letter.mp3", mimeType: "audio/mpeg", buffer: Buffer.from("Dear all, this is a letter.") },
    ]);
    await page.getByRole("heading", { name: "9 of 9 done" }).waitFor();
    expect(await page.locator(".task.done").count()).toBe(8);
    expect(await page.locator(".task.failed").textContent()).toMatch(/letter\.mp3.*not/i);
    await context.close();
  });

  test("a word and a speaker are corrected, found in the download, and reverted", async () => {
    const { context, page } = await open(`/jobs/${jobId}`);
    await page.locator(".utterance").first().waitFor();
    const words = page.locator(".utterance").nth(1).locator(".words");
    await words.click();
    await words.selectText();
    await page.keyboard.type("Hello from the Vercel AI kit.");
    await page.keyboard.press("Alt+2");
    await page.getByText("corrected").first().waitFor();
    await openFold(page, "Speakers");
    await page.locator(".speaker-chip", { hasText: "Speaker 1" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Anna");
    await page.getByLabel("Name", { exact: true }).press("Enter");
    await page.locator(".speaker", { hasText: "Anna" }).waitFor();
    await page.getByRole("button", { name: "Export…" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download", exact: true }).click(),
    ]);
    await page.keyboard.press("Escape");
    const text = readFileSync(await download.path(), "utf8");
    expect(text).toContain("Anna: Hello from the Vercel AI kit.");
    await page.getByRole("tab", { name: "Corrections" }).click();
    const undo = page.locator(".panel").getByRole("button", { name: "Undo" });
    while ((await undo.count()) > 0) {
      const before = await undo.count();
      await undo.first().click();
      await expect.poll(() => undo.count()).toBe(before - 1);
    }
    expect((await call(service, "GET", `/v2/transcription/${jobId}/transcript?format=txt`)).text).not.toContain("Anna");
    await context.close();
  });

  test.each([
    ["desktop", "light", { width: 1280, height: 860 }],
    ["phone", "dark", { width: 390, height: 844 }],
  ] as const)(
    "selected words get another speaker by a typed name, speakers are merged, both undone (%s, %s)",
    async (device, colorScheme, viewport) => {
      const { context, page, complaints } = await open(`/jobs/${jobId}`, { viewport, colorScheme });
      await page.locator(".utterance").first().waitFor();
      const before = await page.locator(".utterance").count();
      await page.locator(".utterance[data-at='0'] .word").first().click();
      await page.evaluate(() => {
        const words = [...document.querySelectorAll(".utterance[data-at='0'] .word")];
        const range = document.createRange();
        range.setStartBefore(words.at(-2) as Element);
        range.setEndAfter(words.at(-1) as Element);
        getSelection()?.removeAllRanges();
        getSelection()?.addRange(range);
      });
      await page.getByText("2 words said by").waitFor();
      await page.getByRole("textbox", { name: "or a name" }).fill("Berta");
      await shoot(page, `selection-${device}`);
      await page.getByRole("button", { name: "Change speaker" }).click();
      await expect.poll(() => page.locator(".utterance").count()).toBe(before + 1);
      await expect.poll(() => page.locator(".utterance[data-at='1'] .speaker").textContent()).toContain("Berta");
      await page.locator(".utterance[data-at='1'] .speaker").focus();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor();
      await shoot(page, `speaker-dialog-${device}`);
      const fits = await page.getByRole("dialog").evaluate((dialog) => dialog.scrollWidth <= dialog.clientWidth);
      expect(fits).toBe(true);
      await page.getByRole("button", { name: "Merge" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await expect.poll(() => page.locator(".utterance").count()).toBe(before);
      await page.keyboard.press("Control+z");
      await expect.poll(() => page.locator(".utterance").count()).toBe(before + 1);
      await page.keyboard.press("Control+Shift+Z");
      await expect.poll(() => page.locator(".utterance").count()).toBe(before);
      for (let count = 0; count < 2; count++) {
        await page.locator(".undo-buttons").getByRole("button", { name: "Undo" }).click();
      }
      await expect.poll(correctionsInForce).toEqual([]);
      expect(complaints).toEqual([]);
      await context.close();
    },
  );

  test("a click on a word plays it, keys control playback, words are found and replaced, and the place is remembered", async () => {
    const { context, page } = await open(`/jobs/${jobId}?t=10`);
    await expect.poll(() => page.locator("output.time").textContent()).toBe("00:10");
    await page
      .locator(".utterance")
      .nth(1)
      .locator(".word")
      .nth(2)
      .click({ modifiers: ["Alt"] });
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    await expect.poll(() => page.locator(".word.heard").count()).toBe(1);
    await page.keyboard.press("Escape");
    await page.keyboard.press("k");
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
    await page.keyboard.press(">");
    await expect.poll(() => page.getByLabel("Speed").inputValue()).toBe("1.1");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Shortcuts" }).getByText("Next unsure word", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    // Find and replace, from the keyboard; keys with Alt also work while text is typed.
    await page.keyboard.press("Control+f");
    await page.keyboard.type("hello from");
    await page.keyboard.press("Enter");
    await page.getByText(/^1 of [4-9]$/).waitFor();
    await expect.poll(() => page.locator(".word.found-now").count()).toBe(2);
    await page.keyboard.press("Shift+Enter");
    await page.getByText(/^(\d) of \1$/).waitFor();
    await page.keyboard.press("Alt+Period");
    await expect.poll(() => page.getByLabel("Speed").inputValue()).toBe("1.2");
    await page.getByLabel("Replace with").fill("Greetings from");
    await page.getByRole("button", { name: "Replace", exact: true }).click();
    await page.getByText("1 place replaced").waitFor();
    await page.getByRole("button", { name: "Replace all" }).click();
    await page.getByText("Not found").waitFor();
    expect((await page.locator(".words").allTextContents()).filter((text) => /Greetings from/.test(text))).not.toEqual(
      [],
    );
    for (let count = 0; count < 2; count++) await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText(/^[4-9] found$/).waitFor();
    // The recording continues where it stopped.
    await pageLink(page, "Recordings").click();
    await page.goto(`${service.base}/jobs/${jobId}`);
    await expect.poll(() => page.locator("output.time").textContent()).not.toBe("00:00");
    await context.close();
  });

  test("a question about a transcript is answered with moments that play the recording there", async () => {
    const provider = await ProviderServer.start();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    provider.answer = async () => {
      await held;
      return { content: "Somebody says hello [1], in Paris." };
    };
    const asking = await startService({ environment: { PARLANCE_LLM_URL: `${provider.base}/v1` } });
    try {
      await ready(asking);
      const id = await submit(asking, wav([repeated(await decodeSpeech(), 3, 3)]), {});
      const { result } = await finished(asking, id);
      const note = { start: 0, end: 1_000, text: "Another panel." };
      expect((await call(asking, "POST", `/v2/transcription/${id}/notes`, { body: note })).status).toBe(201);
      const { context, page, complaints } = await open(`/jobs/${id}`, {}, asking);
      await page.getByRole("tab", { name: "Questions" }).click();
      await page.getByLabel("Ask about this recording").fill("Who speaks?");
      await page.getByRole("button", { name: "Ask", exact: true }).click();
      await page.getByRole("button", { name: "Stop" }).waitFor();
      // The answer continues while another panel is shown, and what is typed stays.
      await page.getByLabel("Ask about this recording").fill("And when?");
      await page.getByRole("tab", { name: "Notes" }).click();
      await page.getByText("Another panel.").waitFor();
      release();
      await page.getByRole("tab", { name: "Questions" }).click();
      expect(await page.getByLabel("Ask about this recording").inputValue()).toBe("And when?");
      const answer = page.locator(".answers li").first();
      await expect.poll(() => answer.textContent()).toMatch(/Who speaks\?Somebody says hello .*, in Paris\./);
      // After the last piece of the answer.
      await expect.poll(() => answer.textContent()).toMatch(/Not in the transcript: Paris/);
      await shoot(page, "questions");
      await answer.locator("button.stamp").click();
      const { start } = result.transcription.utterances[1];
      const shown = async () => Number((await page.locator("output.time").textContent())?.split(":").at(-1));
      await expect.poll(shown).toBeGreaterThanOrEqual(Math.floor(start));
      expect(complaints).toEqual([]);
      await context.close();
    } finally {
      release();
      await asking.remove();
      await provider.stop();
    }
  });

  test("a question names the model that it needs with its size, and downloads it only after a click", async () => {
    const { context, page } = await open(`/jobs/${jobId}`);
    const bodies: { fetch_model?: boolean }[] = [];
    const answers = [
      errors.languageModelNotInstalled("qwen2.5-1.5b-instruct", 1_117_000_000),
      errors.languageModelOnItsWay("qwen2.5-1.5b-instruct", "40 %", 5),
      errors.modelNotFetched("qwen2.5-1.5b-instruct", errors.hubFailed("https://hub.example/model", "it is cut off")),
    ];
    await page.route("**/questions", async (route) => {
      const { status = 500, message = "" } = answers[bodies.length] ?? {};
      bodies.push(route.request().postDataJSON());
      await route.fulfill({ status, json: { statusCode: status, message } });
    });
    await page.getByRole("tab", { name: "Questions" }).click();
    await page.getByLabel("Ask about this recording").fill("Who speaks?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    const answer = page.locator(".answers li").first();
    await expect.poll(() => answer.textContent()).toMatch(/qwen2\.5-1\.5b-instruct.*1117 MB/);
    expect(bodies).toEqual([{ question: "Who speaks?" }]);
    await shoot(page, "question-download");
    await page.getByRole("button", { name: "Download and ask" }).click();
    await expect.poll(() => answer.textContent()).toMatch(/being fetched \(40 %\)/);
    await expect.poll(() => answer.textContent()).toMatch(/could not be fetched/);
    await page.getByRole("button", { name: "Download again and ask" }).waitFor();
    expect(bodies.map(({ fetch_model }) => fetch_model)).toEqual([undefined, true, undefined]);
    await context.close();
  });

  test("live: words from the microphone appear, a lost connection is resumed, the transcript is stored", async () => {
    const { context, page, complaints } = await open("/live");
    await page.getByRole("button", { name: "Microphone" }).click();
    await page.getByText(/hello/i).first().waitFor({ timeout: 30_000 });
    await shoot(page, "live");
    // The network fails and recovers.
    await page.evaluate(() => {
      const own = WebSocket.prototype.send;
      WebSocket.prototype.send = function send(data) {
        WebSocket.prototype.send = own;
        if (data) this.close(4000);
      };
    });
    await page.getByText("Reconnected once").waitFor({ timeout: 30_000 });
    await expect.poll(() => page.locator(".caption-words .final").count(), { timeout: 60_000 }).toBeGreaterThan(1);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("link", { name: "Its transcript and recording" }).click();
    // The microphone may begin within the first word.
    const texts = () => page.locator(".words").allTextContents();
    await expect.poll(async () => (await texts()).join(" ")).toMatch(/hello/i);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("live: translations stand beside the words, or alone", async () => {
    const provider = await ProviderServer.start();
    provider.answer = ({ body }) => ({ translated: [body.q].flat().map((text: string) => `«${text}»`) });
    const translating = await startService({ environment: { PARLANCE_TRANSLATE_URL: provider.base } });
    try {
      await ready(translating);
      const { context, page } = await open("/live", {}, translating);
      await page.evaluate(() => {
        const translation_config = { target_languages: ["fr"] };
        const realtime_processing = { translation: true, translation_config };
        localStorage.setItem(
          "parlance.live-options.default",
          JSON.stringify({ endpointing: 0.3, realtime_processing }),
        );
      });
      await page.reload();
      await page.setInputFiles('input[name="live-file"]', HELLO_MP3);
      const translated = page.locator(".caption-line .final[lang=fr]").first();
      await expect.poll(() => translated.textContent(), { timeout: 30_000 }).toMatch(/^«hello.*»$/i);
      expect(await page.locator(".caption-line .final[lang=en]").first().textContent()).toMatch(/^hello/i);
      await shoot(page, "live-translation");
      await page.getByRole("radio", { name: "Translation" }).check();
      expect(await page.locator(".caption-line [lang=en]").count()).toBe(0);
      expect(await translated.isVisible()).toBe(true);
      await page.getByRole("radio", { name: "Original" }).check();
      expect(await page.locator(".caption-line [lang=fr]").count()).toBe(0);
      // The newest words stay in sight when the lines become longer.
      const words = page.locator(".caption-words");
      await words.evaluate(({ style }) => {
        style.flex = "none";
        style.height = "5rem";
      });
      await page.getByRole("radio", { name: "Side by side" }).check();
      const distance = () => words.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
      await expect.poll(distance).toBeLessThan(5);
      await context.close();
    } finally {
      await translating.remove();
      await provider.stop();
    }
  });

  test("live: a file is streamed in real time", async () => {
    const { context, page } = await open("/live");
    await page.setInputFiles('input[name="live-file"]', HELLO_MP3);
    await page.getByText(/hello/i).first().waitFor({ timeout: 30_000 });
    await page.getByText("The session is over").waitFor({ timeout: 30_000 });
    await context.close();
  });

  test("recordings are searched, named, selected and deleted, and refresh automatically", async () => {
    const { context, page } = await open("/jobs");
    const id = await submit(service, readFileSync(HELLO_MP3), { custom_metadata: { project: "spring" } });
    await finished(service, id);
    await page.getByText("More filters").click();
    await page.getByLabel("Metadata").fill("project=spring");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect.poll(() => page.locator(".entry").count()).toBe(1);
    const search = async (text: string) => {
      await page.getByRole("searchbox", { name: "Search" }).fill(text);
      await page.getByRole("button", { name: "Search", exact: true }).click();
    };
    await search("zebra");
    await page.getByText("No recordings match").waitFor();
    await search("");
    await page.getByRole("button", { name: "Rename audio" }).click();
    await page.getByLabel("Name of the recording").fill("Interview with Annie Grant");
    // Enter that ends the composition of a character saves nothing.
    await page.getByLabel("Name of the recording").dispatchEvent("keydown", { key: "Enter", isComposing: true });
    await page.reload();
    expect(await page.getByLabel("Name of the recording").inputValue()).toBe("Interview with Annie Grant");
    await page.getByLabel("Name of the recording").press("Enter");
    await page.getByRole("link", { name: "Interview with Annie Grant" }).waitFor();
    await search("annie hello");
    await page.getByRole("link", { name: "Interview with Annie Grant" }).waitFor({ timeout: 30_000 });
    await expect.poll(() => page.locator(".entry-facts").textContent()).toMatch(/ · 00:0\d · English$/);
    await search("hello");
    await expect.poll(() => page.locator(".passage mark").first().textContent(), { timeout: 20_000 }).toMatch(/hello/i);
    page.on("dialog", (dialog) => dialog.accept());
    await page.getByLabel("All on this page").check();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("No recordings match").waitFor();
    expect((await call(service, "GET", `/v2/transcription/${id}`)).status).toBe(404);
    await context.close();
  });

  test("a wrong address and an expired sign-in show a page of the console, and programs get JSON", async () => {
    const { context, page } = await open("/no/such/page");
    await page.getByRole("heading", { name: "There is no such page" }).waitFor();
    const json = await page.request.get(`${service.base}/no/such/page`, { headers: { accept: "application/json" } });
    expect([json.status(), (await json.json()).statusCode]).toEqual([404, 404]);
    await page.goto(`${service.base}/v2/transcription/${crypto.randomUUID()}`);
    await page.getByRole("heading", { name: "There is no such page" }).waitFor();
    await context.clearCookies();
    await page.goto(`${service.base}/v2/transcription/${jobId}/transcript?format=json`);
    await page.getByLabel("Key").fill(TEST_KEY);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Sign in" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("audio.json");
    await context.close();
  });

  test("what failed is on the recording, with a button that makes the transcript again", async () => {
    const { context, page } = await open("/");
    await page.route(`**/v2/transcription/${jobId}`, async (route) => {
      const answer = await route.fetch();
      const job = await answer.json();
      const error = { status_code: 500, exception: "Failed", message: "The speaker model could not be loaded." };
      job.result.diarization = { success: false, is_empty: true, exec_time: 0, error, results: null };
      // Added by the service.
      Object.assign(job.request_params, { account_words: [{ value: "Vercel" }], warnings: ["a warning"] });
      await route.fulfill({ response: answer, json: job });
    });
    await page.goto(`${service.base}/jobs/${jobId}`);
    await page.getByText("Speakers: this part is missing.").waitFor();
    await page.getByText("The speaker model could not be loaded.").waitFor();
    await page.getByRole("button", { name: "Transcribe again", exact: true }).click();
    await page.waitForURL((url) => /\/jobs\/[\w-]+$/.test(url.pathname) && !url.pathname.endsWith(jobId));
    const again = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const { request_params } = (await call(service, "GET", `/v2/transcription/${again}`)).json;
    expect(request_params).toMatchObject({ diarization: true, summarization: true });
    expect(request_params.warnings ?? []).not.toContainEqual(expect.stringMatching(/account_words|^warnings/));
    await call(service, "DELETE", `/v2/transcription/${again}?cancel=true`);
    await context.close();
  });

  test("markup in a transcript is displayed as text", async () => {
    const { context, page, complaints } = await open("/");
    const markup = '<img src=x onerror="window.hit=1"><script>window.hit=1</script> **bold** [x](javascript:hit)';
    await call(service, "PATCH", `/v2/transcription/${jobId}/transcript`, {
      body: { utterances: [{ index: 0, text: markup }], speakers: [{ speaker: 0, name: "<b onclick=hit>" }] },
    });
    await page.goto(`${service.base}/jobs/${jobId}`);
    await expect.poll(() => page.locator(".words").first().textContent()).toContain("<script>");
    await page.goto(`${service.base}/jobs?search=bold`);
    await page.locator(".passage").first().waitFor();
    expect(await page.evaluate(() => (window as unknown as { hit?: number }).hit)).toBeUndefined();
    expect(complaints).toEqual([]);
    await context.close();
  });

  describe.each([
    ["desktop", "light", { width: 1280, height: 860 }],
    ["phone", "dark", { width: 390, height: 844 }],
  ] as const)("on a %s, %s", (device, colorScheme, viewport) => {
    let context: BrowserContext;
    let page: Page;
    beforeAll(async () => {
      ({ context, page } = await open("/", { viewport, colorScheme, bypassCSP: true }));
    });
    afterAll(() => context?.close());

    test.each([
      ["transcribe", "/", "Drop recordings here", "Transcribe · Parlance"],
      ["live-page", "/live", "Words appear here", "Live · Parlance"],
      ["jobs", "/jobs", "All on this page", "Recordings · Parlance"],
      ["transcript", "", "Subtitles", "audio · Parlance"],
      ["account", "/setup/account", "Vocabulary lists", "Account · Parlance"],
      ["models", "/setup/models", "Transcribes English.", "Models · Parlance"],
      ["machine", "/setup/machine", "An hour of audio takes", "Machine · Parlance"],
      ["missing", "/no/such/page", "There is no such page", "No such page · Parlance"],
      ["shared-captions", "/captions/4f2c1c39-9e2c-4a0c-8d43-2f7f5a3f6c11?token=none", "captions", /^.+ · Parlance$/],
    ])("%s: a title, no violation of accessibility, nothing cut off", async (name, route, text, title) => {
      await page.goto(service.base + (route === "" ? `/jobs/${jobId}` : route));
      await page.getByText(text).first().waitFor();
      await page.waitForTimeout(400);
      await expect.poll(() => page.title()).toMatch(title);
      // Each click leaves one fewer in the list.
      const closed = page.locator("main details:not([open]) > summary:visible");
      while ((await closed.count()) > 0) await closed.first().click();
      if (name !== "transcript") await shoot(page, `${name}-${device}`);
      expect(await violations(page)).toEqual([]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    });

    test("sign-in: a title, no violation of accessibility, nothing cut off", async () => {
      const signedOut = await browser.newContext({ viewport, colorScheme, bypassCSP: true });
      const out = await signedOut.newPage();
      await out.goto(service.base);
      await out.getByLabel("Key").waitFor();
      expect(await out.title()).toBe("Sign in · Parlance");
      expect(await violations(out)).toEqual([]);
      expect(await overflowOf(out)).toBeLessThanOrEqual(0);
      await signedOut.close();
    });
  });

  test("the focus is never lost to the body: after a link, a removed row and a closed dialog", async () => {
    const { context, page } = await open("/");
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: active } = document;
        return `${active?.tagName} ${active?.getAttribute("aria-label") ?? active?.id ?? ""}`.trim();
      });
    const names = ["one", "two", "three"].map((name) => `${name}-${Date.now()}.mp3`);
    const [first = "", second = "", third = ""] = names;
    for (const name of names) {
      await page.setInputFiles('input[name="files"]', {
        name,
        mimeType: "audio/mpeg",
        buffer: Buffer.from("a letter"),
      });
    }
    await expect.poll(() => page.locator(".task .problem").count()).toBe(3);
    page.on("dialog", (dialog) => dialog.accept());
    for (const [removed, left] of [
      [second, third],
      [third, first],
    ]) {
      await page.getByRole("button", { name: `Remove ${removed}` }).focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => page.locator(".task", { hasText: String(removed) }).count()).toBe(0);
      await expect
        .poll(() =>
          page
            .locator(".task", { hasText: String(left) })
            .locator(":focus")
            .count(),
        )
        .toBe(1);
    }
    await page.getByRole("button", { name: `Remove ${first}` }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(focused).toBe("MAIN main");
    for (const language of ["de", "en"]) await page.getByLabel("Languages").selectOption(language);
    await page.getByRole("button", { name: "Remove German" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(focused).toBe("BUTTON Remove English");
    // A link of the page itself is gone with it.
    await page.goto(`${service.base}/no/such/page`);
    await page.getByRole("link", { name: "your recordings" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Recordings" }).waitFor();
    await expect.poll(focused).toBe("MAIN main");
    await page.goto(`${service.base}/jobs/${jobId}`);
    await page.getByRole("button", { name: "Subtitles", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.locator(".cue").first().waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Subtitles");
    await page.getByRole("button", { name: "Text", exact: true }).click();
    await openFold(page, "Speakers");
    await page.locator(".speaker-chip").first().focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await focused()).not.toMatch(/^BODY/);
    await context.close();
  });

  test("a folder is dropped on any page, and its recordings are transcribed", async () => {
    const dropped = path.join(folder, "interviews");
    mkdirSync(path.join(dropped, "second day"), { recursive: true });
    const names = [`annie-${Date.now()}.mp3`, `tom-${Date.now()}.mp3`];
    writeFileSync(path.join(dropped, String(names[0])), readFileSync(HELLO_MP3));
    writeFileSync(path.join(dropped, "second day", String(names[1])), readFileSync(HELLO_MP3));
    for (const name of [".hidden.mp3", "notes.txt"]) writeFileSync(path.join(dropped, name), "not a recording");
    const { context, page } = await open("/setup/account");
    await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
    const devices = await context.newCDPSession(page);
    const data = { items: [], files: [dropped], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver"] as const) {
      await devices.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data });
    }
    await page.getByText("Drop the recordings to transcribe them").waitFor();
    await devices.send("Input.dispatchDragEvent", { type: "drop", x: 300, y: 300, data });
    await page.getByRole("heading", { name: "2 of 2 done" }).waitFor();
    expect(await page.locator(".task-name").allTextContents()).toEqual(names);
    await context.close();
  });

  test("a message about a lost connection is gone when the service answers again", async () => {
    const { context, page } = await open("/setup/models");
    await page.getByRole("heading", { name: "Models", exact: true }).waitFor();
    await page.route("**/console/session", (route) => route.abort());
    await page.getByRole("button", { name: "Sign out" }).click();
    const message = page.locator(".notice", { hasText: "The service does not answer" });
    await message.waitFor();
    await page.unroute("**/console/session");
    await message.waitFor({ state: "detached" });
    await context.close();
  });

  test("options are kept as a preset, metadata has rows, and a model is chosen from those installed", async () => {
    const { context, page } = await open("/");
    await page.getByLabel("Subtitles", { exact: true }).check();
    await page.getByText("More", { exact: true }).click();
    await page.getByRole("heading", { name: "Delivery" }).waitFor();
    expect(await page.getByLabel("Model", { exact: true }).locator("option").allTextContents()).toEqual([
      "Automatic",
      ...(await installedNames()),
    ]);
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("project");
    await page.getByRole("textbox", { name: "Value", exact: true }).fill("spring");
    await page.getByRole("button", { name: "Keep these options" }).click();
    await page.keyboard.type("Interviews");
    expect(await page.getByLabel("Name of the preset").inputValue()).toBe("Interviews");
    await page.keyboard.press("Enter");
    const preset = page.getByLabel("Preset", { exact: true });
    expect(await preset.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.getByRole("button", { name: "Reset", exact: true }).click();
    expect(await page.getByLabel("Subtitles", { exact: true }).isChecked()).toBe(false);
    await page.reload();
    await page.getByLabel("Preset").selectOption("Interviews");
    expect(await page.getByLabel("Subtitles", { exact: true }).isChecked()).toBe(true);
    const kept = await page.evaluate(() => localStorage.getItem("parlance.options.default"));
    expect(JSON.parse(kept ?? "{}")).toEqual({ subtitles: true, custom_metadata: { project: "spring" } });
    await page.getByRole("button", { name: "Delete the preset" }).click();
    expect(await page.getByLabel("Preset").count()).toBe(0);
    await context.close();
  });

  test("a download that options lead to is named with its size before anything is sent", async () => {
    const { context, page } = await open("/");
    await page.route("**/v2/models", async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      for (const model of body.items) model.on_demand = !model.installed && model.id === "whisper-small";
      await route.fulfill({ response: answer, json: body });
    });
    await page.reload();
    await page.getByLabel("Languages").first().selectOption("de");
    await page.getByText(/Downloaded once, with the first recording: whisper-small \(\d+ MB\)/).waitFor();
    await page.getByRole("button", { name: "Reset", exact: true }).click();
    await expect.poll(() => page.getByText(/Downloaded once/).count()).toBe(0);
    // A request may still be handled. A handler that the end of the context interrupts fails the run.
    await page.unrouteAll({ behavior: "wait" });
    await context.close();
  });

  test("an account without recordings sees three steps, and its first words become a recording", async () => {
    const first = await startService();
    try {
      await ready(first);
      const { context, page } = await open("/jobs", { permissions: ["microphone"] }, first);
      await page.getByRole("heading", { name: "Three steps to the first transcript" }).waitFor();
      await shoot(page, "first-visit");
      expect(await page.locator('.first-visit input[type="file"]').count()).toBe(1);
      await page.getByRole("button", { name: "Record" }).click();
      // A program sends a recording meanwhile.
      await submit(first, readFileSync(HELLO_MP3));
      await page.locator(".entry").waitFor();
      await page.getByRole("button", { name: /Stop at 00:(0[3-9]|[1-5])/ }).click();
      await expect.poll(() => page.locator(".entry").count()).toBe(2);
      expect(await page.getByText("Three steps").count()).toBe(0);
      await context.close();
    } finally {
      await first.remove();
    }
  });

  /** Screenshots for the documentation, only with SCREENSHOTS_DIR. */
  const pictures = PICTURES === undefined || !hasShared ? () => undefined : test;
  pictures("pictures of a real transcript", async () => {
    const readings = references().filter(({ file }) => /audiobook-08[789]0|order-0[12]/.test(file));
    const pieces = await Promise.all(readings.map(({ path: file }) => decodeSpeech(file)));
    const recording = wav([Float32Array.from(pieces.flatMap((piece) => [...piece, ...new Array(20_000).fill(0)]))]);
    const { audio_url } = (await upload(service, recording, "Readings.wav")).json;
    const body = {
      audio_url,
      diarization: true,
      chapterization: true,
      summarization: true,
      named_entity_recognition: true,
      sentiment_analysis: true,
    };
    const { id } = (await call(service, "POST", "/v2/pre-recorded", { body })).json;
    await finished(service, id);
    for (const [name, colorScheme, viewport] of [
      ["desktop", "light", { width: 1280, height: 760 }],
      ["phone", "dark", { width: 390, height: 844 }],
    ] as const) {
      const { context, page } = await open(`/jobs/${id}?t=9`, { viewport, colorScheme });
      await page.locator(".utterance").first().waitFor();
      await page.waitForTimeout(800);
      await shoot(page, `transcript-${name}`);
      if (name === "desktop") {
        await page.getByRole("button", { name: "Subtitles", exact: true }).click();
        await page.locator(".cue").first().waitFor();
        await page.waitForTimeout(800);
        await shoot(page, "subtitles-desktop");
      }
      await context.close();
    }
  });

  test("the keyboard alone reaches the content and every page", async () => {
    const { context, page } = await open("/");
    await page.goto(`${service.base}/`);
    await page.getByText("Drop recordings here").waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/Skip to the content/);
    await pageLink(page, "Recordings").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Recordings" }).waitFor();
    await expect.poll(() => page.title()).toBe("Recordings · Parlance");
    await page.goto(`${service.base}/jobs/${jobId}`);
    await expect.poll(() => page.title()).toBe("audio · Parlance");
    await context.close();
  });
});

interface Violation {
  id: string;
  nodes: { html: string }[];
}
