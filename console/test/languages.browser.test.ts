// The console in other languages, one of them written from right to left, in a real browser against the service.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, complaintsOf, launch, overflowOf, signIn, violationsOf } from "../../test/fixtures/browser.ts";
import { wav } from "../../test/fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../../test/fixtures/speech.ts";
import { isThorough } from "../../test/fixtures/thorough.ts";
import { call, finished, type RunningService, ready, startService, submit, TEST_KEY } from "../../test/service.ts";
import { messages as arabicMessages } from "../src/language/messages/ar.ts";
import { messages as germanMessages } from "../src/language/messages/de.ts";
import { messages as spanishMessages } from "../src/language/messages/es.ts";
import { messages as frenchMessages } from "../src/language/messages/fr.ts";
import { messages as japaneseMessages } from "../src/language/messages/ja.ts";
import { messages as portugueseMessages } from "../src/language/messages/pt.ts";
import { texts as arabic } from "../src/language/tables/ar.ts";
import { texts as german } from "../src/language/tables/de.ts";
import { texts as english, type Texts } from "../src/language/tables/en.ts";
import { texts as spanish } from "../src/language/tables/es.ts";
import { texts as french } from "../src/language/tables/fr.ts";
import { texts as japanese } from "../src/language/tables/ja.ts";
import { texts as portuguese } from "../src/language/tables/pt.ts";

/** Folder for screenshots. */
const PICTURES = process.env["SCREENSHOTS_DIR"];
const PHONE = 390;
const WIDTHS = PICTURES ? [PHONE, 1440] : [PHONE];

/** English texts of several words: one of them in another language's page was not translated. */
const SENTENCES = sentencesOf(english);
function sentencesOf(group: object): string[] {
  return Object.values(group).flatMap((value): string[] => {
    if (typeof value === "object") return sentencesOf(value);
    return typeof value === "string" && value.split(" ").length > 2 && !value.includes("<") ? [value] : [];
  });
}

interface PageDocument {
  document: {
    documentElement: { lang: string; dir: string };
    body: { innerText: string };
    querySelectorAll(selector: string): Iterable<{ getAttribute(name: string): string | null }>;
  };
}

/** The text of a page, with what it shows on request and to screen readers. */
const textOf = (page: Page) =>
  page.evaluate(() => {
    const { document } = globalThis as unknown as PageDocument;
    const names = ["title", "aria-label", "placeholder"];
    const attributes = [...document.querySelectorAll("[title], [aria-label], [placeholder]")].flatMap((element) =>
      names.map((name) => element.getAttribute(name) ?? ""),
    );
    return [document.body.innerText, ...attributes].join("\n");
  });

const directionOf = (page: Page) =>
  page.evaluate(() => {
    const { lang, dir } = (globalThis as unknown as PageDocument).document.documentElement;
    return { lang, dir };
  });

/** Of the parts of a text around its parameters. */
const longest = (parts: readonly string[]) =>
  parts.reduce((one, other) => (other.length > one.length ? other : one)).trim();

describe.skipIf(!CHROMIUM)("the console in other languages (skipped where there is no Chromium)", () => {
  let service: RunningService;
  let browser: Browser;
  let folder: string;
  let account: BrowserContext;
  let job: string;
  let truncated: string;
  /** Of a link to the recording. */
  let token: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-languages-"));
    const speech = repeated(await decodeSpeech(), 4, 2);
    const microphone = path.join(folder, "microphone.wav");
    writeFileSync(microphone, wav([speech], 16_000));
    service = await startService();
    await ready(service);
    browser = await launch(microphone);
    job = await submit(service, wav([speech]), {
      diarization: true,
      summarization: true,
      named_entity_recognition: true,
    });
    await finished(service, job);
    token = (await call(service, "POST", `/v2/transcription/${job}/shares`, { body: { audio: true } })).json.token;
    // The header declares twice the audio that the file holds.
    const whole = wav([speech]);
    truncated = await submit(service, whole.subarray(0, Math.floor(whole.length / 2)), {});
    await finished(service, truncated);
    account = await browser.newContext();
    await signIn(await account.newPage(), service.base);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const shoot = async (page: Page, name: string) => {
    if (!PICTURES) return;
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: path.join(PICTURES, `${name}.png`) });
  };

  /** @param route  beginning with a slash; ID stands for that of the recording */
  const pages: [name: string, route: string, text: (texts: Texts) => string][] = [
    ["transcribe", "/", ({ transcribe }) => transcribe.drop],
    ["live", "/live", ({ live }) => live.file],
    ["live-options", "/live#options", ({ live }) => live.file],
    ["recordings", "/jobs", ({ recordings }) => recordings.all],
    ["transcript", "/jobs/ID", ({ transcript }) => transcript.view],
    ["subtitles", "/jobs/ID?view=subtitles", ({ subtitles }) => subtitles.hint],
    ["account", "/setup/account", ({ setup }) => setup.programs],
    ["models", "/setup/models", ({ models }) => models.builtIn],
    ["machine", "/setup/machine", ({ machine }) => machine.disk],
    ["missing", "/nowhere", ({ frame }) => frame.missing],
    ["captions", "/captions/4f2c1c39-9e2c-4a0c-8d43-2f7f5a3f6c11?token=none", ({ viewer }) => viewer.refused],
    ["shared", "/shared#TOKEN", ({ share }) => longest(share.worksUntil("|").split("|"))],
  ];

  /** A browser in another language, signed in. */
  const contextIn = async (code: string, width: number) => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, locale: code, bypassCSP: true });
    await context.addCookies(await account.cookies());
    return context;
  };
  const opened = async (context: BrowserContext, route: string, text: string) => {
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto(service.base + route.replace("ID", job).replace("TOKEN", token));
    await page.getByText(text).first().waitFor();
    if (route === "/jobs/ID") {
      await page.locator(".utterance").first().waitFor();
      await page.getByRole("button", { name: text, exact: true }).click();
      await page.locator(".fold-panel input").first().waitFor();
    }
    if (route === "/live#options") {
      await page.locator("button[aria-haspopup=dialog]").click();
      await page.locator(".drawer input").first().waitFor();
    }
    for (const details of await page.locator("details > summary").all()) await details.click();
    return { page, complaints };
  };

  describe.each([
    ["de", "ltr", german],
    ["ar", "rtl", arabic],
  ] as const)("in %s", (code, dir, texts) => {
    test.each(WIDTHS)(
      "at %i pixels, every page is translated, nothing is cut off, and axe finds nothing",
      async (width) => {
        const context = await contextIn(code, width);
        await context.clearCookies();
        const out = await context.newPage();
        await out.goto(`${service.base}/`);
        await out.getByRole("heading", { name: texts.signIn.title }).waitFor();
        expect(await directionOf(out)).toEqual({ lang: code, dir });
        expect([await overflowOf(out), await violationsOf(out)]).toEqual([0, []]);
        await shoot(out, `${code}-sign-in-${width}`);
        await context.addCookies(await account.cookies());
        for (const [name, route, text] of pages) {
          const { page, complaints } = await opened(context, route, text(texts));
          expect(await directionOf(page), name).toEqual({ lang: code, dir });
          const shown = await textOf(page);
          expect(
            SENTENCES.filter((sentence) => shown.includes(sentence)),
            name,
          ).toEqual([]);
          expect(await overflowOf(page), name).toBeLessThanOrEqual(0);
          expect(await violationsOf(page), name).toEqual([]);
          await shoot(page, `${code}-${name}-${width}`);
          // The page that does not exist is answered with 404, and the captions without a token with an error.
          expect(
            complaints.filter((complaint) => !/40\d/.test(complaint)),
            name,
          ).toEqual([]);
          await page.close();
        }
        await context.close();
      },
    );
  });

  const onPhones = [
    ["fr", french],
    ["es", spanish],
    ["pt", portuguese],
    ["ja", japanese],
  ] as const;
  // French has the longest words, Japanese breaks lines in another way.
  test.each(onPhones.filter(([code]) => isThorough || code === "fr" || code === "ja"))(
    "in %s, nothing is cut off on a phone",
    async (code, texts) => {
      const context = await contextIn(code, PHONE);
      for (const [name, route, text] of pages) {
        const { page } = await opened(context, route, text(texts));
        expect(await overflowOf(page), name).toBeLessThanOrEqual(0);
        await shoot(page, `${code}-${name}-${PHONE}`);
        await page.close();
      }
      await context.close();
    },
  );

  const ofMessages = [
    ["de", german, germanMessages],
    ["fr", french, frenchMessages],
    ["es", spanish, spanishMessages],
    ["pt", portuguese, portugueseMessages],
    ["ja", japanese, japaneseMessages],
    ["ar", arabic, arabicMessages],
  ] as const;
  // console/test/messages.test.ts compares the tables of all languages.
  test.each(ofMessages.filter(([code]) => isThorough || code === "de" || code === "ar"))(
    "in %s, errors and warnings of the service are translated",
    async (code, texts, messages) => {
      const context = await contextIn(code, 1280);
      await context.clearCookies();
      const out = await context.newPage();
      await out.goto(`${service.base}/`);
      await out.getByLabel(texts.signIn.key).fill("not-a-key");
      await out.getByRole("button", { name: texts.signIn.title }).click();
      await out.getByText(messages["account.key_unknown"]).waitFor();
      await shoot(out, `${code}-wrong-key`);
      await context.addCookies(await account.cookies());
      const page = await context.newPage();
      await page.goto(`${service.base}/jobs/${truncated}`);
      // The beginning before the first number.
      await page.getByText(messages["warning.truncated"].split("{")[0]?.trim() ?? "").waitFor();
      await page.getByText(texts.panels.questions, { exact: true }).first().click();
      await page.getByLabel(texts.questions.askAbout).fill("?");
      await page.getByRole("button", { name: texts.questions.ask }).click();
      const answer = `${messages["questions.unavailable"]}`.replace("{reason}", messages["questions.needs_model"]);
      // The beginning before the command.
      await page.getByText(answer.split("{")[0]?.trim() ?? "").waitFor();
      expect(await textOf(page)).not.toMatch(/truncated|needs a language model/);
      await shoot(page, `${code}-messages`);
      await context.close();
    },
  );

  test("text of a transcript keeps its own language and direction", async () => {
    const context = await browser.newContext({ locale: "ar" });
    await context.addCookies(await account.cookies());
    const page = await context.newPage();
    await page.goto(`${service.base}/jobs/${job}`);
    const words = page.locator(".words").first();
    await words.waitFor();
    expect(await words.getAttribute("lang")).toBe("en");
    expect(
      await words.evaluate((element) => (element as unknown as { matches(s: string): boolean }).matches(":dir(ltr)")),
    ).toBe(true);
    // Time runs from left to right: the timeline, the waveform and times are not mirrored.
    await page.goto(`${service.base}/jobs/${job}?view=subtitles`);
    await page.locator(".timeline-strip").waitFor();
    for (const place of [".timeline-strip", ".wave", ".cue-time"]) {
      const isLeftToRight = await page
        .locator(place)
        .first()
        .evaluate((element) => globalThis.getComputedStyle(element as never).direction === "ltr");
      expect(isLeftToRight, place).toBe(true);
    }
    await context.close();
  });

  test("another language is chosen without a reload: typed text and a live session continue, other windows follow", async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${service.base}/`);
    await page.getByLabel("Key").fill(TEST_KEY);
    await page.getByLabel(english.frame.interfaceLanguage).selectOption("de");
    await page.getByRole("heading", { name: german.signIn.title }).waitFor();
    expect(await page.getByLabel(german.signIn.key).inputValue()).toBe(TEST_KEY);
    await page.getByRole("button", { name: german.signIn.title }).click();
    await page.getByText(german.transcribe.drop).waitFor();
    const other = await context.newPage();
    await other.goto(`${service.base}/jobs/${job}`);
    await other.getByRole("button", { name: german.transcript.view, exact: true }).waitFor();
    await other.getByLabel(german.find.find).fill("hello");

    await page.getByRole("link", { name: german.frame.live, exact: true }).click();
    await page.getByRole("button", { name: german.live.microphone }).click();
    await page.locator(".caption-words .final").first().waitFor();
    await page.getByLabel(german.frame.interfaceLanguage).selectOption("ar");
    await page.getByText(arabic.live.connections.open, { exact: true }).waitFor();
    const before = await page.locator(".caption-words .final").count();
    await expect.poll(() => page.locator(".caption-words .final").count()).toBeGreaterThan(before);
    await page.getByRole("button", { name: arabic.frame.stop, exact: true }).click();
    await page.getByText(arabic.live.over.replace(/<1>.*/, "").trim()).waitFor();

    await other.getByRole("button", { name: arabic.transcript.view, exact: true }).waitFor();
    expect(await other.getByLabel(arabic.find.find).inputValue()).toBe("hello");
    expect(await directionOf(other)).toEqual({ lang: "ar", dir: "rtl" });
    expect(await other.locator(".utterance .speaker").first().getAttribute("title")).toBe(
      arabic.transcript.correctSpeaker,
    );
    await page.reload();
    await expect.poll(() => directionOf(page)).toEqual({ lang: "ar", dir: "rtl" });
    expect(complaints).toEqual([]);
    await context.close();
  });
});
