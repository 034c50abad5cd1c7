// What the browser stores of live sessions, in real pages with the console's modules; the service's end is part of the test.
import path from "node:path";
import { build } from "esbuild";
import type { Browser, BrowserContext, Page, WebSocketRoute } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CHROMIUM, launch } from "../../test/fixtures/browser.ts";
import type { LiveSession } from "../src/live/session.ts";
import type { StoredSession } from "../src/live/stored-sessions.ts";

const ORIGIN = "http://localhost";
const ENTRY = `
import { render } from "preact";
import { LocationProvider } from "preact-iso";
import { loadAccount } from "./account.ts";
import { loadLanguage } from "./language/language.ts";
import { LeftSessions } from "./live/left-sessions.tsx";
import { LiveSession } from "./live/session.ts";
import { storedSessions, storeSession } from "./live/stored-sessions.ts";
import { hasWaitingSession } from "./live/waiting-session.ts";
import { keepPageOpen } from "./open-pages.ts";
import { LiveAudioStore } from "./upload-store.ts";
keepPageOpen(() => undefined);
const showLeft = async () => {
  await loadLanguage();
  const live = { isStarting: { value: false, peek: () => false }, running: { peek: () => undefined }, rejoin() {} };
  render(<LocationProvider><LeftSessions live={live} /></LocationProvider>, document.body);
};
await loadAccount();
Object.assign(globalThis, {
  parts: { LiveAudioStore, LiveSession, hasWaitingSession, loadAccount, showLeft, storedSessions, storeSession },
});
`;

interface Parts {
  LiveAudioStore: typeof import("../src/upload-store.ts").LiveAudioStore;
  LiveSession: typeof LiveSession;
  hasWaitingSession: { value: boolean };
  loadAccount(): Promise<void>;
  showLeft(): Promise<void>;
  storedSessions: typeof import("../src/live/stored-sessions.ts").storedSessions;
  storeSession: typeof import("../src/live/stored-sessions.ts").storeSession;
}
/** In a page. */
declare const parts: Parts;
/** In a page: its session, what its audio is numbered from, and whether another page has replaced it. */
declare global {
  var session: LiveSession | undefined;
  var number: number;
  var isReplaced: boolean;
}

/** In a page: begins a session, or continues the stored one, with a numbered piece of audio ten times a second. */
async function run({ first, isRejoined }: { first: number; isRejoined: boolean }): Promise<void> {
  globalThis.number = first;
  globalThis.isReplaced = false;
  const events = {
    onTranscript: () => undefined,
    onMessage: () => undefined,
    onEnded: (_: string | undefined, isReplaced: boolean) => {
      globalThis.isReplaced = isReplaced;
    },
  };
  const former = parts.storedSessions("ada")[0] as StoredSession;
  const { LiveSession } = parts;
  const session = isRejoined
    ? await LiveSession.rejoin(former, events)
    : await LiveSession.create({ sample_rate: 16_000 }, events);
  globalThis.session = session;
  setInterval(() => session.sendAudio(new Int16Array([globalThis.number++])), 100);
}

/** In a page: stores sessions and a piece of audio for each. */
async function leave(sessions: { id: string; account: string; hours: number; isForgotten?: boolean }[]): Promise<void> {
  for (const { id, account, hours, isForgotten } of sessions) {
    const at = Date.now() - hours * 3_600_000;
    if (!isForgotten) parts.storeSession({ id, account, token: "t", sampleRate: 16_000, at, page: "closed" });
    await new parts.LiveAudioStore(id).keep([{ start: 0, bytes: new Uint8Array([1, 0]) }]);
  }
}

/** In a page: ids of the sessions that have stored audio, one for each piece. */
async function sessionsWithAudio(): Promise<string[]> {
  const opening = indexedDB.open("parlance");
  opening.onupgradeneeded = () => opening.transaction?.abort();
  await new Promise((resolve) => {
    opening.onsuccess = resolve;
    opening.onerror = resolve;
  });
  if (opening.error) return [];
  const keys = opening.result.transaction("pieces").objectStore("pieces").getAllKeys();
  await new Promise((resolve) => keys.addEventListener("success", resolve));
  opening.result.close();
  return keys.result.map((key) => String((key as [string, number])[0]).split(".")[1] ?? "");
}

/** In a page: ids of the stored sessions. */
const storedIds = () =>
  Object.keys(localStorage)
    .filter((name) => name.startsWith("parlance.live."))
    .map((name) => name.slice("parlance.live.".length))
    .sort();

describe.skipIf(!CHROMIUM)("what the browser stores of live sessions (skipped where there is no Chromium)", () => {
  let script: string;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let isSignedIn: boolean;
  /** Name of the account that is signed in. */
  let account: string;
  /** Answers of `GET /v2/live/first` wait for it. */
  let isReleased: Promise<void>;
  /** Answers of `GET /v2/live/ID`. */
  let statuses: Record<string, string | number>;
  /** What a new connection does: pieces that it gets are noted. */
  let connect: (socket: WebSocketRoute) => void;
  let received: number[];

  beforeAll(async () => {
    const resolveDir = path.resolve(import.meta.dirname, "../src");
    const options = { bundle: true, format: "esm", write: false, jsx: "automatic", jsxImportSource: "preact" } as const;
    const { outputFiles } = await build({ stdin: { contents: ENTRY, loader: "tsx", resolveDir }, ...options });
    script = outputFiles[0]?.text ?? "";
    browser = await launch();
  });
  afterAll(async () => browser?.close());
  beforeEach(async () => {
    await context?.close();
    isSignedIn = true;
    account = "ada";
    isReleased = Promise.resolve();
    statuses = {};
    received = [];
    // Each connection has its own list: late messages of an earlier one do not count.
    connect = (socket) => {
      const own: number[] = [];
      received = own;
      socket.onMessage((piece) => void own.push((piece as Buffer).readInt16LE()));
    };
    context = await browser.newContext();
    await context.route("**/*", async (route) => {
      const address = new URL(route.request().url()).pathname;
      const id = /^\/v2\/live\/(.+)/.exec(address)?.[1];
      const status = statuses[id ?? ""];
      const isOther = (route.request().headers()["x-console-account"] ?? account) !== account;
      if (id === "first") await isReleased;
      if (address === "/page")
        await route.fulfill({
          contentType: "text/html",
          body: `<body></body><script type="module">${script}</script>`,
        });
      else if (address === "/console/session") await route.fulfill({ json: { needs_key: !isSignedIn } });
      else if (address === "/v2/account") await route.fulfill({ json: { name: account } });
      else if (address === "/v2/live") await route.fulfill({ json: { id: "one", url: `${ORIGIN}/?token=t` } });
      // A list of unfinished jobs has these sessions beyond its first page.
      else if (address === "/v2/transcription") await route.fulfill({ json: { items: [] } });
      else if (isOther) await route.fulfill({ status: 401, json: { message: "problem" } });
      else if (typeof status === "string") await route.fulfill({ json: { id, status } });
      else await route.fulfill({ status: status ?? 404, json: { message: "problem" } });
    });
    await context.routeWebSocket(/\/v2\/live/, (socket) => connect(socket));
    page = await open();
  });

  const open = async () => {
    const opened = await context.newPage();
    await opened.goto(`${ORIGIN}/page`);
    await opened.waitForFunction(() => "parts" in globalThis);
    return opened;
  };
  const cut = (socket: WebSocketRoute) => void socket.close({ code: 1012 });
  const audioOf = async (shown: Page) => (await shown.evaluate(sessionsWithAudio)).sort();

  test("audio of a window that another one has replaced is not sent later", async () => {
    const note = connect;
    // The first window, which asks for no earlier messages, stays without a connection.
    connect = (socket) => (socket.url().includes("replay") ? note(socket) : cut(socket));
    statuses = { one: "processing" };
    await page.evaluate(run, { first: 1, isRejoined: false });
    await expect.poll(async () => (await audioOf(page)).length).toBeGreaterThan(2);
    const second = await open();
    await second.evaluate(run, { first: 2_001, isRejoined: true });
    await page.evaluate(() => {
      globalThis.number = 1_001;
    });
    await expect.poll(() => page.evaluate(() => globalThis.isReplaced)).toBe(true);
    // Nothing is acknowledged: the second window stores what the first one had stored, and its own.
    await expect.poll(() => received).toContain(2_025);
    const before = received;
    received = [];
    await second.reload();
    await second.waitForFunction(() => "parts" in globalThis);
    await second.evaluate(run, { first: 3_001, isRejoined: true });
    await expect.poll(() => received).toContain(3_005);
    expect(received.slice(0, before.length)).toEqual(before);
    expect(received.filter((at) => at > 1_000 && at < 2_000)).toEqual([]);
    expect(received).toEqual(received.toSorted((left, right) => left - right));
    expect(new Set(received).size).toBe(received.length);
  });

  test("audio of an open window is left to it", async () => {
    statuses = { one: "processing" };
    await page.evaluate(leave, [{ id: "one", account: "ada", hours: 0 }]);
    const second = await open();
    const take = () => second.evaluate(async () => (await new parts.LiveAudioStore("one").take("closed")).length);
    expect(await take()).toBe(0);
    await page.close();
    await expect.poll(take).toBe(1);
    expect(await audioOf(second)).toEqual(["one"]);
  });

  test("audio that is taken over stays stored until it is acknowledged, also if the tab crashes at once", async () => {
    statuses = { one: "processing" };
    await page.evaluate(run, { first: 1, isRejoined: false });
    await expect.poll(async () => (await audioOf(page)).length).toBeGreaterThan(5);
    await page.close();
    const crashed = await open();
    const stored = await audioOf(crashed);
    received = [];
    await crashed.evaluate(run, { first: 1_001, isRejoined: true });
    await expect.poll(() => received).toContain(1_001);
    await crashed.goto("chrome://crash").catch(() => undefined);
    const third = await open();
    received = [];
    await third.evaluate(run, { first: 2_001, isRejoined: true });
    await expect.poll(() => received).toContain(2_025);
    expect(received.filter((at) => at < 1_000)).toEqual(stored.map((_, at) => at + 1));
    // Two seconds later: still not acknowledged.
    expect((await audioOf(third)).length).toBeGreaterThanOrEqual(stored.length);
  });

  test("a session is forgotten once the service says that it has ended, in accounts with any number of sessions", async () => {
    const sessions = ["runs", "ended", "failed", "unknown", "unclear"].map((id) => ({ id, account: "ada", hours: 1 }));
    statuses = { runs: "processing", ended: "done", failed: "error", unclear: 500 };
    await page.evaluate(leave, sessions);
    await page.evaluate(() => parts.showLeft());
    await expect.poll(() => page.evaluate(storedIds)).toEqual(["runs", "unclear"]);
    await expect.poll(() => audioOf(page)).toEqual(["runs", "unclear"]);
  });

  test("after a change of the account, no session of the former one counts as ended", async () => {
    let release: () => void = () => undefined;
    isReleased = new Promise((resolve) => {
      release = resolve;
    });
    statuses = { first: "processing", second: "processing" };
    const isRequested = page.waitForRequest("**/v2/live/first");
    await page.evaluate(leave, [
      { id: "first", account: "ada", hours: 1 },
      { id: "second", account: "ada", hours: 2 },
    ]);
    await page.evaluate(() => parts.showLeft());
    await isRequested;
    account = "bob";
    // For another account, they do not exist.
    statuses = {};
    await page.evaluate(() => parts.loadAccount());
    const isAnswered = page.waitForResponse("**/v2/live/first");
    release();
    await isAnswered;
    await page.evaluate(() => fetch("/v2/live/third"));
    expect(await page.evaluate(storedIds)).toEqual(["first", "second"]);
    expect(await audioOf(page)).toEqual(["first", "second"]);
  });

  test("the navigation offers no session that has ended meanwhile", async () => {
    const second = await context.newPage();
    await second.clock.install();
    statuses = { runs: "processing" };
    await page.evaluate(leave, [{ id: "runs", account: "ada", hours: 0 }]);
    await second.goto(`${ORIGIN}/page`);
    await second.waitForFunction(() => "parts" in globalThis && parts.hasWaitingSession.value);
    statuses = { runs: "done" };
    await second.clock.fastForward(10_000);
    await second.waitForFunction(() => !parts.hasWaitingSession.value);
    expect(await second.evaluate(storedIds)).toEqual([]);
    await expect.poll(() => audioOf(second)).toEqual([]);
  });

  test("a browser without a sign-in removes audio of forgotten sessions, and all of a session after seven days", async () => {
    await page.evaluate(leave, [
      { id: "recent", account: "bob", hours: 6 * 24 },
      { id: "old", account: "bob", hours: 8 * 24 },
      { id: "forgotten", account: "bob", hours: 0, isForgotten: true },
    ]);
    isSignedIn = false;
    await page.reload();
    await expect.poll(() => audioOf(page)).toEqual(["recent"]);
    expect(await page.evaluate(storedIds)).toEqual(["recent"]);
  });
});
