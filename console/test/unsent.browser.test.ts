// Files and recordings that are not transcribed yet: each stays its account's own, and none is lost or sent twice.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import type { Browser, BrowserContext, Page, Request, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CHROMIUM, launch, openSignedIn, pageLink } from "../../test/fixtures/browser.ts";
import { parlance } from "../../test/fixtures/parlance.ts";
import { wav } from "../../test/fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../../test/fixtures/speech.ts";
import { call, type RunningService, ready, startService, TEST_KEY } from "../../test/service.ts";

/** Of a busy machine. */
const PATIENCE_MILLISECONDS = 90_000;
/** Above the size from which a file is sent as an upload that resumes. */
const LARGE_SECONDS = 300;

/** In the page: number of entries of a store of the browser's database. */
async function countOf(store: string): Promise<number> {
  const opening = indexedDB.open("parlance");
  await new Promise((resolve) => opening.addEventListener("success", resolve));
  const counting = opening.result.transaction(store).objectStore(store).count();
  await new Promise((resolve) => counting.addEventListener("success", resolve));
  opening.result.close();
  return counting.result;
}

/** In the page: the browser's database has room for pieces, and none for whole files. */
function refuseFiles(): void {
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (this: IDBObjectStore, value: { source?: unknown }, ...rest: []) {
    if (value.source instanceof File) throw new DOMException("no room", "QuotaExceededError");
    return put.call(this, value, ...rest);
  };
}

describe.skipIf(!CHROMIUM)("what is not sent yet (skipped where there is no Chromium)", () => {
  let service: RunningService;
  let browser: Browser;
  let folder: string;
  let speech: Float32Array;
  let otherKey: string;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-unsent-"));
    speech = await decodeSpeech();
    const microphone = path.join(folder, "microphone.wav");
    writeFileSync(microphone, wav([repeated(speech, 4, 2)], 16_000));
    service = await startService();
    await ready(service);
    await parlance(service.folder, "accounts", "create", "anna@acme");
    otherKey = await parlance(service.folder, "keys", "create", "--account", "anna@acme");
    browser = await launch(microphone);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
    context.setDefaultTimeout(PATIENCE_MILLISECONDS);
    await context.grantPermissions(["microphone"]);
    page = await context.newPage();
  });
  afterEach(() => context.close());

  const signIn = async (key = TEST_KEY, where = page) => {
    await where.getByLabel("Key").fill(key);
    await where.getByRole("button", { name: "Sign in" }).click();
    await where.getByText("Drop recordings here").waitFor();
  };
  const open = async () => {
    await openSignedIn(page, service.base);
    context.setDefaultTimeout(PATIENCE_MILLISECONDS);
  };
  const signOut = (where = page) => where.getByRole("button", { name: "Sign out" }).click();
  let clips = 0;
  /** A file with a name of its own: a repeated test finds no file of the run before. */
  const clip = (seconds?: number) => ({
    name: `clip-${Date.now()}-${clips++}.wav`,
    mimeType: "audio/wav",
    buffer: wav([seconds === undefined ? speech : repeated(speech, 4, seconds / 4)], 16_000),
  });
  const choose = (file: ReturnType<typeof clip>) => page.setInputFiles('input[name="files"]', file);
  const jobsOf = async (key: string, name: string) => {
    const { items } = (await call(service, "GET", "/v2/pre-recorded?limit=100", { key })).json;
    return items.filter((item: { file?: { filename?: string } }) => item.file?.filename === name).length as number;
  };
  const task = (name: string) => page.locator(".task", { hasText: name });
  /** States of the tracks of the microphone, where a script notes its streams. */
  const tracks = () =>
    page.evaluate(() =>
      (window as unknown as { streams: MediaStream[] }).streams.flatMap((stream) =>
        stream.getTracks().map(({ readyState }) => readyState),
      ),
    );
  const poll = (look: () => Promise<unknown>) => expect.poll(look, { timeout: PATIENCE_MILLISECONDS });

  test("an upload waits while another account is signed in, and continues for its own", async () => {
    await open();
    const file = clip(LARGE_SECONDS);
    let held: Route | undefined;
    await context.route("**/v2/upload/resumable/*", (route) => {
      if (held || route.request().method() !== "PATCH") return route.continue();
      held = route;
    });
    await choose(file);
    await poll(async () => held !== undefined).toBe(true);
    const second = await context.newPage();
    await second.goto(`${service.base}/`);
    await signOut(second);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    const requests: string[] = [];
    const note = (request: Request) => {
      const { pathname } = new URL(request.url());
      if (/\/v2\/(?:upload|pre-recorded)/.test(pathname)) requests.push(`${request.method()} ${pathname}`);
    };
    page.on("request", note);
    await signIn(otherKey, second);
    await page.getByText("Drop recordings here").waitFor();
    await held?.abort().catch(() => undefined);
    // The upload would try again after half a second.
    const own = clip();
    await choose(own);
    await task(own.name).getByText("Done").waitFor();
    expect(requests.filter((request) => request.includes("resumable"))).toEqual([]);
    page.off("request", note);
    await signOut(second);
    await second.getByRole("heading", { name: "Sign in" }).waitFor();
    await signIn(TEST_KEY, second);
    await poll(() => jobsOf(TEST_KEY, file.name)).toBe(1);
    expect(await jobsOf(otherKey, file.name)).toBe(0);
  });

  test("a page that does not know of another sign-in yet sends nothing to that account", async () => {
    await open();
    const [own] = await context.cookies();
    if (!own) throw new Error("there is no cookie");
    // Another request of the page would notice the sign-in before the upload does.
    const reads = /\/(v2|console)\//;
    await page.route(reads, (route) => (route.request().method() === "GET" ? route.abort() : route.continue()));
    await context.addCookies([{ ...own, value: otherKey }]);
    const file = clip();
    const refused = page.waitForResponse((one) => one.status() === 401);
    await choose(file);
    await refused;
    await poll(() => page.evaluate(countOf, "uploads")).toBe(1);
    await page.unroute(reads);
    // The page shows the account that is signed in.
    await poll(() => page.locator(".task").count()).toBe(0);
    await page.getByText("Drop recordings here").waitFor();
    expect(await jobsOf(otherKey, file.name)).toBe(0);
    await context.addCookies([own]);
    await page.reload();
    await poll(() => jobsOf(TEST_KEY, file.name)).toBe(1);
    expect(await jobsOf(otherKey, file.name)).toBe(0);
  });

  test("a file whose options are refused stays, also after a reload, and is sent with other options", async () => {
    await context.addInitScript(() => {
      if (localStorage.getItem("parlance.options.default") !== null) return;
      localStorage.setItem("parlance.options.default", JSON.stringify({ audio_track: -1 }));
    });
    await open();
    let uploads = 0;
    page.on("request", (request) => {
      if (request.method() === "POST" && new URL(request.url()).pathname === "/v2/upload") uploads++;
    });
    const file = clip();
    await choose(file);
    const problem = () => task(file.name).locator(".problem").waitFor();
    await problem();
    await page.reload();
    await problem();
    const download = page.waitForEvent("download");
    await task(file.name).getByRole("button", { name: "Save the file" }).click();
    expect((await download).suggestedFilename()).toBe(file.name);
    await page.getByRole("button", { name: "Reset", exact: true }).click();
    await task(file.name).getByRole("button", { name: "Try again" }).click();
    await task(file.name).getByText("Done").waitFor();
    await poll(() => page.evaluate(countOf, "uploads")).toBe(0);
    expect(uploads).toBe(1);
  });

  test("another attempt is offered where it can succeed, and has the options of that moment", async () => {
    let isThere = false;
    const host = createServer((_, response) => {
      if (isThere) response.end(wav([speech], 16_000));
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
    try {
      await open();
      const { port } = host.address() as AddressInfo;
      const address = `http://127.0.0.1:${port}/talk-${Date.now()}.wav`;
      await page.getByLabel("Address of a recording").fill(address);
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await task(address).locator(".problem").waitFor();
      const again = task(address).getByRole("button", { name: "Try again" });
      const texts = [Buffer.alloc(0), Buffer.from("Dear all, this is a letter.")];
      for (const [index, buffer] of texts.entries()) {
        const name = `letter-${Date.now()}-${index}.mp3`;
        await choose({ name, mimeType: "audio/mpeg", buffer });
        await task(name).locator(".problem").waitFor();
        expect(await task(name).getByRole("button", { name: "Try again" }).count()).toBe(0);
      }
      isThere = true;
      await page.getByLabel("Subtitles", { exact: true }).check();
      await again.click();
      await task(address).getByText("Done").waitFor();
      const job = await task(address).getByRole("link").getAttribute("href");
      const id = job?.split("/").at(-1);
      const { request_params } = (await call(service, "GET", `/v2/pre-recorded/${id}`)).json;
      expect(request_params).toMatchObject({ subtitles: true, audio_url: address });
      const { items } = (await call(service, "GET", "/v2/pre-recorded?limit=100&status=error")).json;
      expect(items.filter(({ file }: { file?: { source?: string } }) => file?.source === address)).toEqual([]);
    } finally {
      host.close();
    }
  });

  test("a value that the service refuses is sent: no option is left out without a message", async () => {
    await open();
    await page.getByText("More", { exact: true }).click();
    const field = page.getByRole("spinbutton", { name: "Audio track" });
    for (const value of ["-1", "1"]) {
      await field.fill(value);
      await field.press("Tab");
      expect(await page.evaluate(() => localStorage.getItem("parlance.options.default"))).toContain(
        `"audio_track":${value}`,
      );
    }
  });

  test("a cleared list keeps a file that was not sent, unless the person agrees", async () => {
    await open();
    await page.route("**/v2/upload", (route) => route.abort());
    const file = clip();
    await choose(file);
    await task(file.name).locator(".problem").waitFor();
    const questions: string[] = [];
    let answer = false;
    page.on("dialog", (dialog) => {
      if (dialog.type() === "confirm") questions.push(dialog.message());
      void (answer ? dialog.accept() : dialog.dismiss());
    });
    const clear = page.getByRole("button", { name: "Clear the list" });
    await clear.click();
    expect(questions).toHaveLength(1);
    expect(await page.evaluate(countOf, "uploads")).toBe(1);
    await task(file.name)
      .getByRole("button", { name: `Remove ${file.name}` })
      .click();
    expect(questions).toHaveLength(2);
    expect(await task(file.name).count()).toBe(1);
    answer = true;
    await clear.click();
    await task(file.name).waitFor({ state: "detached" });
    await poll(() => page.evaluate(countOf, "uploads")).toBe(0);
  });

  test("a file that is not sent is named on another page, and before a sign-out", async () => {
    await open();
    let held: Route | undefined;
    await page.route("**/v2/upload", (route) => {
      held = route;
    });
    const file = clip();
    await choose(file);
    await poll(async () => held !== undefined).toBe(true);
    await pageLink(page, "Recordings").click();
    await page.getByRole("heading", { name: "Recordings" }).waitFor();
    await held?.fulfill({ status: 507, json: { message: "No room" } });
    await page.getByText(`${file.name} failed: No room`).waitFor();
    const questions: string[] = [];
    let answer = false;
    page.on("dialog", (dialog) => {
      if (dialog.type() === "confirm") questions.push(dialog.message());
      void (answer ? dialog.accept() : dialog.dismiss());
    });
    await signOut();
    expect(questions).toEqual([expect.stringContaining("1 file is not sent yet.")]);
    expect(await pageLink(page, "Recordings").count()).toBe(1);
    answer = true;
    await signOut();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.unroute("**/v2/upload");
    await page.getByLabel("Key").fill(TEST_KEY);
    await page.getByRole("button", { name: "Sign in" }).click();
    await pageLink(page, "Transcribe").click();
    await task(file.name).getByRole("button", { name: "Try again" }).click();
    await poll(() => jobsOf(TEST_KEY, file.name)).toBe(1);
  });

  test("a recording that the browser has no room to store twice is transcribed once", async () => {
    await context.addInitScript(refuseFiles);
    await open();
    await page.getByRole("button", { name: "Record" }).click();
    await page.getByRole("button", { name: /Stop at 00:(0[3-9]|[1-5])/ }).click();
    await page.locator(".task").getByText("Done").waitFor();
    await poll(() => page.evaluate(countOf, "recordings")).toBe(0);
    await poll(() => page.evaluate(countOf, "pieces")).toBe(0);
  });

  test("a file that the browser has no room to keep is requested by its name after a reload, and continues", async () => {
    await context.addInitScript(refuseFiles);
    await open();
    const { buffer } = clip(LARGE_SECONDS);
    const name = `film-${Date.now()}.wav`;
    const file = path.join(folder, name);
    writeFileSync(file, buffer);
    let held: Route | undefined;
    await context.route("**/v2/upload/resumable/*", (route) => {
      if (held || route.request().method() !== "PATCH") return route.continue();
      held = route;
    });
    await page.setInputFiles('input[name="files"]', file);
    await poll(async () => held !== undefined).toBe(true);
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await task(name).getByText("Choose it again").waitFor();
    const created: string[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (request.method() === "POST" && pathname.startsWith("/v2/upload")) created.push(pathname);
    });
    await task(name).getByLabel("Choose the file").setInputFiles(file);
    await task(name).getByText("Done").waitFor();
    // The upload of the page before is continued.
    expect(created).toEqual([]);
    expect(await jobsOf(TEST_KEY, name)).toBe(1);
  });

  test("a sign-out that the service does not answer says so, and a recording continues", async () => {
    await open();
    await page.getByRole("button", { name: "Record" }).click();
    await page.getByRole("button", { name: /Stop at/ }).waitFor();
    await page.route("**/console/session", (route) => route.abort());
    await signOut();
    await page.getByText("The service does not answer").waitFor();
    expect(await page.getByRole("button", { name: /Stop at/ }).count()).toBe(1);
    await page.unroute("**/console/session");
    await signOut();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  test("a capture that cannot start turns the microphone off and says so", async () => {
    await context.addInitScript(() => {
      const devices = navigator.mediaDevices;
      const own = devices.getUserMedia.bind(devices);
      devices.getUserMedia = async (constraints) => {
        const stream = await own(constraints);
        (window as unknown as { streams: MediaStream[] }).streams = [stream];
        return stream;
      };
      AudioWorklet.prototype.addModule = () => Promise.reject(new DOMException("cut", "AbortError"));
    });
    await open();
    await pageLink(page, "Live").click();
    await page.getByRole("button", { name: "Microphone" }).click();
    await page.getByText("The audio cannot be captured.").waitFor();
    expect(await tracks()).toEqual(["ended"]);
  });

  test("a live session that begins while another account signs in is not begun for it", async () => {
    await context.addInitScript(() => {
      const devices = navigator.mediaDevices;
      const own = devices.getUserMedia.bind(devices);
      const parts = window as unknown as { streams: MediaStream[]; allow(): void };
      const isAllowed = new Promise<void>((resolve) => {
        parts.allow = resolve;
      });
      devices.getUserMedia = async (constraints) => {
        await isAllowed;
        const stream = await own(constraints);
        parts.streams = [stream];
        return stream;
      };
    });
    await open();
    await pageLink(page, "Live").click();
    const start = page.getByRole("button", { name: "Microphone" });
    await start.click();
    const second = await context.newPage();
    await second.goto(`${service.base}/`);
    await signOut(second);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await signIn(otherKey, second);
    await page.getByRole("button", { name: "Options" }).waitFor();
    await page.evaluate(() => (window as unknown as { allow(): void }).allow());
    await poll(() => start.isEnabled()).toBe(true);
    expect(await tracks()).toEqual(["ended"]);
    const { items } = (await call(service, "GET", "/v2/live", { key: otherKey })).json;
    expect(items).toEqual([]);
  });
});
