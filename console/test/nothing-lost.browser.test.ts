// What a person typed, chose or recorded in the console outlives a reload, another page and an expired sign-in.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CHROMIUM, launch, openSignedIn, pageLink } from "../../test/fixtures/browser.ts";
import { wav } from "../../test/fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../../test/fixtures/speech.ts";
import { call, finished, type RunningService, ready, startService, submit, TEST_KEY } from "../../test/service.ts";

/** More than the page sends at a time, so that most of them wait. */
const FILES = 12;
/** After which typed text is saved (console/src/transcript/editing.ts). */
const PAUSE_MILLISECONDS = 1_200;

/** In the page: files that the browser has stored, and those that are done. */
async function keptUploads(): Promise<number> {
  const opening = indexedDB.open("parlance");
  await new Promise((resolve) => opening.addEventListener("success", resolve));
  const counting = opening.result.transaction("uploads").objectStore("uploads").count();
  await new Promise((resolve) => counting.addEventListener("success", resolve));
  opening.result.close();
  const tasks = [...document.querySelectorAll(".task")];
  return counting.result + tasks.filter((task) => /Done/.test(task.textContent ?? "")).length;
}

describe.skipIf(!CHROMIUM)("the console loses nothing (skipped where there is no Chromium)", () => {
  let service: RunningService;
  let browser: Browser;
  let folder: string;
  let speech: Float32Array;
  let jobId: string;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-console-"));
    speech = await decodeSpeech();
    const microphone = path.join(folder, "microphone.wav");
    writeFileSync(microphone, wav([repeated(speech, 4, 2)], 16_000));
    service = await startService();
    await ready(service);
    browser = await launch(microphone);
    jobId = await submit(service, wav([repeated(speech, 4, 6)]));
    await finished(service, jobId);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await context?.close();
    context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
    page = await context.newPage();
    await openSignedIn(page, service.base);
  });

  const signIn = async () => {
    await page.getByLabel("Key").fill(TEST_KEY);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("Key").waitFor({ state: "detached" });
  };
  /** Text is not saved by a pause: the test saves it, or does not. */
  const withoutPauses = () =>
    context.addInitScript((pause) => {
      const { setTimeout: own } = window;
      const later = (work: TimerHandler, milliseconds?: number, ...rest: unknown[]) =>
        milliseconds === pause ? 0 : own(work, milliseconds, ...rest);
      window.setTimeout = later as typeof setTimeout;
    }, PAUSE_MILLISECONDS);
  const utterance = (at: number) => page.locator(`.utterance[data-at='${at}']`);
  const words = (at: number, where = page) => where.locator(`.utterance[data-at='${at}'] .words`);
  const type = async (at: number, text: string, where = page) => {
    await words(at, where).click();
    await words(at, where).selectText();
    await where.keyboard.type(text);
    expect(await words(at, where).textContent()).toBe(text);
  };
  const stored = async () =>
    (await call(service, "GET", `/v2/transcription/${jobId}/transcript?format=txt`)).text as string;
  const openTranscript = async () => {
    await page.goto(`${service.base}/jobs/${jobId}`);
    await utterance(0).waitFor();
  };
  const unsaved = () => page.getByRole("region", { name: "Changes that are not saved" });

  test.each([
    ["Escape", () => page.keyboard.press("Escape")],
    ["Ctrl+S", () => page.keyboard.press("Control+s")],
    ["a click beside it", () => page.getByRole("searchbox").click()],
    ["a link", () => pageLink(page, "Recordings").click()],
    ["sign-out", () => page.getByRole("button", { name: "Sign out" }).click()],
  ])("text is saved by %s", async (name, leave) => {
    await withoutPauses();
    await openTranscript();
    await type(1, `Left by ${name}.`);
    await leave();
    await expect.poll(stored).toContain(`Left by ${name}.`);
  });

  test("text is saved by a pause, and the time is shown", async () => {
    await openTranscript();
    await type(2, "Saved by a pause.");
    await page.getByText(/^Saved \d/).waitFor();
    expect(await stored()).toContain("Saved by a pause.");
    await page.reload();
    await expect.poll(() => words(2).textContent()).toBe("Saved by a pause.");
    expect(await unsaved().count()).toBe(0);
  });

  test("text is sent again after the service did not answer, without a key press", async () => {
    await openTranscript();
    await page.route("**/transcript", (route) => route.abort());
    await type(2, "Typed without a connection.");
    await page.getByText("Not saved: The service does not answer").waitFor();
    expect(await words(2).textContent()).toBe("Typed without a connection.");
    await page.unroute("**/transcript");
    await expect.poll(stored).toContain("Typed without a connection.");
    await page.getByText(/^Saved \d/).waitFor();
  });

  test("text that is being sent when the page is reloaded is kept, also with a new paragraph", async () => {
    await openTranscript();
    let requests = 0;
    await page.route("**/transcript", () => {
      requests++;
    });
    await type(2, "Being sent alone.");
    await page.getByText("Saving…").waitFor();
    await expect.poll(() => requests).toBe(1);
    await page.reload();
    await unsaved().getByText("Being sent alone.").waitFor();
    await unsaved().getByRole("button", { name: "Discard" }).click();
    await type(0, "Being sent with a break.");
    await page.keyboard.press("Home");
    await page.keyboard.press("Control+ArrowRight");
    await page.keyboard.press("Control+ArrowRight");
    await page.keyboard.press("Enter");
    await page.getByText("Saving…").waitFor();
    await page.reload();
    await unsaved().getByText("Being sent with a break.").waitFor();
    await unsaved().getByRole("button", { name: "Discard" }).click();
  });

  test("text outlives a scroll, a reload, and a sign-in that expires", async () => {
    await withoutPauses();
    await openTranscript();
    await type(1, "Not sent yet.");
    await page.locator(".transcript-scroll").evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await page.locator(".transcript-scroll").evaluate((list) => list.scrollTo(0, 0));
    expect(await words(1).textContent()).toBe("Not sent yet.");
    await page.reload();
    await unsaved().getByText("Not sent yet.").waitFor();
    expect(await stored()).not.toContain("Not sent yet.");
    await unsaved()
      .getByRole("button", { name: /Continue/ })
      .click();
    await expect.poll(stored).toContain("Not sent yet.");
    expect(await words(1).textContent()).toBe("Not sent yet.");
    await type(1, "Sent after the next sign-in.");
    await context.clearCookies();
    // The page may have found the end of the sign-in before.
    const isOut = page.getByRole("heading", { name: "Sign in" }).waitFor();
    await Promise.race([isOut, page.keyboard.press("Escape")]);
    await isOut;
    await signIn();
    await unsaved()
      .getByRole("button", { name: /Continue/ })
      .click();
    await page.getByText(/^Saved \d/).waitFor();
    expect(await stored()).toContain("Sent after the next sign-in.");
    expect(await unsaved().count()).toBe(0);
  });

  test("two people change one utterance: both versions are shown, and one is chosen", async () => {
    await withoutPauses();
    await openTranscript();
    await type(3, "My version.");
    const change = { utterances: [{ index: 3, text: "Their version." }] };
    const { status } = await call(service, "PATCH", `/v2/transcription/${jobId}/transcript`, { body: change });
    expect(status).toBe(201);
    // The page may not have received it yet.
    await page.keyboard.press("Control+s");
    await page.getByRole("alert").getByText("Their version.").waitFor();
    expect(await words(3).textContent()).toBe("My version.");
    // Further typing does not hide it, and a reload keeps both versions.
    await type(3, "My second version.");
    await page.keyboard.press("Escape");
    await page.reload();
    const again = { utterances: [{ index: 3, text: "Their second version." }] };
    await call(service, "PATCH", `/v2/transcription/${jobId}/transcript`, { body: again });
    await unsaved()
      .getByRole("button", { name: /Continue/ })
      .click();
    await page.getByRole("alert").getByText("Their second version.").waitFor();
    expect(await stored()).toContain("Their second version.");
    await page.getByRole("button", { name: "Keep mine" }).click();
    await page.getByText(/^Saved \d/).waitFor();
    expect(await stored()).toContain("My second version.");
    expect(await page.getByRole("alert").count()).toBe(0);
    // And the other choice.
    await type(3, "My third version.");
    await call(service, "PATCH", `/v2/transcription/${jobId}/transcript`, { body: change });
    await page.getByRole("button", { name: "Use theirs" }).click();
    await expect.poll(() => words(3).textContent()).toBe("Their version.");
    await page.keyboard.press("Control+s");
    expect(await stored()).toContain("Their version.");
  });

  test("what somebody else changes in the paragraph with the caret is taken over, and the caret stays at its word", async () => {
    await openTranscript();
    await call(service, "PATCH", `/v2/transcription/${jobId}/transcript`, {
      body: { utterances: [{ index: 0, text: "One two three." }] },
    });
    await expect.poll(() => words(0).textContent()).toBe("One two three.");
    await words(0).click();
    await page.keyboard.press("End");
    const change = { utterances: [{ index: 0, text: "Theirs, two three." }] };
    await call(service, "PATCH", `/v2/transcription/${jobId}/transcript`, { body: change });
    await expect.poll(() => words(0).textContent()).toBe("Theirs, two three.");
    await page.keyboard.type(" Mine.");
    await expect.poll(stored).toContain("Theirs, two three. Mine.");
    expect(await unsaved().count()).toBe(0);
  });

  test("corrections of other people appear automatically", async () => {
    await openTranscript();
    const change = { utterances: [{ index: 2, text: "Changed elsewhere." }] };
    const { status } = await call(service, "PATCH", `/v2/transcription/${jobId}/transcript`, { body: change });
    expect(status).toBe(201);
    await expect.poll(() => utterance(2).locator(".words").textContent()).toBe("Changed elsewhere.");
  });

  const openSecond = async () => {
    const second = await context.newPage();
    await second.goto(`${service.base}/jobs/${jobId}`);
    await second.locator(".utterance[data-at='0']").waitFor();
    return second;
  };

  test("a second window shows a correction of the first within seconds, and a new name in the list", async () => {
    await openTranscript();
    const second = await openSecond();
    const list = await context.newPage();
    await list.goto(`${service.base}/jobs`);
    await list.locator(".entry").first().waitFor();
    await type(3, "Typed in the first window.");
    await page.getByText(/^Saved \d/).waitFor();
    const shown = second.locator(".utterance[data-at='3'] .words");
    await expect.poll(() => shown.textContent(), { timeout: 10_000 }).toBe("Typed in the first window.");
    await call(service, "PATCH", `/v2/transcription/${jobId}`, { body: { name: "Named elsewhere" } });
    await second.getByRole("heading", { name: "Named elsewhere" }).waitFor({ timeout: 10_000 });
    await list.getByRole("link", { name: "Named elsewhere" }).waitFor({ timeout: 10_000 });
  });

  test("without a stream of events, the page polls", async () => {
    await page.route("**/v2/events", (route) => route.abort());
    await openTranscript();
    const change = { utterances: [{ index: 2, text: "Found by polling." }] };
    await call(service, "PATCH", `/v2/transcription/${jobId}/transcript`, { body: change });
    await expect.poll(() => utterance(2).locator(".words").textContent()).toBe("Found by polling.");
  });

  test("two windows that edit one utterance keep both drafts, and each shows the other's", async () => {
    await withoutPauses();
    await openTranscript();
    const second = await openSecond();
    await type(1, "Of the first window.");
    expect(await words(1, second).textContent()).not.toBe("Of the first window.");
    await type(1, "Of the second window.", second);
    await second.getByRole("status").getByText("Of the first window.").waitFor();
    await page.getByRole("status").getByText("Of the second window.").waitFor();
    expect(await words(1).textContent()).toBe("Of the first window.");
    expect(await unsaved().count()).toBe(0);
    // The first one is saved: the second shows both versions, and its own is kept.
    await page.keyboard.press("Control+s");
    await second.getByRole("alert").getByText("Of the first window.").waitFor();
    expect(await words(1, second).textContent()).toBe("Of the second window.");
    await second.close();
    // What the closed window left behind is a change that is not saved.
    await unsaved().getByText("Of the second window.").waitFor();
    await unsaved()
      .getByRole("button", { name: /Continue/ })
      .click();
    await page.getByRole("alert").getByText("Of the first window.").waitFor();
    await page.getByRole("button", { name: "Keep mine" }).click();
    await expect.poll(stored).toContain("Of the second window.");
  });

  test(`${FILES} files and a reload: each is transcribed once`, async () => {
    // A repeated test makes other names.
    const prefix = `clip-${Date.now()}-`;
    const clip = wav([speech], 16_000);
    const files = Array.from({ length: FILES }, (_, at) => ({
      name: `${prefix}${at}.wav`,
      mimeType: "audio/wav",
      buffer: clip,
    }));
    await page.goto(`${service.base}/`);
    await page.setInputFiles('input[name="files"]', files);
    await expect.poll(() => page.locator(".task").count()).toBe(FILES);
    // Some are sent, others wait.
    await page
      .getByText(/^(?:Sending|Done|Waiting for|Transcribing)/)
      .first()
      .waitFor();
    // A page that is closed before the browser has stored all files requests a confirmation; Playwright's reload does not.
    await expect.poll(() => page.evaluate(keptUploads)).toBeGreaterThanOrEqual(FILES);
    await page.reload();
    const names = async () => {
      const { items } = (await call(service, "GET", "/v2/pre-recorded?limit=100")).json;
      const all: string[] = items.map((item: { file?: { filename?: string } }) => item.file?.filename ?? "");
      return all.filter((name) => name.startsWith(prefix)).sort();
    };
    await expect.poll(async () => (await names()).length, { timeout: 100_000 }).toBe(FILES);
    expect(await names()).toEqual(files.map(({ name }) => name).sort());
  });

  test("a recording that a reload interrupts is transcribed", async () => {
    await context.grantPermissions(["microphone"]);
    await page.goto(`${service.base}/`);
    await page.getByRole("button", { name: "Record" }).click();
    await page.getByRole("button", { name: /Stop at 00:(0[5-9]|[1-5])/ }).waitFor();
    await page.reload();
    await page.getByRole("link", { name: /^Recording .*\d/ }).click();
    await expect.poll(() => page.locator(".words").first().textContent()).toMatch(/hello/i);
  });

  /** Requests of uploads that resume, in order. */
  const uploadRequests = () => {
    const sent: { method: string; path: string; length: string | undefined }[] = [];
    page.on("request", (request) => {
      const { pathname: path } = new URL(request.url());
      if (!path.startsWith("/v2/upload")) return;
      sent.push({ method: request.method(), path, length: request.headers()["upload-length"] });
    });
    return sent;
  };

  test.each([
    ["a reload", () => page.reload()],
    ["its end", () => page.getByRole("button", { name: /Stop at/ }).click()],
  ])("a recording is at the service while it is made, and %s sends the rest alone", async (_, end) => {
    const requests = uploadRequests();
    await context.grantPermissions(["microphone"]);
    await page.goto(`${service.base}/`);
    await page.getByRole("button", { name: "Record" }).click();
    const path = () => requests.find(({ method }) => method === "PATCH")?.path ?? "";
    await expect.poll(path).not.toBe("");
    const atService = async () => (await call(service, "GET", path())).json;
    await expect.poll(async () => (await atService()).offset).toBeGreaterThan(10_000);
    expect(await atService()).toMatchObject({ length: null, upload: null });
    await end();
    await page.getByRole("link", { name: /^Recording .*\d/ }).click();
    await expect.poll(() => page.locator(".words").first().textContent()).toMatch(/hello/i);
    const { upload, length, offset } = await atService();
    expect([upload.audio_metadata.size, length]).toEqual([offset, offset]);
    const [first, ...others] = requests.filter(({ method }) => method === "POST");
    expect([first?.path, others]).toEqual(["/v2/upload/resumable", []]);
    expect(requests.at(-1)?.path).toBe(path());
    expect(requests.filter(({ method, length }) => method === "PATCH" && length === String(offset))).toHaveLength(1);
  });

  test("a recording that a sign-out interrupts is sent after the next sign-in", async () => {
    await context.grantPermissions(["microphone"]);
    await page.goto(`${service.base}/`);
    await page.getByRole("button", { name: "Record" }).click();
    await page.getByRole("button", { name: /Stop at 00:(0[3-9]|[1-5])/ }).waitFor();
    await context.clearCookies();
    await pageLink(page, "Recordings").click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await signIn();
    await pageLink(page, "Transcribe").click();
    await page.getByRole("link", { name: /^Recording .*\d/ }).waitFor();
  });

  test("a recording continues while the sign-in has ended", async () => {
    await context.grantPermissions(["microphone"]);
    await page.goto(`${service.base}/`);
    await page.getByRole("button", { name: "Record" }).click();
    const stop = page.getByRole("button", { name: /Stop at/ });
    await stop.waitFor();
    await context.clearCookies();
    const file = { name: `other-${Date.now()}.wav`, mimeType: "audio/wav", buffer: wav([speech], 16_000) };
    // Any request ends the sign-in: this one, or an earlier one of the page.
    await page.setInputFiles('input[name="files"]', file, { timeout: 5_000 }).catch(() => undefined);
    await page.getByText("The recording from the microphone continues.").waitFor();
    await page.getByRole("button", { name: /Stop at 00:(0[5-9]|[1-5])/ }).waitFor();
    await signIn();
    expect(await stop.count()).toBe(1);
    await stop.click();
    await page.getByRole("link", { name: /^Recording .*\d/ }).waitFor();
  });

  const captions = () => page.locator(".caption-words");
  const startLive = async () => {
    await context.grantPermissions(["microphone"]);
    await page.goto(`${service.base}/live`);
    await page.getByRole("button", { name: "Microphone" }).click();
    await captions().locator(".final").first().waitFor();
  };
  const endLive = async (last = page) => {
    await last.getByRole("button", { name: "Stop", exact: true }).click();
    await last.getByRole("link", { name: "Its transcript and recording" }).click();
    await last.locator(".words").first().waitFor();
    const id = new URL(last.url()).pathname.split("/").at(-1);
    return (await call(service, "GET", `/v2/live/${id}`)).json.result;
  };

  test("a live session is continued after a reload, with all of its words", async () => {
    await startLive();
    const before = (await captions().locator(".final").first().textContent())?.trim() ?? "";
    // On a busy machine, the microphone may start in the middle of the sentence.
    expect(before).toMatch(/\p{L}{2,}/u);
    await page.reload();
    await captions().getByText(before).first().waitFor();
    await page.getByText("Connected", { exact: true }).waitFor();
    expect(page.url()).not.toMatch(/token|session/);
    const count = await captions().locator(".final").count();
    await page.getByRole("button", { name: "Microphone" }).click();
    await page.getByText("Listening").waitFor();
    await expect.poll(() => captions().locator(".final").count()).toBeGreaterThan(count);
    const { transcription } = await endLive();
    expect(transcription.utterances.length).toBeGreaterThan(count);
    expect(await page.evaluate(() => Object.keys(localStorage).join())).not.toMatch(/parlance\.live\./);
  });

  test("another window continues a live session from the list of recordings, and the first one stops", async () => {
    await startLive();
    const second = await context.newPage();
    await second.goto(`${service.base}/jobs`);
    await second.getByRole("link", { name: "Continue" }).click();
    await second.locator(".caption-words .final").first().waitFor();
    expect(second.url()).toBe(`${service.base}/live`);
    await page.getByText("Another window continues this session.").waitFor();
    expect(await page.getByText("On air").count()).toBe(0);
    await page.getByRole("button", { name: "Continue here" }).waitFor();
    const { transcription } = await endLive(second);
    expect(transcription.full_transcript).toMatch(/hello/i);
    await page.getByRole("button", { name: "Continue here" }).waitFor({ state: "detached" });
  });

  test("audio that the service has not acknowledged is sent after a reload", async () => {
    let isCut = false;
    const cuts: (() => void)[] = [];
    await page.routeWebSocket(/\/v2\/live/, (socket) => {
      if (isCut) return void socket.close({ code: 1012 });
      const server = socket.connectToServer();
      cuts.push(() => {
        void socket.close({ code: 1012 });
        void server.close({ code: 1012 });
      });
    });
    await startLive();
    isCut = true;
    for (const cut of cuts) cut();
    await page.getByText(/Connection lost/).waitFor();
    const began = Date.now();
    await expect.poll(() => Date.now() - began).toBeGreaterThan(6_000);
    await page.reload();
    await page.getByText("Connection lost").or(page.getByText("Connecting")).first().waitFor();
    isCut = false;
    await page.getByText("Connected", { exact: true }).waitFor();
    const { metadata } = await endLive();
    // Six seconds passed without a connection, after some of the first words.
    expect(metadata.audio_duration).toBeGreaterThan(6);
  });

  test("a live session continues while another page is shown", async () => {
    await context.grantPermissions(["microphone"]);
    await page.goto(`${service.base}/live`);
    await page.getByRole("button", { name: "Microphone" }).click();
    await expect.poll(() => page.locator(".caption-words").count()).toBeGreaterThan(0);
    await pageLink(page, "Recordings").click();
    await page.getByRole("heading", { name: "Recordings" }).waitFor();
    await pageLink(page, /Live.*On air/).click();
    await page.getByText("Listening").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("The session is over").waitFor();
    expect(await page.getByText("On air").count()).toBe(0);
  });
});
