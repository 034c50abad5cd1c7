// The page of live captions in Chromium: what fills it, its microphones, pauses, title, text and window.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, launch, openConsole, overflowOf, violationsOf } from "../../test/fixtures/browser.ts";
import { wav } from "../../test/fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../../test/fixtures/speech.ts";
import { call, type RunningService, ready, startService } from "../../test/service.ts";

/** Folder for screenshots. */
const PICTURES = process.env["SCREENSHOTS_DIR"];
/** The service ends sessions that send nothing for longer. The page sends an empty chunk every five seconds. */
const IDLE_SECONDS = 14;
const PATIENCE_MILLISECONDS = 60_000;
const LEAST_FONT_PIXELS = 28;

/** Of a page: the names of the microphones that it opened, in order, and the track of the last one. */
declare global {
  var opened: string[];
  var lastTrack: MediaStreamTrack | undefined;
}

/** In a page, before its scripts: notes the microphones that it opens. */
function noteMicrophones(): void {
  globalThis.opened = [];
  const { mediaDevices } = navigator;
  const own = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = async (constraints) => {
    const stream = await own(constraints);
    globalThis.lastTrack = stream.getAudioTracks()[0];
    globalThis.opened.push(globalThis.lastTrack?.label ?? "");
    return stream;
  };
}

describe.skipIf(!CHROMIUM)("the page of live captions (skipped where there is no Chromium)", () => {
  let service: RunningService;
  let browser: Browser;
  let folder: string;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-live-page-"));
    const microphone = path.join(folder, "microphone.wav");
    writeFileSync(microphone, wav([repeated(await decodeSpeech(), 4, 2)], 16_000));
    service = await startService({ environment: { PARLANCE_LIVE_IDLE_SECONDS: String(IDLE_SECONDS) } });
    await ready(service);
    browser = await launch(microphone);
  });
  afterEach(async () => context?.close());
  afterAll(async () => {
    await browser?.close();
    await service?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const shoot = async (name: string, shown = page) => {
    if (!PICTURES) return;
    mkdirSync(PICTURES, { recursive: true });
    await shown.screenshot({ path: path.join(PICTURES, `${name}.png`) });
  };
  const open = async () => {
    ({ context, page, complaints } = await openConsole(browser, service.base));
    await context.grantPermissions(["microphone", "clipboard-read", "clipboard-write"]);
    await context.addInitScript(noteMicrophones);
    await page.goto(`${service.base}/live`);
    await button("Microphone").waitFor();
  };
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const finals = (shown = page) => shown.locator(".caption-words .final");
  const begin = async () => {
    await button("Microphone").click();
    await finals().first().waitFor();
  };
  const moreFinals = async () => {
    const before = await finals().count();
    await expect.poll(() => finals().count(), { timeout: PATIENCE_MILLISECONDS }).toBeGreaterThan(before);
  };
  const recordedSeconds = async () => {
    const [minutes = "", seconds = ""] = ((await page.getByRole("timer").textContent()) ?? "").split(":");
    return Number(minutes) * 60 + Number(seconds);
  };
  /** Ends the session. @returns its job */
  const end = async () => {
    await button("Stop").click();
    const link = page.getByRole("link", { name: "Its transcript and recording" });
    const id = ((await link.getAttribute("href")) ?? "").split("/").at(-1);
    let job: { status?: string; name?: string; result?: { metadata: { audio_duration: number } } } = {};
    const isDone = async () => {
      job = (await call(service, "GET", `/v2/live/${id}`)).json;
      return job.status;
    };
    await expect.poll(isDone, { timeout: PATIENCE_MILLISECONDS }).toBe("done");
    return job;
  };
  const seconds = (count: number) => page.waitForTimeout(count * 1_000);
  const durationOf = ({ result }: Awaited<ReturnType<typeof end>>) => result?.metadata.audio_duration ?? 0;

  test.each([
    [1440, 900],
    [390, 844],
  ])("captions fill a window of %i × %i pixels, in large letters", async (width, height) => {
    await open();
    const look = async (state: string) => {
      for (const scheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.evaluate((theme) => {
          document.documentElement.dataset["theme"] = theme;
        }, scheme);
        expect([await overflowOf(page), await violationsOf(page)], `${state}, ${scheme}`).toEqual([0, []]);
        await shoot(`live-${state}-${width}-${scheme}`);
      }
    };
    await page.setViewportSize({ width, height });
    await look("idle");
    await begin();
    await moreFinals();
    await look("session");
    const box = await page.locator(".caption-words").evaluate((words) => {
      const { top, bottom, width: own } = words.getBoundingClientRect();
      return { top, bottom, width: own, font: Number.parseFloat(getComputedStyle(words).fontSize) };
    });
    expect(box.font).toBeGreaterThanOrEqual(LEAST_FONT_PIXELS);
    expect(box.width / width).toBeGreaterThan(0.85);
    expect((box.bottom - box.top) / height).toBeGreaterThan(0.5);
    // Nothing is below them, and the page itself does not scroll.
    expect(box.bottom).toBeGreaterThan(height - 30);
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBeLessThanOrEqual(0);
    await end();
    await shoot(`live-ended-${width}`);
    expect(complaints).toEqual([]);
  });

  test("options are in a drawer, by keyboard, and the focus returns to its button", async () => {
    await open();
    const options = button("Options");
    const drawer = page.getByRole("dialog", { name: "Options" });
    await options.focus();
    await page.keyboard.press("Enter");
    await drawer.getByText("End of a sentence").first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await shoot("live-drawer");
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    expect(await options.evaluate((element) => element === document.activeElement)).toBe(true);
    await begin();
    expect(await drawer.count()).toBe(0);
    // The button that began the session has disappeared.
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(focused).toBe("Pause");
    await options.click();
    await drawer.getByText("They can be changed after this session.").waitFor();
    await drawer.getByText("Session events").click();
    await drawer.getByText("recording begins").waitFor();
    await drawer.getByRole("button", { name: "Close" }).click();
    await button("Stop").focus();
    await end();
    await expect.poll(focused).toBe("Microphone");
  });

  test("a title is typed before and during a session, and becomes the name of the recording", async () => {
    await open();
    await page.getByLabel("Title").fill("Board meeting");
    await page.reload();
    expect(await page.getByLabel("Title").inputValue()).toBe("Board meeting");
    await begin();
    await page.getByRole("heading", { name: "Board meeting" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Board meeting" }).waitFor();
    await page.getByRole("button", { name: /Rename/ }).click();
    await page.locator(".rename-field").fill("Board meeting of May");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Board meeting of May" }).waitFor();
    expect((await end()).name).toBe("Board meeting of May");
    // It belongs to that session.
    expect(await page.getByLabel("Title").inputValue()).toBe("");
  });

  test("a title that the service did not take waits in the field of the name", async () => {
    await open();
    await page.getByLabel("Title").fill("Kept title");
    await page.route("**/v2/transcription/*", (route) => route.abort());
    await begin();
    const field = page.locator(".rename-field");
    await expect.poll(() => field.inputValue()).toBe("Kept title");
    await page.unroute("**/v2/transcription/*");
    await field.press("Enter");
    await page.getByRole("heading", { name: "Kept title" }).waitFor();
    expect((await end()).name).toBe("Kept title");
  });

  test("a pause keeps the session open for longer than the service waits, and adds no time", async () => {
    await open();
    await begin();
    await button("Pause").click();
    await page.getByText("Paused", { exact: true }).waitFor();
    await shoot("live-paused");
    await seconds(1);
    const before = await recordedSeconds();
    await seconds(IDLE_SECONDS * 1.5);
    expect(await recordedSeconds()).toBe(before);
    expect(await button("Resume").isVisible()).toBe(true);
    const words = await finals().count();
    await button("Resume").click();
    await page.getByText("Listening", { exact: true }).waitFor();
    await expect.poll(() => finals().count(), { timeout: PATIENCE_MILLISECONDS }).toBeGreaterThan(words);
    expect(await page.evaluate(() => globalThis.opened.length)).toBe(1);
    const shown = await recordedSeconds();
    const duration = durationOf(await end());
    expect(duration).toBeGreaterThanOrEqual(shown);
    expect(duration).toBeLessThan(shown + IDLE_SECONDS);
  });

  test("a pause survives a reload, with the recorded time, and ends with the choice of a source", async () => {
    await open();
    await begin();
    await button("Pause").click();
    await seconds(1);
    const before = await recordedSeconds();
    await page.reload();
    await page.getByText("The session is paused. Choose a source to continue.").waitFor();
    await page.getByText("Paused", { exact: true }).waitFor();
    await expect.poll(recordedSeconds).toBe(before);
    await seconds(IDLE_SECONDS * 1.5);
    expect(await recordedSeconds()).toBe(before);
    await button("Microphone").click();
    await page.getByText("Listening", { exact: true }).waitFor();
    await moreFinals();
    const shown = await recordedSeconds();
    expect(shown).toBeGreaterThan(before);
    const duration = durationOf(await end());
    expect(duration).toBeGreaterThanOrEqual(shown);
    expect(duration).toBeLessThan(shown + IDLE_SECONDS);
    await page.reload();
    await button("Microphone").waitFor();
    expect(await page.getByText("Paused", { exact: true }).count()).toBe(0);
  });

  test("words and audio of a paused session are not lost while the connection is", async () => {
    await open();
    let isCut = false;
    let attempts = 0;
    const cuts: (() => void)[] = [];
    await page.routeWebSocket(/\/v2\/live/, (socket) => {
      if (isCut) {
        attempts++;
        return void socket.close({ code: 1012 });
      }
      const server = socket.connectToServer();
      cuts.push(() => {
        void socket.close({ code: 1012 });
        void server.close({ code: 1012 });
      });
    });
    await page.reload();
    await begin();
    isCut = true;
    for (const cut of cuts) cut();
    await page.getByText(/Connection lost/).waitFor();
    await seconds(3);
    await button("Pause").click();
    await seconds(1);
    const before = await recordedSeconds();
    await expect.poll(() => attempts).toBeGreaterThan(2);
    expect(await page.getByText(/^Reconnected/).count()).toBe(0);
    isCut = false;
    await page.getByText("Reconnected once").waitFor();
    await page.getByText("Paused", { exact: true }).waitFor();
    expect(await recordedSeconds()).toBe(before);
    const duration = durationOf(await end());
    expect(duration).toBeGreaterThanOrEqual(before);
    expect(duration).toBeLessThan(before + 1.5);
  });

  test("a microphone is chosen, also during a session, and remembered", async () => {
    await open();
    // Without a permission, microphones have no names.
    await begin();
    const list = page.getByRole("combobox", { name: "Choose the microphone" });
    await list.selectOption({ label: "Fake Audio Input 2" });
    await expect.poll(() => page.evaluate(() => globalThis.opened.at(-1))).toBe("Fake Audio Input 2");
    await moreFinals();
    const shown = await recordedSeconds();
    const duration = durationOf(await end());
    expect(duration).toBeGreaterThanOrEqual(shown);
    expect(duration).toBeLessThan(shown + IDLE_SECONDS);
    await page.reload();
    await expect.poll(() => list.inputValue()).not.toBe("");
    await begin();
    expect(await page.evaluate(() => globalThis.opened)).toEqual(["Fake Audio Input 2"]);
    await end();
    // The recorder uses it, too.
    await page.goto(`${service.base}/`);
    await button("Record").click();
    await page.getByRole("button", { name: /Stop at/ }).waitFor();
    expect(await page.evaluate(() => globalThis.opened)).toEqual(["Fake Audio Input 2"]);
    await page.getByRole("button", { name: /Stop at/ }).click();
    expect(complaints).toEqual([]);
  });

  test("a microphone that is not connected is replaced, before and during a session", async () => {
    await open();
    const gone = JSON.stringify({ id: "gone", label: "Old microphone" });
    await page.evaluate((choice) => localStorage.setItem("parlance.microphone", choice), gone);
    await page.reload();
    await begin();
    await page.getByText("“Old microphone” is not connected.").waitFor();
    const list = page.getByRole("combobox", { name: "Choose the microphone" });
    expect(await list.locator("option:checked").textContent()).toBe("Old microphone (not connected)");
    expect(await page.evaluate(() => localStorage.getItem("parlance.microphone"))).toBe(gone);
    await page.getByRole("button", { name: "Dismiss" }).first().click();
    await page.evaluate(() => globalThis.lastTrack?.dispatchEvent(new Event("ended")));
    await expect.poll(() => page.evaluate(() => globalThis.opened.length)).toBe(2);
    await moreFinals();
    // Without any microphone, the session stays open.
    await page.evaluate(() => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("", "NotFoundError"));
      globalThis.lastTrack?.dispatchEvent(new Event("ended"));
    });
    await page.getByText("The session is still open").waitFor();
    await page.getByText("Connected", { exact: true }).waitFor();
    await end();
  });

  test("the captions are copied, and shown in a window of their own", async () => {
    await open();
    await begin();
    const [popup] = await Promise.all([page.waitForEvent("popup"), button("Captions window").click()]);
    await finals(popup).first().waitFor();
    expect(await violationsOf(popup)).toEqual([]);
    await shoot("live-window", popup);
    await moreFinals();
    await end();
    await button("Copy the text").click();
    await page.getByText("Copied").first().waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const shown = (await finals().allTextContents()).map((text) => text.trim());
    expect(copied.split("\n")).toEqual(shown);
    expect(shown.join(" ")).toMatch(/hello/i);
    expect(await finals(popup).count()).toBe(shown.length);
  });

  test("a reader who scrolls back stays there, and at the end the newest words stay in sight", async () => {
    await open();
    await page.setViewportSize({ width: 390, height: 560 });
    await begin();
    const words = page.locator(".caption-words");
    const isScrollable = () => words.evaluate((box) => box.scrollHeight > box.clientHeight + 150);
    await expect.poll(isScrollable, { timeout: PATIENCE_MILLISECONDS }).toBe(true);
    const distance = () => words.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    await expect.poll(distance).toBeLessThan(5);
    await page.setViewportSize({ width: 390, height: 500 });
    await expect.poll(distance).toBeLessThan(5);
    await words.evaluate((box) => box.scrollTo(0, 0));
    await moreFinals();
    expect(await words.evaluate((box) => box.scrollTop)).toBe(0);
    await page.getByRole("button", { name: "Newest words" }).click();
    await expect.poll(distance).toBeLessThan(5);
    expect(await page.getByRole("button", { name: "Newest words" }).count()).toBe(0);
    await moreFinals();
    await expect.poll(distance).toBeLessThan(5);
    // The next session begins at its newest words.
    await words.evaluate((box) => box.scrollTo(0, 0));
    await page.getByRole("button", { name: "Newest words" }).waitFor();
    await button("Stop").click();
    await button("Microphone").click();
    await expect.poll(() => page.getByRole("button", { name: "Newest words" }).count()).toBe(0);
    await end();
  });
});
