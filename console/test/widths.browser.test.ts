// Each page at the widths of a phone, a tablet and a desktop: nothing scrolls sideways, and no control is cut off.
import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, launch, openConsole, overflowOf, pageAt } from "../../test/fixtures/browser.ts";
import { HELLO_MP3, wav } from "../../test/fixtures/recordings.ts";
import { decodeSpeech } from "../../test/fixtures/speech.ts";
import { call, finished, type RunningService, ready, startService, submit } from "../../test/service.ts";

/** Folder for screenshots. */
const PICTURES = process.env["SCREENSHOTS_DIR"];
const LONG_NAME =
  "Interview with the chairwoman of the Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz, part 1";

/** In the page: the controls that do not fit into the window, into their box, or into an element that hides what is outside it. */
function cutControls(): string[] {
  const TOLERANCE_PIXELS = 1;
  const isInside = (inner: DOMRect, left: number, right: number) =>
    inner.left >= left - TOLERANCE_PIXELS && inner.right <= right + TOLERANCE_PIXELS;
  const isCut = (control: Element): boolean => {
    const box = control.getBoundingClientRect();
    for (let outer = control.parentElement; outer; outer = outer.parentElement) {
      const { overflowX, position } = getComputedStyle(outer);
      // A person can scroll to it.
      if (overflowX === "auto" || overflowX === "scroll") return false;
      const { left, right } = outer.getBoundingClientRect();
      if ((overflowX === "hidden" || overflowX === "clip") && !isInside(box, left, right)) return true;
      if (position === "fixed") break;
    }
    // The text of a field may be longer than the field.
    const isTextCut = !control.matches("input, select") && control.scrollWidth > control.clientWidth + TOLERANCE_PIXELS;
    return !isInside(box, 0, innerWidth) || isTextCut;
  };
  // Texts for screen readers alone have no size.
  const isShown = (control: Element) => control.checkVisibility() && !control.closest(".unseen");
  const all = [...document.querySelectorAll("button, select, summary, input:not([type=file])")];
  return all
    .filter((control) => isShown(control) && isCut(control))
    .map((control) => `${control.localName} ${control.getAttribute("aria-label") ?? control.textContent ?? ""}`);
}

describe.skipIf(!CHROMIUM)("the pages at three widths (skipped where there is no Chromium)", () => {
  let service: RunningService;
  let browser: Browser;
  let account: BrowserContext;
  let routes: Record<string, [route: string, text: string]>;

  beforeAll(async () => {
    service = await startService();
    await ready(service);
    browser = await launch();
    ({ context: account } = await openConsole(browser, service.base));
    const speech = wav([await decodeSpeech()], 16_000);
    const id = await submit(service, speech, { diarization: true, summarization: true, chapterization: true });
    await finished(service, id);
    const body = { name: LONG_NAME, tags: ["interviews", "Rindfleischetikettierung", "spring"] };
    await call(service, "PATCH", `/v2/transcription/${id}`, { body });
    const shares = `/v2/transcription/${id}/shares`;
    const { token } = (await call(service, "POST", shares, { body: { audio: true } })).json;
    routes = {
      live: ["/live", "Words appear here"],
      recordings: ["/jobs", LONG_NAME],
      transcript: [`/jobs/${id}`, "Subtitles"],
      subtitles: [`/jobs/${id}?view=subtitles`, "Follow the playback"],
      account: ["/setup/account", "Vocabulary lists"],
      models: ["/setup/models", "Transcribes English."],
      machine: ["/setup/machine", "An hour of audio takes"],
      shared: [`/shared#${token}`, LONG_NAME],
      missing: ["/no/such/page", "There is no such page"],
    };
  });
  afterAll(async () => {
    await browser?.close();
    await service?.remove();
  });

  const expectFitting = async (page: Page, name: string, width: number) => {
    const closed = page.locator("main details:not([open]) > summary:visible");
    while ((await closed.count()) > 0) await closed.first().click();
    if (PICTURES) {
      mkdirSync(PICTURES, { recursive: true });
      await page.screenshot({ path: path.join(PICTURES, `${name}-${width}.png`), fullPage: true });
    }
    // Lists and pictures may arrive meanwhile.
    await expect.poll(() => page.evaluate(cutControls), { message: name }).toEqual([]);
    await expect.poll(() => overflowOf(page), { message: name }).toBeLessThanOrEqual(0);
  };

  test.each([360, 768, 1280])("at %i pixels nothing scrolls sideways, and no control is cut off", async (width) => {
    const page = await pageAt(browser, account, width, "light");
    await page.goto(service.base);
    await page.getByText("Drop recordings here").waitFor();
    // A file that is being sent: the text of its state is not on its progress.
    await page.route("**/v2/upload", () => undefined);
    await page.setInputFiles('input[name="files"]', HELLO_MP3);
    const sent = page.locator(".task.sending");
    await sent.locator(".progress").waitFor();
    const [progress, state] = [
      await sent.locator(".progress").boundingBox(),
      await sent.locator(".task-state").boundingBox(),
    ];
    if (!progress || !state) throw new Error("the file has no progress");
    const [first, second] = progress.y < state.y ? [progress, state] : [state, progress];
    expect(first.y + first.height).toBeLessThanOrEqual(second.y);
    await sent.getByRole("button").click();
    await sent.waitFor({ state: "detached" });
    await page.unroute("**/v2/upload");
    const letter = { name: `${LONG_NAME}.mp3`, mimeType: "audio/mpeg", buffer: Buffer.from("a letter") };
    await page.setInputFiles('input[name="files"]', HELLO_MP3);
    await page.setInputFiles('input[name="files"]', letter);
    await page.locator(".task.done").waitFor();
    await page.locator(".task .problem").waitFor();
    // Of a file that this browser can read: its size, its length and its options.
    await expect.poll(() => page.locator(".task.done .task-facts").textContent()).toMatch(/^\d+ kB, 00:0\d, Standard/);
    const names = page.locator(".task-name");
    const widths = await names.evaluateAll((all) => all.map((name) => name.getBoundingClientRect().width));
    expect(Math.min(...widths), "width of a name in the list of files").toBeGreaterThan(100);
    await expectFitting(page, "transcribe", width);
    for (const [name, [route, text]] of Object.entries(routes)) {
      await page.goto(service.base + route);
      await page.getByText(text).first().waitFor();
      await expectFitting(page, name, width);
    }
    await page.context().close();
  });

  test.each([360, 768, 1280])("at %i pixels the dialogs of a transcript and the sign-in fit", async (width) => {
    const page = await pageAt(browser, account, width, "dark");
    await page.goto(service.base + routes["transcript"]?.[0]);
    for (const name of ["Export…", "Share…", "Add…"]) {
      await page.getByRole("button", { name, exact: true }).first().click();
      await page.getByRole("dialog").waitFor();
      await expectFitting(page, `dialog ${name.slice(0, -1)}`, width);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    await page.locator(".utterance .speaker").first().click();
    await page.getByRole("dialog").waitFor();
    await expectFitting(page, "dialog speaker", width);
    await page.context().clearCookies();
    await page.goto(service.base);
    await page.getByLabel("Key").waitFor();
    await expectFitting(page, "sign-in", width);
    await page.context().close();
  });

  test("a control that is cut off is found", async () => {
    const page = await pageAt(browser, account, 360, "light");
    await page.goto(`${service.base}/no/such/page`);
    await page.getByText("There is no such page").waitFor();
    await page.locator("main").evaluate((main) => {
      main.insertAdjacentHTML(
        "beforeend",
        `<div style="width: 60px; overflow: hidden"><button style="width: 90px">Hidden</button></div>
        <button style="width: 40px; min-width: 0; white-space: nowrap; overflow: hidden">Much longer than it</button>
        <div style="width: 60px; overflow: auto"><button style="width: 90px">Scrolled to</button></div>`,
      );
    });
    expect(await page.evaluate(cutControls)).toEqual(["button Hidden", "button Much longer than it"]);
    await page.context().close();
  });
});
